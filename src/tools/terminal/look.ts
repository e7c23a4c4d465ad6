/** The actions that read, wait for, end and list terminals. */

import { durationInWords } from "../../base/amounts.ts";
import { cutLine } from "../../base/cut-text.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../tool.ts";
import { answerFor } from "./answer.ts";
import { findTerminal, type TerminalInput, untilFor, waitAndAnswer } from "./input.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stateInWords, stateOf } from "./state.ts";

export async function readTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  return answerFor(found.value, { outcome: "ok", since: input.since }, context);
}

/** Waits for the pattern, or else for a state that expects input; ends at the terminal's end or the timeout. */
export async function waitForTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  const until = untilFor(input, { settles: true });
  if (!until.ok) return failedResult(until.problem);
  return waitAndAnswer(found.value, { until: until.value, since: input.since }, context);
}

export async function killTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  const terminal = found.value;
  await terminal.kill();
  const outcome = terminal.end?.isTold === false ? "timeout" : "ok";
  return answerFor(terminal, { outcome }, context);
}

export async function listTerminals({ terminals }: ToolContext): Promise<ToolResult> {
  const lines = await Promise.all(terminals.all().map(lineFor));
  return ok(lines.length === 0 ? "There are no terminals." : lines.join("\n"));
}

async function lineFor(terminal: LiveTerminal): Promise<string> {
  const { name, line = "a shell", startedAt, screen } = terminal;
  const state = stateInWords(await stateOf(terminal));
  const last = screen.present().findLast((row) => row.trim() !== "") ?? "";
  const said = last === "" ? "" : `; last line: ${cutLine(last, 200)}`;
  return `${name}: ${cutLine(line, 200)}; ${state}; started ${ageInWords(Date.now() - startedAt)} ago${said}`;
}

/** In whole seconds, at least one. */
const ageInWords = (milliseconds: number): string =>
  durationInWords(1000 * Math.max(1, Math.round(milliseconds / 1000)));
