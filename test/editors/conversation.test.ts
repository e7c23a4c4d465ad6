/** A conversation in a real VS Code, from the installed extension: asked, allowed, changed, reloaded, gone on with. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { builtExtension } from "./built-extension.ts";
import { coresOf } from "./cores.ts";
import { startVSCode, type VSCode } from "./vscode.ts";

const edit = { path: "total.ts", edits: [{ old: "price * 2", new: "price" }] };

let ollama: ServedModel;
let editor: VSCode;
beforeAll(async () => {
  const model = scriptedModel(({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    if (last.includes("Mend it."))
      return [{ say: "The price is doubled. I mend it." }, { call: "edit_file", with: edit }];
    return [{ say: last.includes("still there") ? "Still here." : "Mended." }];
  });
  ollama = await serveModel(model);
  editor = await startVSCode({ env: { OLLAMA_HOST: ollama.url } });
  await editor.install(await builtExtension());
});
afterAll(async () => {
  await editor.close();
  await ollama.close();
});

const text =
  "export const total = (prices: number[]) => prices.reduce((sum, price) => sum + price * 2, 0);\n";

test("a change is asked for, allowed and made; the conversation survives a reload of the window and a killed core", async () => {
  const workspace = await editor.newWorkspace({ "total.ts": text });
  const window = await editor.open(workspace);
  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  const composer = chat.getByRole("textbox").first();
  await composer.fill("The total is wrong. Mend it.");
  await composer.press("Enter");
  await chat.getByText("The price is doubled.").waitFor();
  await chat.getByRole("button", { name: "Apply once" }).waitFor();
  await window.picture("approval");
  await chat.getByRole("button", { name: "Apply once" }).first().click();
  await chat.getByText("Mended.", { exact: true }).waitFor();
  expect(await readFile(join(workspace, "total.ts"), "utf8")).toContain("sum + price,");
  await window.picture("conversation");
  await window.reload();
  await window.command("Toolwright: Focus Chat");
  await chat.getByText("Mended.", { exact: true }).waitFor();
  for (const pid of coresOf(editor.processes())) process.kill(pid, "SIGKILL");
  await composer.fill("Are you still there?");
  await composer.press("Enter");
  await chat.getByText("Still here.", { exact: true }).waitFor();
  await chat.getByText("Mended.", { exact: true }).waitFor();
});

test("a click in the list opens a session, or the form for a new one", async () => {
  const window = await editor.open(await editor.newWorkspace());
  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  const start = chat.getByRole("heading", { name: "What do you want to do?" });
  const list = chat.getByRole("button", { name: "Sessions", exact: true });
  await chat.getByRole("textbox", { name: "Message" }).fill("Are you still there?");
  await chat.getByRole("textbox", { name: "Message" }).press("Enter");
  await chat.getByText("Still here.", { exact: true }).waitFor();
  await list.click();
  await chat.getByRole("link", { name: "New session" }).click();
  await start.waitFor();
  await list.click();
  await chat.getByRole("link", { name: "Are you still there?" }).click();
  await chat.getByText("Still here.", { exact: true }).waitFor();
});
