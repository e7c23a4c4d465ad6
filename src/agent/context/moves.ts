/**
 * Handles a prompt that became too long before the model is asked: leave out results, summarise, or give up with a
 * reason.
 */

import type { SessionState } from "../../protocol/session-state.ts";
import type { Move } from "../move.ts";
import { systemOf, toolsTold } from "../prompt.ts";
import type { TurnContext } from "../turn-context.ts";
import { type ContextBudget, budgetFor } from "./budget.ts";
import { countPrompt, estimateFrame, mostPrompt, type PromptParts } from "./count.ts";
import { type CompactionPlan, planCompaction } from "./plan.ts";
import { answersKept, trimLargest, trimOldest, type TrimFact } from "./trim.ts";

/** The parts of the next prompt that determine its length. */
export const nextPrompt = ({ log: { state }, tools, model, ...context }: TurnContext): PromptParts => ({
  state,
  system: systemOf({ ...context, log: { state } }),
  tools: toolsTold(tools, state),
  model: model.name,
});

/** Undefined: the model can be asked. */
export function contextMove(context: TurnContext): Move | undefined {
  const { state } = context.log;
  const prompt = nextPrompt(context);
  if (state.context.overflows > 0) return overflowMove(prompt, context);
  const most = mostPrompt(prompt);
  // Estimating takes time. An empty frame gives the lowest threshold, so below it no estimate is needed.
  if (most <= budgetFor(context.model, state.context, 0).soft) return undefined;
  const budget = budgetFor(context.model, state.context, estimateFrame(prompt, 1));
  if (most <= budget.soft) return undefined;
  const { tokens, rate } = countPrompt(prompt);
  return tokens <= budget.soft ? undefined : makeSpace({ budget, tokens, rate }, state);
}

type Length = { budget: ContextBudget; tokens: number; rate: number };

/**
 * The first that helps: leave out old results, leave out the last answer's largest, or summarise older messages. Each
 * frees something, and none can repeat on what it freed.
 */
function makeSpace(length: Length, state: SessionState): Move | undefined {
  const { budget, tokens, rate } = length;
  const old = oldResults(length, state);
  if (old) return tell(old);
  const plan = planCompaction(state, budget, rate);
  const largest = trimLargest({ ...state, rate }, tokens - budget.enough);
  // The last answer's results alone are too long: the model asked for those, so a summary of earlier messages cannot
  // help.
  if (plan.keep === 0 && tokens - largest.tokens <= budget.enough) return tell(largest);
  if (isWorthSummary(plan, length, state)) return { type: "compact", because: "budget" };
  if (tokens <= budget.limit) return undefined;
  return largest.callIds.length > 0 ? tell(largest) : giveUp(length);
}

/** Results to leave out, sparing as many recent answers as possible; undefined if that is not enough. */
function oldResults({ budget, tokens, rate }: Length, state: SessionState): TrimFact | undefined {
  for (const keep of answersKept) {
    const trim = trimOldest({ ...state, rate }, { wanted: tokens - budget.low, keep });
    if (trim.callIds.length > 0 && tokens - trim.tokens <= budget.enough) return trim;
  }
  return undefined;
}

/** Shares of the budget a summary must free to be worth its cost of an answer; at the limit, less is enough. */
const worth = { usual: 0.15, atLimit: 0.03 };

function isWorthSummary(
  { freed }: CompactionPlan,
  { budget, tokens }: Length,
  { context }: SessionState,
): boolean {
  const isOver = tokens > budget.limit;
  const isDone = isOver ? context.isSummarised : context.isShortened;
  return !isDone && freed >= budget.space * (isOver ? worth.atLimit : worth.usual);
}

/** Estimates err: a prompt that may just fit is tried, and the provider decides. */
function giveUp({ budget, tokens }: Length): Move | undefined {
  const { window, limit, space, isAssumed } = budget;
  if (isAssumed || tokens * 0.8 <= window) return undefined;
  return tooLong(
    `about ${tokens} tokens of ${window}, ${limit - space} of them for the tools and the system prompt`,
  );
}

/** The provider refused the prompt. It is shortened once; after a second refusal nothing more can be done. */
function overflowMove(prompt: PromptParts, context: TurnContext): Move | undefined {
  const { state } = context.log;
  if (state.context.overflows > 1) return tooLong(reasonOf(state.lastAnswer));
  if (state.context.isShortened) return undefined;
  const { tokens, rate } = countPrompt(prompt);
  const budget = refusedBudget(prompt, context, tokens);
  const plan = planCompaction(state, budget, rate);
  const largest = trimLargest({ ...state, rate }, Math.max(tokens - budget.low, tokens / 2));
  if (plan.keep === 0 && tokens - largest.tokens <= budget.enough) return tell(largest);
  if (plan.freed >= tokens * worth.atLimit) return { type: "compact", because: "overflow" };
  return largest.callIds.length > 0 ? tell(largest) : tooLong(reasonOf(state.lastAnswer));
}

/** The budget of a model that has just refused a prompt of this many tokens. */
export const refusedBudget = (
  prompt: PromptParts,
  { model }: Pick<TurnContext, "model">,
  tokens: number,
): ContextBudget => budgetFor(model, { tooLong: { model: model.name, tokens } }, estimateFrame(prompt, 1));

const tell = (fact: TrimFact): Move => ({ type: "tell", facts: [fact] });

function tooLong(reason: string | undefined): Move {
  const why = reason === undefined ? "" : ` (${reason})`;
  return {
    type: "finish",
    stopped: "failed",
    blame: "model",
    because: `the conversation is too long for the model${why}, and what is left of it are your own messages and the last answer, which are not shortened.`,
    advice:
      "Start a new session and give it less at a time (a path instead of a pasted file), fork this one at an earlier message, or choose a model with a larger context window.",
  };
}

/** Only the provider's own words: the surrounding sentence already says that the prompt is too long. */
function reasonOf(last: SessionState["lastAnswer"]): string | undefined {
  const said = last?.failure?.said ?? "";
  return said === "" ? undefined : `the provider said: ${said.replace(/\.$/u, "")}`;
}
