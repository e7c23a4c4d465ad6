/** The rig itself, with an extension of a few lines. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startVSCode, type VSCode } from "./vscode.ts";
import { type Manifest, packVsix } from "./vsix.ts";

const manifest: Manifest = {
  name: "rig",
  publisher: "toolwright",
  version: "0.0.1",
  engines: { vscode: "^1.100.0" },
  main: "./main.js",
  contributes: {
    commands: [{ command: "rig.count", title: "Count", category: "Rig" }],
    viewsContainers: { activitybar: [{ id: "rig", title: "Rig", icon: "$(beaker)" }] },
    views: { rig: [{ id: "rig.view", name: "Rig", type: "webview" }] },
  },
};

const main = `const vscode = require("vscode");
exports.activate = ({ subscriptions, workspaceState }) => {
  const count = () => workspaceState.get("count", 0);
  const views = [];
  const show = () => { for (const view of views) view.webview.html = "<h1>Counted to " + count() + "</h1>"; };
  subscriptions.push(
    vscode.commands.registerCommand("rig.count", async () => {
      await workspaceState.update("count", count() + 1);
      vscode.window.showInformationMessage("The count is " + count());
      show();
    }),
    vscode.window.registerWebviewViewProvider("rig.view", { resolveWebviewView: (view) => { views.push(view); show(); } }),
  );
};`;

let editor: VSCode;
beforeAll(async () => {
  editor = await startVSCode();
  await editor.install(await packVsix(editor.root, manifest, { "main.js": main }));
});
afterAll(() => editor.close());

test("a command of an installed extension shows a message, and its webview text that survives a reload", async () => {
  const window = await editor.open(await editor.newWorkspace({ "notes/today.md": "# Today\n" }));
  const heading = window.webview("toolwright.rig").locator("h1");

  await window.command("Rig: Count");
  await window.notification("The count is 1").waitFor();
  await window.command("View: Show Rig");
  await expect.poll(() => heading.innerText()).toBe("Counted to 1");

  await window.openFile("notes/today.md");
  await window.page.getByRole("tab", { name: "today.md" }).waitFor();
  await window.picture("rig");
  await window.reload();
  await expect.poll(() => heading.innerText()).toBe("Counted to 1");
  await window.page.getByRole("tab", { name: "today.md" }).waitFor();
});

test("a terminal runs commands, and its rows can be read", async () => {
  const window = await editor.open(await editor.newWorkspace());
  await window.command("Terminal: Create New Terminal");
  await window.terminal.getByText(/[#$]/u).first().waitFor();
  await window.page.keyboard.type("echo $((40 + 2))\n");
  await window.terminal.getByText("42", { exact: true }).waitFor();
});

test("a module of tests runs inside the extension host, and what failed is told", async () => {
  const workspace = await editor.newWorkspace({ "broken.ts": 'export const count: number = "one";\n' });
  const { passed, failed } = await editor.runInHost(join(import.meta.dirname, "hosted", "rig.ts"), workspace);
  expect(passed).toEqual([
    "the workspace is open, and the extension installed",
    "TypeScript's own extension finds the mistake",
  ]);
  expect(failed.map(({ title }) => title)).toEqual(["a mistake in a test is told"]);
  expect(failed[0]?.problem).toContain("1 !== 2");
});

test("a folder that nobody trusts is in restricted mode, and closing VS Code ends all its processes", async () => {
  const other = await startVSCode({ trust: "as users" });
  const window = await other.open(await other.newWorkspace());
  await window.page.getByText("Restricted Mode").first().waitFor();
  expect(other.processes().length).toBeGreaterThan(2);
  await other.close();
  await expect.poll(() => other.processes()).toEqual([]);
});
