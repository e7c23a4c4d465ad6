/** The pictures of the documents, from one small story: `npm run screenshots:vscode` makes them again. */

import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { type ModelScript, scriptedModel } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { put } from "../support/command.ts";
import { builtExtension } from "./built-extension.ts";
import { startVSCode, type VSCode } from "./vscode.ts";
import type { EditorWindow } from "./window.ts";

const shop = {
  "package.json": `${JSON.stringify({ name: "shop", type: "module", scripts: { test: "node --test" } }, undefined, 2)}\n`,
  "src/total.js": `/** In cents, with a tenth off from 100.00 on. */
export function total(lines) {
  const sum = lines.reduce((soFar, line) => soFar + line.price, 0);
  return sum > 10000 ? Math.round(sum * 0.9) : sum;
}

export function receipt(lines) {
  const rows = lines.map((line) => \`\${line.count} of \${line.name}\`);
  return [...rows, \`Total: \${(total(lines) / 100).toFixed(2)}\`].join("\\n");
}
`,
  "test/order.test.js": `import { equal } from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("an order of exactly 100.00 has a tenth off", () => {
  equal(total([{ name: "lamp", price: 5000, count: 2 }]), 9000);
});
`,
};
const run = { call: "run_command", with: { command: "node --test" } };
const mend = {
  path: "src/total.js",
  edits: [
    { old: "soFar + line.price, 0", new: "soFar + line.price * line.count, 0" },
    { old: "sum > 10000 ?", new: "sum >= 10000 ?" },
  ],
};

/** By what was said last, so that a second try finds the same model. */
const script: ModelScript = ({ messages }) => {
  const last = JSON.stringify(messages.at(-1));
  if (last.includes("A test fails")) return [{ say: "I run the tests first, to see what fails." }, run];
  if (last.includes("fail 1"))
    return [
      {
        say: "The total leaves out how many of each there are, and an order of exactly 100.00 gets nothing off.",
      },
      { call: "edit_file", with: mend },
    ];
  if (last.includes("pass 1")) return [{ say: "Both are mended, and the tests pass." }];
  return messages.length > 12 ? [{ say: "Enough." }] : [{ say: "Now the tests once more." }, run];
};

const models = ["qwen3-coder:30b", "gpt-oss:20b", "devstral:24b"];
let served: ServedModel;
let editor: VSCode;
beforeAll(async () => {
  served = await serveModel(scriptedModel(script));
  const settings = { "editor.minimap.enabled": false, "workbench.colorTheme": "Default Light Modern" };
  editor = await startVSCode({ settings });
  const local = { baseUrl: `${served.url}/v1`, key: "not-needed", models };
  const config = { model: `local/${models[0]}`, providers: { local } };
  await put(join(editor.root, "config/toolwright"), { "config.json": JSON.stringify(config) });
  await editor.install(await builtExtension());
});
afterAll(async () => {
  await editor.close();
  await served.close();
});

test("an approval, the review, the terminal and the models of VS Code's own chat", async () => {
  const window = await editor.open(await editor.newWorkspace(shop));
  const { page } = window;
  const chat = window.webview("toolwright.toolwright");
  const composer = chat.getByRole("textbox", { name: "Message" });
  await window.openFile("src/total.js");
  await window.command("Toolwright: Focus Chat");
  await widenSideBar(window);
  await composer.fill("A test fails. Find out why, and mend it.");
  await composer.press("Enter");
  const [once, changes] = [
    chat.getByRole("button", { name: "Apply once" }),
    page.locator(".pane-header").filter({ hasText: "Changes" }),
  ];
  // Its buttons are not pressable for a moment, so that nobody presses what has just appeared.
  await changes.click();
  await once.click({ trial: true });
  await window.picture("approval");
  await once.click();
  await chat.getByText("Both are mended").first().waitFor();
  await changes.click();

  await page.locator(".pane-body .monaco-list-row").filter({ hasText: "total.js" }).click();
  await page.locator(".editor.modified .view-line").filter({ hasText: "line.count" }).first().waitFor();
  await window.command("View: Split Editor Down");
  await window.openFile("src/total.js");
  await page.locator(".codelens-decoration").filter({ hasText: "request 1" }).first().waitFor();
  await page.mouse.move(1000, 3); // no hint is shown there
  await page.locator(".workbench-hover-container").waitFor({ state: "hidden" });
  await window.picture("review");

  await window.command("Toolwright: Show What It Runs in a Terminal");
  await window.terminal.getByText("pass 1").first().waitFor();
  await window.picture("terminal");

  await window.command("View: Close All Editor Groups");
  await window.command("View: Toggle Panel Visibility");
  await window.command("Chat: Manage Language Models");
  await page.getByText("devstral:24b").first().waitFor();
  await window.picture("models");
});

/** By its edge, as a person does. */
async function widenSideBar({ page }: EditorWindow): Promise<void> {
  const edge = await page.locator(".part.sidebar").boundingBox();
  if (!edge) throw new Error("There is no side bar.");
  const x = edge.x + edge.width;
  await page.mouse.move(x, 400);
  await page.mouse.down();
  await page.mouse.move(x + 130, 400, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(x, 0);
}
