/** Ends a running turn, which nothing else does: never silent (E5), never claiming success over failures (A13). */

import { withoutUndefined } from "../base/without-undefined.ts";
import { withAdvice } from "../protocol/advice.ts";
import { byPerson } from "../protocol/fact-words.ts";
import type { Fact, FactOf, TurnStopReason } from "../protocol/facts.ts";
import { currentTurn, type CallState, titleOfCall } from "../protocol/session-state.ts";
import { findTool } from "../tools/index.ts";
import { text } from "../tools/tool.ts";
import { applyCommand } from "./call/change.ts";
import { titleIn } from "./call/understand.ts";
import { type Stopper, stopperOf, wordsWhileItRan } from "./interruption.ts";
import type { TurnContext } from "./turn-context.ts";
import { callsOf, verificationOf } from "./verification.ts";

type Ending = Partial<Stopper> & { stopped: TurnStopReason; advice?: string | undefined; blame?: "model" };

/** Ends the turn, recording why it stopped, what it changed and what was verified since the last change. */
export async function finish(context: TurnContext, { stopped, ...end }: Ending): Promise<"done"> {
  const { state } = context.log;
  const turn = currentTurn(state);
  if (!turn) return "done";
  const calls = callsOf(state, turn);
  const last = stopped === "done" && end.because === undefined ? lastFailure(calls, context) : undefined;
  const { because = last?.because, advice, by, device } = end;
  const why = because === undefined ? undefined : withAdvice(because, advice);
  const closing = turn.lastText === "" ? closingWords(calls, stopped, why) : undefined;
  const facts: Fact[] = [];
  const { changed, ...checked } = await verificationOf(turn, context);
  if (closing !== undefined)
    facts.push({ type: "text", block: state.blocks + 1, text: closing, by: "toolwright" });
  facts.push({
    type: "turn-end",
    stopped,
    ...withoutUndefined({ because, by, device, advice, failed: last?.failed }),
    changed,
    ...checked,
    text: closing ?? turn.lastText,
  });
  await context.log.append(...facts);
  return "done";
}

/**
 * Gives every open call a result, so that the log stays complete, and ends the turn as interrupted. `stopper`: by
 * default what the signal was aborted with, or else a person.
 */
export async function finishInterrupted(
  context: TurnContext,
  stopper: Stopper = stopperOf(context.signal),
): Promise<"done"> {
  const { state } = context.log;
  const { because } = stopper;
  for (const callId of state.open) await keepLeft(callId, context);
  const results = [...state.open].map((callId): FactOf<"result"> => {
    const { call, start, applied, question, reply, tried } = state.calls.get(callId) ?? {};
    const before = question && !reply ? "they answered" : "it started: nothing was done";
    const words = tried
      ? "It had run, and what it changed was not kept: the turn was stopped before anybody agreed."
      : start
        ? wordsWhileItRan(call?.name ?? "", context.tools, stopper)
        : `Stopped ${because === byPerson ? "by the user " : ""}before ${before}.`;
    // If files may have been written, the result must let undo know that their state is uncertain.
    const outcome = start?.changes && !applied && !tried ? "interrupted" : "cancelled";
    const content = [...(tried?.result.content ?? []), ...text(words)];
    // A question or the start has told what it is called.
    const title = call && !question && !start ? titleIn(call, context) : {};
    return { ...tried?.result, type: "result", callId, outcome, content, ...title };
  });
  if (results.length > 0) await context.log.append(...results);
  return finish(context, { stopped: "interrupted", ...stopper });
}

/** A subagent's changes from before a crash belong to this turn, too: undo must know about them. */
async function keepLeft(callId: string, context: TurnContext): Promise<void> {
  const { start, applied, children = [] } = context.log.state.calls.get(callId) ?? {};
  if (!start || applied || children.length === 0 || !context.delegate) return;
  const over = { signal: AbortSignal.abort(), output: () => undefined };
  const left = await context
    .delegate(callId)({ task: "" }, over)
    .catch(() => undefined);
  if (!left?.changes?.length && !left?.uncovered?.length) return;
  const { fact } = await applyCommand(left, { callId, intent: start }, context);
  await context.log.append(fact);
}

/** A model that says "done" after its last change or command failed is not believed. A denial is not a failure. */
function lastFailure(
  calls: readonly CallState[],
  { tools }: TurnContext,
): { failed: "change" | "command"; because: string } | undefined {
  for (const known of calls.toReversed()) {
    const { call, start, result } = known;
    const found = findTool(tools, call.name);
    const does = start?.does ?? (found.ok ? found.value.does : "read");
    if (does === "read" || result === undefined || result.outcome === "denied") continue;
    // A lasting command that outlived its call's wait has not failed.
    const goesOn = found.ok && found.value.lasting === true && result.outcome === "timeout";
    if (result.outcome === "ok" || goesOn) return undefined;
    const failed = does === "change" ? "change" : "command";
    return { failed, because: `the last ${failed} failed (${titleOfCall(known)})` };
  }
  return undefined;
}

/**
 * What a person reads if the model said nothing: what was done, from the last six results (A13), and how many more
 * there are.
 */
function closingWords(
  calls: readonly CallState[],
  stopped: TurnStopReason,
  because: string | undefined,
): string {
  const opening = openingWords(stopped, because);
  if (calls.length === 0) return opening;
  const lines = calls
    .slice(-mostNamed)
    .map((known) => `- ${titleOfCall(known)}: ${known.result?.outcome ?? "open"}`);
  const more = calls.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more before`);
  return `${opening} What was done:\n${lines.join("\n")}`;
}

const mostNamed = 6;

function openingWords(stopped: TurnStopReason, because: string | undefined): string {
  const reason = because === undefined ? "" : `: ${because}`;
  switch (stopped) {
    case "done":
      return because === undefined
        ? "The model returned no text."
        : `The model returned no text, and ${because}.`;
    case "interrupted":
      return "Interrupted before there was an answer.";
    case "limit":
      return `Stopped${reason}.`;
    case "failed":
      return `The request failed${reason}`;
    default:
      return stopped satisfies never;
  }
}
