import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { runCommand } from "../run-command.ts";
import { terminal } from "../terminal.ts";
import { runTool, testContext, wordsOf } from "../testing/context.ts";
import { Terminals } from "./terminals.ts";

test("A31: where no terminal is available, start fails immediately and commands run in a process of their own", async () => {
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const none = new Terminals(() => Promise.resolve({ ok: false, problem: "There are no terminals here." }));
  const context = { ...testContext(workspace.root), terminals: none };
  expect(wordsOf(await runTool(terminal, { action: "start" }, context))).toEqual({
    outcome: "failed",
    words: "There are no terminals here.",
  });
  expect(wordsOf(await runTool(runCommand, { command: "echo here" }, context))).toEqual({
    outcome: "ok",
    words: "Command: echo here\nhere\nExit code: 0",
  });
});
