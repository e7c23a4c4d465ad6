/** Commands that a person lets run in a terminal of their own shell, in a real VS Code. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startVSCode, type VSCode } from "./vscode.ts";

let editor: VSCode;
beforeAll(async () => {
  editor = await startVSCode();
});
afterAll(() => editor.close());

test("A34: whatever a shell fails to tell of a command in its terminal, there is an answer", async () => {
  const module = join(import.meta.dirname, "hosted", "terminal.ts");
  const { passed, failed } = await editor.runInHost(module, await editor.newWorkspace());
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(9);
});
