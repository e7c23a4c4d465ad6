/**
 * The extension in a real VS Code: `npm run bench:editors`. How long a session of 2,000 parts takes from the click on it to
 * the picture of its end; and what 20,000 deltas of an answer cost the extension host and somebody who types in an editor.
 */

import { mkdir } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { sleep } from "../../src/base/async.ts";
import { type ScriptedStep, scriptedModel } from "../../src/providers/scripted-model.ts";
import { serveModel } from "../../src/testing/scripted-server.ts";
import { builtExtension } from "../../test/editors/built-extension.ts";
import { startVSCode, type VSCode } from "../../test/editors/vscode.ts";
import type { EditorWindow } from "../../test/editors/window.ts";
import { median, printTable, quantile, shown } from "../figures.ts";
import { HostMonitor, installMonitor, monitorVariables } from "./editors/host-monitor.ts";
import { longFiles, lastWords, writeLongSession } from "./editors/long-session.ts";
import { paintedAfterClick } from "./editors/painted.ts";
import { typedInEditor } from "./editors/typing.ts";

const sessions = ["first", "second", "third", "fourth", "fifth"];
const deltas = 20_000;
const pieces = Array.from({ length: deltas }, (_, at): ScriptedStep => ({
  say: at % 12 === 11 ? "word.\n\n" : "word ",
}));

const port = join(process.cwd(), "node_modules", ".cache", `host-monitor-${process.pid}`);
const model = await serveModel(scriptedModel(() => [...pieces, { say: "That was all." }]));
const editor = await startVSCode({ env: { OLLAMA_HOST: model.url, ...monitorVariables(port) } });
try {
  await editor.install(await builtExtension());
  await installMonitor(editor);
  await measure(editor);
} finally {
  await editor.close();
  await model.close();
}

async function measure(code: VSCode): Promise<void> {
  const workspace = await code.newWorkspace(longFiles);
  const state = join(code.root, "state", "toolwright");
  await mkdir(state, { recursive: true, mode: 0o700 });
  for (const name of sessions) await writeLongSession(join(state, "sessions.db"), workspace, name);
  const window = await code.open(workspace);
  const host = await HostMonitor.of(port);
  await beginning(window, host);
  await openings(window, host);
  await stream(window, host);
}

/** From nothing to a chat in which one can write, with all that the extension loads and lends for it. */
async function beginning(window: EditorWindow, host: HostMonitor): Promise<void> {
  await sleep(5_000); // what VS Code itself begins with
  await host.begin();
  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  await chat.getByPlaceholder("ollama/scripted/model").waitFor();
  await sleep(2_000);
  const { work, pause } = await host.figures();
  console.log(
    `the first chat, load ${load()}: host at work for ${shown(work)} ms at most, paused ${shown(pause)} ms`,
  );
}

/** Each session for the first time. */
async function openings(window: EditorWindow, host: HostMonitor): Promise<void> {
  const chat = window.webview("toolwright.toolwright");
  const took: number[] = [];
  const rows = [["session", "painted after, ms", "host: longest work, ms", "longest pause, ms"]];
  for (const name of sessions) {
    await chat.getByRole("button", { name: "Sessions", exact: true }).click();
    await host.begin();
    const ms = await paintedAfterClick(
      chat,
      chat.getByRole("link", { name: `Read ${name}` }),
      lastWords(name),
    );
    took.push(ms);
    const { work, pause } = await host.figures();
    rows.push([name, ...[ms, work, pause].map(shown)]);
  }
  console.log(`2,000 parts, load ${load()}: median ${shown(median(took))} ms`);
  printTable(rows);
}

/** Typing begins a while before the stream does, to compare. */
async function stream(window: EditorWindow, host: HostMonitor): Promise<void> {
  const chat = window.webview("toolwright.toolwright");
  const rows = [
    ["keys typed", "median ms", "95 %", "most", "host: longest work, ms", "longest pause, ms", "busy %"],
  ];
  const typed = async (name: string, until: Promise<unknown>): Promise<void> => {
    await host.begin();
    const { keys } = await typedInEditor(window, until);
    const { work, pause, busy } = await host.figures();
    const figures = [median(keys), quantile(keys, 0.95), Math.max(...keys), work, pause, busy * 100];
    rows.push([`${name}: ${keys.length}`, ...figures.map(shown)]);
  };
  await chat.getByRole("button", { name: "Sessions", exact: true }).click();
  await chat.getByRole("link", { name: "New session" }).click();
  await window.openFile("src/prices.ts");
  await typed("nothing else", sleep(5_000));
  await chat.getByRole("textbox", { name: "Message" }).fill("Tell me everything.");
  await chat.getByRole("button", { name: "Send" }).click();
  await window.page.locator(".monaco-editor .view-lines").first().click();
  await typed(`${deltas.toLocaleString("en")} deltas`, chat.getByText("That was all.").waitFor());
  console.log(`typing, load ${load()}`);
  printTable(rows);
}

function load(): string {
  return shown(loadavg()[0] ?? 0);
}
