/** The review in VS Code, from the installed extension: decisions in the editor, the way back, and questions while hidden. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelScript, scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { put } from "../support/command.ts";
import { builtExtension } from "./built-extension.ts";
import { startVSCode, type VSCode } from "./vscode.ts";
import type { EditorWindow } from "./window.ts";

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `const line${at} = ${at};`}\n`).join("");
const write = (path: string, content: string) => ({ call: "write_file", with: { path, content } });

const first = { 3: "const three = 3;", 30: "const thirty = 30;" };
/** By what was asked last, so that a second try of a test finds the same model. */
const script: ModelScript = ({ messages }) => {
  const [last, all] = [JSON.stringify(messages.at(-1)), JSON.stringify(messages)];
  if (last.includes("change two files"))
    return [write("src/a.ts", lines(first)), write("src/new.ts", "export const fresh = 1;\n")];
  if (last.includes("line fifteen"))
    return [write("src/a.ts", lines({ ...first, 15: "const fifteen = 15;" }))];
  if (last.includes("publish it")) return [{ call: "run_command", with: { command: "npm publish" } }];
  if (all.includes("publish it")) return [{ say: "Then not." }];
  return [{ say: all.includes("line fifteen") ? "Line fifteen, too." : "Two files are changed." }];
};

let model: ServedModel;
let editor: VSCode;
beforeAll(async () => {
  model = await serveModel(scriptedModel(script));
  editor = await startVSCode();
  const mine = { baseUrl: `${model.url}/v1`, key: "not-needed", models: ["model"] };
  const config = { model: "mine/model", mode: "accept-edits", providers: { mine } };
  await put(join(editor.root, "config/toolwright"), { "config.json": JSON.stringify(config) });
  await editor.install(await builtExtension());
});
afterAll(async () => {
  await editor.close();
  await model.close();
});

test("A39, A40: changes are kept, undone and gone back from in VS Code, and a question is told while the chat is hidden", async () => {
  const workspace = await editor.newWorkspace({ "src/a.ts": lines() });
  const window = await editor.open(workspace);
  const onDisk = (path: string): Promise<string> =>
    readFile(join(workspace, path), "utf8").catch(() => "(there is no such file)");
  const { page } = window;
  const chat = window.webview("toolwright.toolwright");
  const lens = (words: string) => page.locator(".codelens-decoration").filter({ hasText: words });
  const row = (words: string) => page.locator(".pane-body .monaco-list-row").filter({ hasText: words });
  const tabs = page.locator(".tab");
  const ask = async (words: string): Promise<void> => {
    await chat.locator("textarea").first().fill(words);
    await page.keyboard.press("Enter");
  };

  // What changed is listed, and nothing is opened unasked.
  await window.command("Toolwright: Focus Chat");
  await ask("change two files");
  await chat.getByText("Two files are changed.").first().waitFor();
  await page.getByText("2 files +3 −2").first().waitFor();
  expect(await tabs.count()).toBe(0);

  // A native diff of two virtual texts.
  await row("a.ts").click();
  await tabs.filter({ hasText: "src/a.ts (before Toolwright ↔ now)" }).waitFor();
  await page.locator(".editor.original .view-line").filter({ hasText: "line3" }).first().waitFor();
  await page.locator(".editor.modified .view-line").filter({ hasText: "three" }).first().waitFor();
  await window.picture("review-diff");

  // One hunk is undone in the editor, with lines that the person has written above it.
  await window.openFile("src/a.ts");
  await lens("request 1").first().waitFor();
  await expect.poll(() => lens("request 1").count()).toBe(2);
  await window.picture("review-hunks");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("let mine;\n");
  // VS Code saves after a while, and until it has asked for the lenses again a click on one does nothing.
  await expect.poll(() => onDisk("src/a.ts")).toMatch(/^let mine;/u);
  await lens("request 1").first().getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => onDisk("src/a.ts")).toBe(`let mine;\n${lines({ 30: first[30] })}`);
  await expect.poll(() => lens("request 1").count()).toBe(1);

  // Another one is kept; the file waits no more.
  await lens("request 1").first().getByRole("button", { name: "Keep" }).click();
  await page.getByText("1 file +1 −0").first().waitFor();
  await expect.poll(() => lens("request 1").count()).toBe(0);

  // Next goes on into the other file.
  await window.command("Toolwright: Next Change");
  await tabs.filter({ hasText: "new.ts" }).waitFor();
  await page.locator(".statusbar-item").filter({ hasText: "Change 1 of 1" }).waitFor();

  // Back to before the second request.
  await window.command("Toolwright: Focus Chat");
  await ask("line fifteen");
  await chat.getByText("Line fifteen, too.").first().waitFor();
  await page.locator(".pane-header").filter({ hasText: "Requests" }).click();
  await row("line fifteen").hover();
  await row("line fifteen").locator(".action-label[aria-label^='Go Back']").click();
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("Go back to before request 2?").waitFor();
  await window.picture("review-back");
  await dialog.getByRole("button", { name: "Go Back" }).click();
  await expect.poll(() => onDisk("src/a.ts")).toBe(`let mine;\n${lines({ 30: first[30] })}`);
  expect(await onDisk("src/new.ts")).toBe("export const fresh = 1;\n");

  await askWhileHidden(window, ask);
});

/** Nothing is told while a person sees the question, and the focus stays where it is. */
async function askWhileHidden(window: EditorWindow, ask: (words: string) => Promise<void>): Promise<void> {
  const { page } = window;
  const chat = window.webview("toolwright.toolwright");
  const told = window.notification("Run this command? npm publish");
  await window.command("Toolwright: Focus Chat");
  await ask("publish it");
  await chat.getByText("Run this command?").first().waitFor();
  expect(await told.count()).toBe(0);
  await window.command("View: Show Explorer");
  await told.waitFor();
  await window.picture("question-while-hidden");
  expect(await page.locator(":focus").evaluate((it) => it.closest(".notifications-toasts") !== null)).toBe(
    false,
  );
  await told.getByRole("button", { name: "Deny…" }).click();
  const reason = page.locator(".quick-input-widget:visible input[type=text]").first();
  await reason.fill("not today");
  await reason.press("Enter");
  await window.command("Toolwright: Focus Chat");
  await chat.getByText("Then not.").first().waitFor();
}
