/** When an answer without calls ends the turn, and what to tell a model that stopped too early (A11–A13). */

import { textOf } from "../../protocol/messages.ts";
import {
  type CallState,
  type SessionState,
  titleOfCall,
  type TurnState,
} from "../../protocol/session-state.ts";
import { isAtLimit } from "../limits.ts";
import type { Move } from "../move.ts";
import type { TurnContext } from "../turn-context.ts";
import { asksForChanges } from "./asks-for-changes.ts";

/** The move after an answer without calls that ended normally. */
export function doneMove(turn: TurnState, context: TurnContext): Move {
  const { completion, log } = context;
  const done: Move = { type: "finish", stopped: "done" };
  if (completion === "calls") return done;
  const isUnwritten = wantsChanges(turn, context);
  if (isAtLimit(turn, context)) return isUnwritten ? { ...done, because: nothingWritten } : done;
  if (isUnwritten) {
    const isTold = (turn.nudges.get(unwritten) ?? 0) >= mostRefusals;
    return isTold ? { ...done, because: nothingWritten } : nudge(unwritten, writeNow);
  }
  if (completion === "writes") return done;
  return (goesOn(turn, log.state) ? nudge("continue", goOn) : lastWords(turn, log.state)) ?? done;
}

const nudge = (code: string, text: string): Move => ({
  type: "tell",
  facts: [{ type: "nudge", code, text }],
});

/** The code of the nudge after an answer that only talked, where changes were asked for. */
export const unwritten = "nothing-written";

/** A12: how often ending without changes is refused. */
const mostRefusals = 2;
const nothingWritten = "nothing was written, although the request asks for changes";
const writeNow =
  "The request asks for changes, and nothing has been written yet. Make the changes with the tools now. If nothing has to be changed, say why.";

/** A11, verbatim. */
const goOn = "Continue with the task. Use tools or respond with [TASK_COMPLETE] if finished.";
/** Per turn, regardless of calls in between. */
const mostContinued = 5;

/** Not if the model said it is done, or had nothing to say to this nudge twice in a row. */
function goesOn({ nudges }: TurnState, state: SessionState): boolean {
  if (state.lastAnswer?.complete === true || (nudges.get("continue") ?? 0) >= mostContinued) return false;
  const before = state.messages.at(-1)?.role === "assistant" ? state.messages.at(-2) : state.messages.at(-1);
  const isOwn =
    before?.role === "user" &&
    !state.said.includes(before.content) &&
    [goOn, writeNow].includes(textOf(before.content));
  return !isOwn && !nudges.has(summary);
}

/** The code of the nudge that asks for closing words; the model answers it without tools. */
export const summary = "summary";
const shownResults = 6;
const shownCharacters = 2_000;

/** A13: a model that acted but said nothing is asked for a summary, once. */
function lastWords(turn: TurnState, { calls }: SessionState): Move | undefined {
  if (turn.lastText !== "" || turn.callIds.length === 0 || turn.nudges.has(summary)) return undefined;
  const known = turn.callIds.slice(-shownResults).flatMap((id) => calls.get(id) ?? []);
  const text = `Say in a few sentences, without using tools, what was done and what came of it. Do not claim what the results do not show. The last results:\n\n${known.map(resultLines).join("\n\n")}`;
  return nudge(summary, text);
}

function resultLines(known: CallState): string {
  const { result } = known;
  const said = textOf(result?.content ?? []);
  const shown = said.length > shownCharacters ? `${said.slice(0, shownCharacters)} …` : said;
  return `${titleOfCall(known)}: ${result?.outcome ?? "open"}\n${shown}`.trimEnd();
}

/** A12: the request asks for changes, none were made, and neither a person nor the mode prevented them. */
function wantsChanges(turn: TurnState, { log: { state } }: TurnContext): boolean {
  if (state.mode === "plan" || state.mode === "deny" || turn.changes.length > 0) return false;
  if (turn.lastText.trimEnd().endsWith("?")) return false; // the model asks back
  const calls = turn.callIds.flatMap((id) => state.calls.get(id) ?? []);
  if (calls.some(mayHaveWritten)) return false;
  return [turn.request, ...turn.steers].some((said) => asksForChanges(textOf(said)));
}

/** Also true of staged changes, refused calls, and commands whose writes are unknown. */
function mayHaveWritten({ start, decision, result, reply }: CallState): boolean {
  if (result?.outcome === "denied" || reply?.answer === "declined") return true;
  if (result?.metadata?.["token"] !== undefined) return true;
  const isKnown = decision?.sandbox?.undo === "workspace" || decision?.risk === "none";
  return result?.outcome === "ok" && (start?.does === "change" || (start?.does === "execute" && !isKnown));
}
