/** What runs in terminals of a real VS Code: commands that are mirrored there, and those that a person lets run in their shell. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startVSCode, type VSCode } from "./vscode.ts";

let editor: VSCode;
beforeAll(async () => {
  editor = await startVSCode({
    settings: { "toolwright.mode": "trusted", "toolwright.terminal.runInMine": true },
  });
});
afterAll(async () => {
  await editor.close();
});

test("A34: whatever a shell fails to tell of a command in its terminal, there is an answer", async () => {
  const module = join(import.meta.dirname, "hosted", "terminal.ts");
  const { passed, failed } = await editor.runInHost(module, await editor.newWorkspace());
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(9);
});
