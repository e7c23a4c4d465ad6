/** The chat of the packaged extension in a real VS Code: streamed, asked, killed, reloaded, and silent where nobody trusts. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { builtExtension } from "./built-extension.ts";
import { coresOf } from "./cores.ts";
import { startVSCode, type VSCode } from "./vscode.ts";
import type { EditorWindow } from "./window.ts";

const extension = "toolwright.toolwright";
let model: ServedModel;
let editor: VSCode;
let vsix: string;

beforeAll(async () => {
  model = await serveModel(
    scriptedModel(
      ({ messages }) => {
        const last = messages.at(-1);
        return last?.role === "user" && JSON.stringify(last).includes("Write a file")
          ? [{ say: "I will." }, { call: "write_file", with: { path: "hello.txt", content: "hello\n" } }]
          : [{ say: "That is all." }];
      },
      { pieces: 4 },
    ),
  );
  vsix = await builtExtension();
  editor = await startVSCode({ env: { OLLAMA_HOST: model.url } });
  await editor.install(vsix);
});
afterAll(async () => {
  await editor.close();
  await model.close();
});

const chatIn = (window: EditorWindow) => window.webview(extension);

test("a selection is added, a change is asked about and made, and the conversation outlives its process and the window", async () => {
  const workspace = await editor.newWorkspace({ "total.ts": "export const total = 1;\n" });
  const window = await editor.open(workspace);
  const chat = chatIn(window);
  const field = chat.getByRole("textbox", { name: "Message" });
  expect(coresOf(editor.processes())).toEqual([]);

  await window.openFile("total.ts");
  await window.page.locator(".view-line").first().click();
  await window.command("Toolwright: Add Selection to Chat");
  await chat.getByText("total.ts:1", { exact: true }).waitFor();
  await field.fill("Write a file");
  await field.press("Enter");
  await chat.getByRole("button", { name: "Apply once" }).waitFor();
  await window.picture("chat-approval");
  await chat.getByRole("button", { name: "Apply once" }).click();
  await chat.locator(".conversation p", { hasText: "That is all." }).waitFor();
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("export const total = 1;");

  const [core] = coresOf(editor.processes());
  if (core === undefined) throw new Error("No core runs.");
  process.kill(core, "SIGKILL");
  await field.fill("And now?");
  await field.press("Enter");
  await expect.poll(() => chat.locator(".conversation p", { hasText: "That is all." }).count()).toBe(2);
  expect(coresOf(editor.processes())).not.toEqual([core]);

  await field.fill("not sent yet");
  await window.reload();
  await expect.poll(() => chat.locator(".conversation p", { hasText: "That is all." }).count()).toBe(2);
  await expect.poll(() => field.inputValue()).toBe("not sent yet");
  await window.picture("chat");
  await window.page.close();
  await expect.poll(() => coresOf(editor.processes())).toEqual([]);
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
