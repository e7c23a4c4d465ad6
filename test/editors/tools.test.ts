/** The extension's powers over a real VS Code, and what VS Code's own parts do with the extension. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startVSCode, type VSCode } from "./vscode.ts";

let editor: VSCode;
beforeAll(async () => {
  editor = await startVSCode();
});
afterAll(() => editor.close());

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
