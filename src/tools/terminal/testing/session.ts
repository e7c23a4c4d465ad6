/** Test helper: terminals in a temporary workspace, and calls of the terminal tool. */

import { onTestFinished } from "vitest";
import type { JsonObject } from "../../../base/json.ts";
import type { OpenPty } from "../../../base/terminal/pty.ts";
import { terminal } from "../../terminal.ts";
import { runTool, testContext, wordsOf } from "../../testing/context.ts";
import { Terminals } from "../terminals.ts";

export type TerminalTestOptions = { open?: OpenPty; signal?: AbortSignal };
type Workspace = { root: string; remove: () => Promise<void> };

/** A session's terminals, and calls of the tool in it; paths of the workspace are written as "/w". */
export function sessionIn(workspace: Workspace, { open, signal }: TerminalTestOptions = {}) {
  const context = testContext(workspace.root, signal);
  context.terminals = new Terminals(open);
  onTestFinished(async () => {
    await context.terminals.close();
    await workspace.remove();
  });
  const call = async (input: JsonObject) => {
    const produced = await runTool(terminal, input, context);
    const { outcome, words } = wordsOf(produced);
    return { outcome, lines: words.replaceAll(workspace.root, "/w").split("\n"), produced };
  };
  return { call, context };
}

/** The outcome, the state and the output. */
export const outcomeLines = ({ outcome, lines }: { outcome: string; lines: string[] }): string[] => [
  outcome,
  /^\[Terminal \S+ (.*?)\.(?: |$)/.exec(lines.at(-1) ?? "")?.[1] ?? "",
  ...lines.slice(0, -1),
];

/** What the shell's prompt ends in. */
export const prompt = process.getuid?.() === 0 ? "#" : "$";
