/** The action that types into a terminal and reports the outcome. */

import { type Expected, refuse } from "../../base/expected.ts";
import { failedResult, type ToolResult, type ToolContext } from "../tool.ts";
import { deliver } from "./deliver.ts";
import { findTerminal, type TerminalInput, untilFor, waitAndAnswer } from "./input.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { refusalFor } from "./refusal.ts";
import { stateOf, type TerminalState } from "./state.ts";
import { type Keystrokes, typingOf } from "./typing.ts";
import type { Until } from "./waiting.ts";

const quietSeconds = 3;

export async function typeInTerminal(given: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const ready = await readyFor(given, context);
  if (!ready.ok) return failedResult(ready.problem);
  const { typing, until, state, terminal } = ready.value;
  const { isTyped, problem } = await deliver(typing, { state, terminal, signal: context.signal });
  if (!isTyped) return failedResult(problem ?? "");
  const after = problem === undefined ? [] : [problem];
  return waitAndAnswer(terminal, { until: { ...until, wasTyped: true }, after }, context);
}

/** Why typing would be refused in the present state. */
export async function whyNotTyped(
  given: TerminalInput,
  context: Pick<ToolContext, "terminals">,
): Promise<string | undefined> {
  const ready = await readyFor(given, context);
  return ready.ok ? undefined : ready.problem;
}

type TypingAction = { typing: Keystrokes; until: Until; state: TerminalState; terminal: LiveTerminal };

async function readyFor(
  given: TerminalInput,
  context: Pick<ToolContext, "terminals">,
): Promise<Expected<TypingAction>> {
  const found = findTerminal(given, context);
  if (!found.ok) return found;
  const terminal = found.value;
  const until = untilFor(given, { settles: true, quietSeconds });
  if (!until.ok) return until;
  const typing = typingOf(given, terminal.screen.cursorKeysApplication);
  if (!typing.ok) return typing;
  const state = await readyState(terminal);
  const problem = refusalFor(typing.value, state, terminal);
  if (problem !== undefined) return refuse(problem);
  return { ok: true, value: { typing: typing.value, until: until.value, state, terminal } };
}

const mostLooks = 5;

/** A program that redraws constantly sometimes looks busy although it is reading input. */
async function readyState(terminal: LiveTerminal): Promise<TerminalState> {
  let state = await stateOf(terminal);
  for (let looks = 1; looks < mostLooks && state.is === "busy" && terminal.screen.isFullScreen; looks++)
    state = await stateOf(terminal);
  return state;
}
