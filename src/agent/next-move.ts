/** Decides what a turn does next when no call is open, from its last answer and the log. */

import type { FactOf } from "../protocol/facts.ts";
import { overflow } from "../protocol/fold-context.ts";
import { isPassing } from "../protocol/model-events.ts";
import type { SessionState, TurnState } from "../protocol/session-state.ts";
import { isUnreadable } from "../protocol/unreadable.ts";
import { doneMove } from "./answer/completion.ts";
import { contextMove } from "./context/moves.ts";
import { limitMove } from "./limits.ts";
import { modeMove } from "./mode-words.ts";
import type { Move } from "./move.ts";
import { steerMove } from "./steering.ts";
import { patternMove } from "./stuck/patterns.ts";
import type { TurnContext } from "./turn-context.ts";
import { undoneMove } from "./undone-words.ts";

/**
 * The first move other than `ask` wins. Only if the last answer, queued messages and limits all allow asking the model
 * may later policies send it a message first, or shorten the prompt.
 */
export function nextMove(turn: TurnState, context: TurnContext): Move {
  const { state } = context.log;
  if (state.limitAsked) return { type: "wait" };
  const wanted = afterAnswer(turn, context);
  const steered = steerMove(context, wanted);
  // A message the turn has no room left to answer stays queued and opens the next turn.
  const limited = wanted.type === "ask" || steered ? limitMove(turn, context) : undefined;
  if (limited) return wanted.type === "ask" ? limited : wanted;
  if (steered) return steered;
  if (wanted.type !== "ask") return wanted;
  return modeMove(state) ?? undoneMove(state) ?? patternMove(turn, context) ?? contextMove(context) ?? wanted;
}

/** The move that the last answer implies. */
function afterAnswer(turn: TurnState, context: TurnContext): Move {
  const { state } = context.log;
  const last = state.lastAnswer;
  if (turn.answers === 0 || turn.owesAnswer || !last || last.reason === "interrupted") return { type: "ask" };
  if (last.reason === "failed") return afterFailure(turn, last, context);
  if (invalidInARow(state) >= mostInvalidInARow) return stuck;
  if (turn.lastCalls.length > 0) return { type: "ask" };
  if (last.reason === "length")
    return {
      type: "finish",
      stopped: "limit",
      because: "the answer was cut off at the model's length limit",
    };
  if (last.reason === "refusal")
    return { type: "finish", stopped: "failed", because: "the model declined to answer" };
  return doneMove(turn, context);
}

function afterFailure(turn: TurnState, { failure }: FactOf<"answer-end">, { limits }: TurnContext): Move {
  if (!failure) return { type: "finish", stopped: "failed", because: "The answer failed." };
  const { message, advice, kind, midStream } = failure;
  if (kind === overflow) return { type: "ask" }; // retried with a shorter prompt, or not at all
  const again = midStream && isPassing(kind) && turn.failuresInARow <= limits.maxBrokenAnswers;
  return again
    ? { type: "ask" }
    : { type: "finish", stopped: "failed", because: message, advice, blame: "model" };
}

/** D8: the model was told five times what is wrong, and its next attempt is wrong again. */
const mostInvalidInARow = 6;
const stuck: Move = {
  type: "finish",
  stopped: "failed",
  blame: "model",
  because: `the model's calls could not be used ${mostInvalidInARow} times in a row.`,
  advice: "Try again with other words, ask for less at a time, or use another model.",
};

/**
 * Counts the latest answers in a row whose calls were all unusable. Unreadable calls count half: the provider may still
 * be trying other dialects, which does not help with a call that is too long.
 */
function invalidInARow({ messages, calls, said }: SessionState): number {
  let count = 0;
  for (const message of messages.toReversed()) {
    if (message.role === "tool") continue;
    if (message.role === "user" && said.includes(message.content)) break;
    if (message.role === "user") continue; // our own message about these failures
    const asked = message.content.filter((part) => part.type === "call");
    if (!asked.length || asked.some(({ call }) => calls.get(call.id)?.result?.outcome !== "invalid")) break;
    count += asked.every(({ call }) => isUnreadable(call) && call.fault !== "truncated") ? 0.5 : 1;
  }
  return count;
}
