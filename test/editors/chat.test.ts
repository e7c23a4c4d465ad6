/** The chat of the packaged extension in a real VS Code: what it takes from the editor, and when a core runs. */

import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ownPorts } from "../../editors/vscode/src/node/tools/own-ports.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { builtExtension } from "./built-extension.ts";
import { coresOf, wordsOf } from "./cores.ts";
import { patience } from "./page.ts";
import { startVSCode, type VSCode } from "./vscode.ts";

let model: ServedModel;
let editor: VSCode;
let vsix: string;

beforeAll(async () => {
  model = await serveModel(scriptedModel(() => [{ say: "That is all." }]));
  vsix = await builtExtension();
  editor = await startVSCode({ env: { OLLAMA_HOST: model.url } });
  await editor.install(vsix);
});
afterAll(async () => {
  await editor.close();
  await model.close();
});

test("no core runs until one is asked for, a selection and a draft are kept over a reload, and the core ends with the window", async () => {
  const workspace = await editor.newWorkspace({ "total.ts": "export const total = 1;\n" });
  const window = await editor.open(workspace);
  const chat = window.webview("toolwright.toolwright");
  const field = chat.getByRole("textbox", { name: "Message" });
  await window.openFile("total.ts");
  await window.page.locator(".view-line").first().click();
  expect(coresOf(editor.processes())).toEqual([]);

  await window.command("Toolwright: Add Selection to Chat");
  await chat.getByText("total.ts:1", { exact: true }).waitFor();
  await field.fill("What is this?");
  await expect.poll(() => coresOf(editor.processes()).length).toBe(1);
  await window.command("View: Show Explorer"); // what is typed is kept a moment later
  await window.reload();
  await window.command("Toolwright: Focus Chat");
  await chat.getByText("total.ts:1", { exact: true }).waitFor();
  expect(await field.inputValue()).toBe("What is this?");

  await field.press("Enter");
  await chat.locator(".conversation p", { hasText: "That is all." }).waitFor();
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("export const total = 1;");
  await window.page.close();
  await expect.poll(() => coresOf(editor.processes())).toEqual([]);
});

test("of all ports that are opened beside the window, VS Code forwards none of the extension's own", async () => {
  const window = await editor.open(await editor.newWorkspace());
  const forwarded = window.page.locator('[id="status.forwardedPorts"]');
  const forwardedPorts = async (): Promise<string> => (await forwarded.getAttribute("aria-label")) ?? "";
  // Whatever is open when VS Code looks for the first time it never forwards; so the extension's come after that. Of more
  // than twenty it forwards none.
  await expect
    .poll(
      async () => {
        await newPort();
        return forwardedPorts();
      },
      { timeout: looks, interval: looks / 16 },
    )
    .toMatch(/\d/u);

  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  await chat.getByPlaceholder("Describe a task").fill("Hello.");
  await chat.getByRole("button", { name: "Send" }).click();
  await chat.getByText("That is all.").first().waitFor();
  await once(connect(ownPorts.first, "127.0.0.1").unref(), "connect");
  const later = await newPort(); // seen with them, or after them
  await expect.poll(forwardedPorts, { timeout: looks }).toContain(later);
  const ports = (await forwardedPorts()).match(/\d+/gu) ?? [];
  const own = ports.filter((port) => Number(port) >= ownPorts.first && Number(port) <= ownPorts.last);
  expect(own).toEqual([]);
});

/** Milliseconds until VS Code has looked at all ports again, for which it waits twenty times as long as that takes. */
const looks = 3 * patience;

/** Open until the test ends. */
async function newPort(): Promise<string> {
  const server = await serveModel(scriptedModel([]));
  onTestFinished(() => server.close());
  return new URL(server.url).port;
}

test("a changed setting is taken up by a restart that is offered", async () => {
  const window = await editor.open(await editor.newWorkspace());
  await window.command("Toolwright: Focus Chat");
  await expect.poll(() => coresOf(editor.processes()).length).toBe(1);
  const [before = 0] = coresOf(editor.processes());
  await window.command("Preferences: Open User Settings (JSON)");
  await window.page.locator(".editor-instance .view-line").first().click();
  await window.page.keyboard.press("Control+A");
  await window.page.keyboard.insertText(JSON.stringify({ "toolwright.maxRounds": 7 }));
  await window.page.keyboard.press("Control+S");
  const offered = window.notification("takes up its changed settings").first();
  await offered.getByRole("button", { name: "Restart" }).click();
  await offered.waitFor({ state: "detached" });
  await window.webview("toolwright.toolwright").getByPlaceholder("Describe a task").waitFor();
  await expect
    .poll(() => coresOf(editor.processes()).map(wordsOf))
    .toEqual([expect.arrayContaining(["--max-rounds", "7"])]);
  expect(coresOf(editor.processes())).not.toEqual([before]);
});

test("an untrusted folder starts no process, and has no chat", async () => {
  const careful = await startVSCode({
    trust: "as users",
    settings: { "security.workspace.trust.startupPrompt": "never" },
  });
  try {
    await careful.install(vsix);
    const window = await careful.open(await careful.newWorkspace({ "total.ts": "" }));
    await window.openFile("total.ts");
    await window.page.getByText("Restricted Mode").first().waitFor();
    expect(await window.page.getByRole("tab", { name: "Toolwright" }).count()).toBe(0);
    expect(coresOf(careful.processes())).toEqual([]);
  } finally {
    await careful.close();
  }
});
