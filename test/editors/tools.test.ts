/** The extension's powers over a real VS Code, and what VS Code's own parts do with the extension. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hermes } from "../../src/dialects/hermes.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../../src/testing/scripted-server.ts";
import { textOnly } from "../../src/testing/text-only.ts";
import { builtExtension } from "./built-extension.ts";
import { startVSCode, type VSCode } from "./vscode.ts";

let editor: VSCode;
let ollama: ServedModel;
const answers: ScriptedAnswer[] = [
  [{ call: "edit_file", with: { path: "total.ts", edits: [{ old: "return sum", new: 'return "sum"' }] } }],
  [{ call: "run_command", with: { command: "cat <<'END'\nfrom a heredoc\nEND\nexit 3" } }],
  [{ say: "Broken, as the editor says." }],
];
const model = scriptedModel((_, round) => answers[round - 1] ?? [{ say: "Nothing more." }]);
beforeAll(async () => {
  ollama = await serveModel(textOnly(model, { dialect: hermes }), { capabilities: ["completion"] });
  editor = await startVSCode({ env: { OLLAMA_HOST: ollama.url } });
  await editor.install(await builtExtension());
});
afterAll(async () => {
  await editor.close();
  await ollama.close();
});

const project = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, allowImportingTsExtensions: true, noEmit: true },
  }),
  "total.ts":
    "export function total(prices: number[]): number {\n  const sum = prices.reduce((all, price) => all + price, 0);\n  return sum;\n}\n",
  "use.ts": 'import { total } from "./total.ts";\nexport const three = total([1, 2]);\n',
  ".vscode/tasks.json": JSON.stringify({
    version: "2.0.0",
    tasks: [
      { label: "fails", type: "process", command: "sh", args: ["-c", "exit 3"] },
      { label: "works", type: "process", command: "true" },
    ],
  }),
};

test("VS Code's diagnostics, symbols, selection, tasks and diffs are powers of a session", async () => {
  const workspace = await editor.newWorkspace(project);
  const { passed, failed } = await editor.runInHost(
    join(import.meta.dirname, "hosted", "tools.ts"),
    workspace,
  );
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(5);
});

test("an edit's new problems are in its result, and what a command prints and how it ends is in a terminal", async () => {
  const window = await editor.open(await editor.newWorkspace(project));
  await window.command("Toolwright: Focus Chat");
  const chat = window.webview("toolwright.toolwright");
  await chat.getByLabel(/^Mode/u).first().selectOption("accept-edits");
  await chat.getByPlaceholder("Describe a task").fill("Break it.");
  await chat.getByRole("button", { name: "Send" }).click();
  await chat.getByText("Broken, as the editor says.").first().waitFor();
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain(
    "The editor shows 1 new problem since this change:",
  );
  await window.command("Toolwright: Show What It Runs in a Terminal");
  await window.terminal.getByText("from a heredoc").last().waitFor();
  await window.terminal.getByText("exit code 3").waitFor();
  await window.picture("command-in-terminal");
});
