/** VS Code as a client of a model that can only write text, through the installed extension. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hermes } from "../../src/dialects/hermes.ts";
import { testServer, testToken } from "../../src/lm-server/testing/server.ts";
import { type ModelScript, scriptedModel } from "../../src/providers/scripted-model.ts";
import { taughtModel } from "../../src/providers/taught-model.ts";
import { serveModel } from "../../src/testing/scripted-server.ts";
import { textOnly } from "../../src/testing/text-only.ts";
import { builtExtension } from "./built-extension.ts";
import { startVSCode } from "./vscode.ts";
import type { EditorWindow } from "./window.ts";

/** A VS Code with the extension, whose only model refuses tools and writes its calls as text. */
async function editorWith(script: ModelScript) {
  const inner = scriptedModel(script);
  const ollama = await serveModel(textOnly(inner, { dialect: hermes }), { capabilities: ["completion"] });
  const editor = await startVSCode({ env: { OLLAMA_HOST: ollama.url } });
  onTestFinished(async () => {
    await editor.close();
    await ollama.close();
  });
  await editor.install(await builtExtension());
  return editor;
}

test("another extension asks the model, which calls its tool and reads the result", async () => {
  const editor = await editorWith([
    [{ call: "list", with: { folder: "src" } }],
    [{ say: "There is total.ts." }],
  ]);
  const workspace = await editor.newWorkspace({ "src/total.ts": "export const total = 3;\n" });
  const module = join(import.meta.dirname, "hosted", "language-model.ts");
  const { passed, failed } = await editor.runInHost(module, workspace);
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(2);
});

/** It writes its call as text, once; afterwards it says that it is done. */
const editing =
  (file: () => string): ModelScript =>
  ({ messages }) =>
    JSON.stringify(messages).includes("tool_response")
      ? [{ say: "There are pears now." }]
      : [
          {
            call: "replace_string_in_file",
            with: { filePath: file(), oldString: "apples", newString: "pears" },
          },
        ];

/** In VS Code's own chat, in its agent mode. */
async function askAgent(window: EditorWindow): Promise<void> {
  await openAgent(window);
  await window.page.keyboard.type("Change apples to pears in fruit.txt.");
  await window.page.keyboard.press("Enter");
  await window.page.getByText("There are pears now.").first().waitFor();
}

/** From then on its models are listed. */
async function beginCore(window: EditorWindow): Promise<void> {
  await window.command("Toolwright: Focus Chat");
  await window.webview("toolwright.toolwright").getByText("What do you want to do?").waitFor();
}

async function openAgent(window: EditorWindow): Promise<void> {
  const { page } = window;
  // VS Code asks for models when this list is first opened.
  await window.command("Chat: Manage Language Models");
  await page.getByText("scripted/model").first().waitFor();
  await page.keyboard.press("Escape");
  await window.command("Chat: Open Chat (Agent)");
  // Before this is shown, its chat extension is not there yet, and a sign-in is asked for.
  await page.getByText("Set BYOK utility models", { exact: true }).waitFor();
}

test("VS Code's own agent edits a file with the model", async () => {
  let file = "";
  const editor = await editorWith(editing(() => file));
  const workspace = await editor.newWorkspace({ "fruit.txt": "apples\n" });
  file = join(workspace, "fruit.txt");
  const window = await editor.open(workspace);
  await beginCore(window);
  await askAgent(window);
  await expect.poll(() => readFile(file, "utf8")).toBe("pears\n");
  await window.picture("agent-of-vscode");
});

test("VS Code's own agent edits a file through a language-model server that a command has put into its settings", async () => {
  let file = "";
  const inner = scriptedModel(editing(() => file));
  const server = await testServer(taughtModel(textOnly(inner, { dialect: hermes }), hermes));
  const editor = await startVSCode({ env: { TOOLWRIGHT_LM_TOKEN: testToken } });
  onTestFinished(async () => {
    await editor.close();
    await server.close();
  });
  await editor.install(await builtExtension());
  const workspace = await editor.newWorkspace({ "fruit.txt": "apples\n" });
  file = join(workspace, "fruit.txt");
  const window = await editor.open(workspace);
  await window.command("Toolwright: Use Models of a Language-Model Server in Chat");
  await window.page.locator(".quick-input-widget:visible input").first().fill(server.url);
  await window.page.keyboard.press("Enter");
  await window.notification("once the window is reloaded: scripted/model").first().waitFor();
  await window.reload();
  await askAgent(window);
  await expect.poll(() => readFile(file, "utf8")).toBe("pears\n");
  expect(server.lines.some(({ path }) => path === "/v1/chat/completions")).toBe(true);
});

test("@toolwright in VS Code's chat is a session, which a second message continues", async () => {
  const editor = await editorWith(({ messages }) => [
    { say: `Heard ${messages.filter(({ role }) => role === "user").length} of yours.` },
  ]);
  const window = await editor.open(await editor.newWorkspace());
  await beginCore(window);
  await openAgent(window);
  for (const [words, answer] of [
    ["@toolwright Hello", "Heard 1 of yours."],
    ["@toolwright And again", "Heard 2 of yours."],
  ] as const) {
    await window.page.keyboard.type(words);
    await window.page.keyboard.press("Enter");
    await window.page.getByText(answer).first().waitFor();
  }
});
