/**
 * What is done about a prompt that became long, before the model is asked: leave out, summarise, or give up in words.
 */

import type { Move } from "../move.ts";
import { systemOf, toolsTold } from "../prompt.ts";
import type { TurnRoom } from "../room.ts";
import { type Budget, budgetFor } from "./budget.ts";
import { countPrompt, estimateFrame, mostPrompt, type Told } from "./count.ts";
import { planCompaction } from "./plan.ts";
import { answersKept, trimLargest, trimOldest, type Trimmed } from "./trim.ts";

export const toldIn = ({ log: { state }, tools, model, ...room }: TurnRoom): Told => ({
  state,
  system: systemOf({ ...room, log: { state } }),
  tools: toolsTold(tools, state),
  model: model.name,
});

/** Undefined: the model can be asked. */
export function contextMove(room: TurnRoom): Move | undefined {
  const { context } = room.log.state;
  const told = toldIn(room);
  if (context.overflows > 0) return overflowMove(told, room);
  const most = mostPrompt(told);
  // Estimating takes time. Whatever goes with every prompt, room is made no sooner than if that were nothing.
  if (most <= budgetFor(room.model, context, 0).soft) return undefined;
  const budget = budgetFor(room.model, context, estimateFrame(told, 1));
  if (most <= budget.soft) return undefined;
  const { tokens, rate } = countPrompt(told);
  return tokens <= budget.soft ? undefined : makeRoom({ budget, tokens, rate }, room);
}

type Length = { budget: Budget; tokens: number; rate: number };

/** Shares of the budget: a summary costs an answer, so it has to pay; at the limit, less is enough. */
const worth = { usual: 0.15, atLimit: 0.03 };

/** Each of these frees something, and none can be done again on what it has freed. */
function makeRoom({ budget, tokens, rate }: Length, { log: { state } }: TurnRoom): Move | undefined {
  const { messages, trimmed, said, context } = state;
  const trimming = { messages, trimmed, said, rate };
  for (const keep of answersKept) {
    const trim = trimOldest(trimming, { wanted: tokens - budget.low, keep });
    if (trim.callIds.length > 0 && tokens - trim.tokens <= budget.enough) return tell(trim);
  }
  const plan = planCompaction(state, budget, rate);
  // The last answer's results alone are too much: they are what the model asked for, not what was before.
  const largest = trimLargest(trimming, tokens - budget.enough);
  if (plan.keep === 0 && tokens - largest.tokens <= budget.enough) return tell(largest);
  const isOver = tokens > budget.limit;
  const least = budget.room * (isOver ? worth.atLimit : worth.usual);
  const isDone = isOver ? context.isSummarised : context.isShortened;
  if (plan.freed >= least && !isDone) return { type: "compact", because: "budget" };
  if (!isOver) return undefined;
  if (largest.callIds.length > 0) return tell(largest);
  // Estimates err: what may just fit is tried, and the provider's word counts.
  const isHopeless = !budget.isAssumed && tokens * 0.8 > budget.window;
  return isHopeless
    ? tooLong(
        `about ${tokens} tokens of ${budget.window}, ${budget.limit - budget.room} of them for the tools and the system prompt`,
      )
    : undefined;
}

/** The provider refused the prompt. It is made shorter once; what is refused then cannot be helped. */
function overflowMove(told: Told, room: TurnRoom): Move | undefined {
  const { context, messages, trimmed, said, lastAnswer } = room.log.state;
  if (context.overflows > 1) return tooLong(lastAnswer?.failure?.message);
  if (context.isShortened) return undefined;
  const { tokens, rate } = countPrompt(told);
  const budget = refusedBudget(told, room, tokens);
  const plan = planCompaction(room.log.state, budget, rate);
  const largest = trimLargest({ messages, trimmed, said, rate }, Math.max(tokens - budget.low, tokens / 2));
  if (plan.keep === 0 && tokens - largest.tokens <= budget.enough) return tell(largest);
  if (plan.freed >= tokens * worth.atLimit) return { type: "compact", because: "overflow" };
  return largest.callIds.length > 0 ? tell(largest) : tooLong(lastAnswer?.failure?.message);
}

/** Of a model that has just refused a prompt of so many tokens. */
export const refusedBudget = (told: Told, { model }: Pick<TurnRoom, "model">, tokens: number): Budget =>
  budgetFor(model, { tooLong: { model: model.name, tokens } }, estimateFrame(told, 1));

const tell = (fact: Trimmed): Move => ({ type: "tell", facts: [fact] });

function tooLong(said: string | undefined): Move {
  const reason = said === undefined ? "" : reasonOf(said);
  const why = reason === "" ? "" : ` (${reason})`;
  return {
    type: "finish",
    stopped: "failed",
    because: `the conversation is too long for the model${why}, and what is left of it are your own messages and the last answer, which are not shortened. Start a new session and give it less at a time (a path instead of a pasted file), fork this one at an earlier message, or choose a model with a larger context window`,
  };
}

/** A provider's own words, without what we say before and behind them: the sentence that this stands in says it. */
function reasonOf(said: string): string {
  const reason = said.replace(/ Shorten the conversation[^]*$/u, "").replace(/\.$/u, "");
  const known = /^The conversation is too long for the model(?: \(\d+\))?(?:: (?<theirs>[^]+))?$/u.exec(
    reason,
  );
  if (!known) return reason;
  const { theirs } = known.groups ?? {};
  return theirs === undefined ? "" : `the provider said: ${theirs}`;
}
