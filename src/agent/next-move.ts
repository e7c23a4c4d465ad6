/** Decides what a turn does next when no call is open, from its last answer and the log. */

import { shownPath } from "../base/safe-fs/problems.ts";
import type { FactOf, Fact, Mode } from "../protocol/facts.ts";
import { isSameStanding, type UntoldChange } from "../protocol/fold-changes.ts";
import { overflow } from "../protocol/fold-context.ts";
import { isPassing } from "../protocol/model-events.ts";
import {
  type SessionState,
  type TurnState,
  saidTo,
  takenMessage,
  modeCode,
  undoneCode,
} from "../protocol/session-state.ts";
import { isUnreadable } from "../protocol/unreadable.ts";
import { doneMove } from "./answer/completion.ts";
import { turnBounds } from "./bounds.ts";
import { contextMove } from "./context/moves.ts";
import { limitMove } from "./limits.ts";
import type { Move } from "./move.ts";
import { patternMove } from "./stuck/patterns.ts";
import type { TurnContext } from "./turn-context.ts";

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
  if (invalidInARow(state) >= turnBounds.unusableAnswers.most) return stuck;
  if (turn.lastCalls.length > 0) return { type: "ask" };
  if (last.reason === "length")
    return {
      type: "finish",
      stopped: "limit",
      because: "the answer was cut off at the model's length limit",
    };
  if (last.reason === "refusal")
    return { type: "finish", stopped: "failed", because: "the model declined to answer" };
  const move = doneMove(turn, context);
  return move.type === "finish" && isSilent(turn, last) ? silent : move;
}

/** Nothing was said and nothing was done: whoever waits for an answer or for work has neither. */
const isSilent = ({ lastText, callIds }: TurnState, { complete }: FactOf<"answer-end">): boolean =>
  lastText === "" && callIds.length === 0 && complete !== true;

const silent: Move = {
  type: "finish",
  stopped: "failed",
  blame: "model",
  because: "the model returned neither text nor a call",
  advice: "Ask again in other words, or choose another model.",
};

function afterFailure(
  { failuresInARow, failingSince }: TurnState,
  { failure }: FactOf<"answer-end">,
  context: TurnContext,
): Move {
  const { retryMs } = context.limits;
  if (!failure) return { type: "finish", stopped: "failed", because: "The answer failed." };
  const { message, advice, kind, midStream } = failure;
  if (kind === overflow) return { type: "ask" }; // retried with a shorter prompt, or not at all
  const isInTime = retryMs > 0 && (failingSince === undefined || context.now() - failingSince < retryMs);
  return midStream && isPassing(kind) && isInTime && failuresInARow <= turnBounds.brokenAnswers.most
    ? { type: "ask" }
    : { type: "finish", stopped: "failed", because: message, advice, blame: "model" };
}

/** D8: the model was told five times what is wrong, and its next attempt is wrong again. */
const stuck: Move = {
  type: "finish",
  stopped: "failed",
  blame: "model",
  because: `the model's calls could not be used ${turnBounds.unusableAnswers.most} times in a row.`,
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

/** A message also continues a turn that would otherwise end or fail. */
function steerMove({ log, withdrawing }: TurnContext, wanted: Move): Move | undefined {
  if (wanted.type === "wait") return undefined;
  const facts = log.state.queue.flatMap((message): Fact[] => {
    if (message.when !== "steer" || withdrawing.has(message.id)) return [];
    return [{ type: "steer", ...takenMessage(message) }, ...saidTo(message)];
  });
  return facts.length === 0 ? undefined : { type: "tell", facts };
}

const inMode: Readonly<Partial<Record<Mode, string>>> = {
  plan: "Plan mode is on: read and search, but change nothing and run nothing. When you know enough, propose a plan of concrete steps, with the tool for that where there is one.",
  staged:
    "Staged mode is on: changes and commands only show what they would change, and give a token. Look at the diff, then apply it by its token.",
};

const inNoneOfThem = "changes are made and commands run as usual, some after a person has allowed them.";

/** The move before asking the model, if it has not been informed of the current mode. */
function modeMove({ mode, toldMode }: Pick<SessionState, "mode" | "toldMode">): Move | undefined {
  const now = inMode[mode];
  const told = toldMode && inMode[toldMode];
  if (now === told) return undefined;
  const text = now ?? `The mode ${toldMode} is off now: ${inNoneOfThem}`;
  return { type: "tell", facts: [{ type: "nudge", code: modeCode(mode), text }] };
}

/** The move before asking the model, if files are not as it left them because a person wanted that. */
function undoneMove({ untold }: Pick<SessionState, "untold">): Move | undefined {
  const changed = [...untold].filter(([, { before, after }]) => !isSameStanding(before, after));
  if (changed.length === 0) return undefined;
  const groups = Object.entries(kinds).flatMap(([kind, words]) => {
    const paths = changed.filter(([, change]) => kindOf(change) === kind).map(([path]) => shownPath(path));
    return paths.length === 0 ? [] : [`- ${words}: ${inShort(paths)}`];
  });
  const text = ["The user undid changes:", ...groups, "Read a file again before you change it."].join("\n");
  return { type: "tell", facts: [{ type: "nudge", code: undoneCode, text }] };
}

const kinds = {
  undone: "as before them",
  gone: "not there any more",
  partly: "in part as before them",
  redone: "changed again",
};

const kindOf = ({ how, after }: UntoldChange): keyof typeof kinds => (after === null ? "gone" : how);

function inShort(paths: readonly string[]): string {
  const more = paths.length - mostNamed;
  return paths.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const mostNamed = 50;
