/** A stored session in figures, without its texts: requests, tokens, cost, and what it waits for. */

import { addCost, type Cost, costOfAnswer, noCost } from "../protocol/cost.ts";
import type { Entry } from "../protocol/facts.ts";
import { addUsage } from "../protocol/fold-answer.ts";
import type { Usage } from "../protocol/model-events.ts";
import { noUsage } from "../protocol/session-state.ts";

/** What was used on one day, which is counted since 1970 (UTC). `rounds`: answers. */
export type DayUse = { day: number; rounds: number; cost: Cost };

const dayMs = 86_400_000;
export const dayOf = (at: number): number => Math.floor(at / dayMs);
/** In milliseconds since 1970. */
export const startOf = (day: number): number => day * dayMs;

export type Account = {
  turns: number;
  /** The model of the last request, or the one that a person has chosen since. */
  model?: string;
  answers: number;
  usage: Usage;
  cost: Cost;
  isRunning: boolean;
  /** The last request failed. */
  failed?: true;
  /** Calls with an unanswered question, and limits waiting for an answer. */
  asking: Set<string>;
  /** The session it was forked from. */
  from?: { session: string; seq: number };
  /** Its last day with answers. What it was copied with, and what its subagents used, is counted where it was used. */
  day?: DayUse;
};

export const emptyAccount = (): Account => ({
  turns: 0,
  answers: 0,
  usage: noUsage(),
  cost: noCost(),
  isRunning: false,
  asking: new Set(),
});

const limit = "limit";

/** Adds one entry, in place. */
export function account(sum: Account, entry: Entry): Account {
  switch (entry.type) {
    case "session-start":
      if (entry.from) sum.from = entry.from;
      break;
    case "user-message":
      if (!sum.isRunning) sum.turns += 1;
      sum.isRunning = true;
      delete sum.failed;
      break;
    case "turn-start":
      sum.model = entry.model;
      break;
    case "model-set":
      if (entry.because === undefined) sum.model = entry.model;
      break;
    case "turn-end":
      sum.isRunning = false;
      sum.asking.clear();
      if (entry.stopped === "failed") sum.failed = true;
      break;
    case "approval-asked":
    case "question-asked":
      sum.asking.add(entry.callId);
      break;
    case "approval-answered":
    case "question-answered":
    case "result":
      sum.asking.delete(entry.callId);
      break;
    case "limit-asked":
      sum.asking.add(limit);
      break;
    case "limit-answered":
      sum.asking.delete(limit);
      break;
    case "answer-end":
      sum.answers += 1;
      pay(sum, entry);
      break;
    case "compaction":
    case "aside-answered":
    case "goal-judged":
      pay(sum, entry);
      break;
    case "child-ended":
      addUsage(sum.usage, entry.usage);
      addCost(sum.cost, { dollars: entry.cost ?? 0, unknown: entry.unpriced ?? 0 });
      break;
    default:
      break;
  }
  return sum;
}

type PaidEntry = Extract<Entry, { type: "answer-end" | "compaction" | "aside-answered" | "goal-judged" }>;

function pay(sum: Account, entry: PaidEntry): void {
  const paid = costOfAnswer(entry);
  addUsage(sum.usage, entry.usage);
  addCost(sum.cost, paid);
  if (entry.seq <= (sum.from?.seq ?? 0)) return;
  const day = dayOf(entry.at);
  if (!sum.day || sum.day.day < day) sum.day = { day, rounds: 0, cost: noCost() }; // a clock may jump back
  sum.day.rounds += entry.type === "answer-end" ? 1 : 0;
  addCost(sum.day.cost, paid);
}
