/** A turn's limits and what happens when it reaches one: it stops, asks a person, or extends the limit (D11). */

import { durationInWords } from "../base/amounts.ts";
import type { FactOf, LimitName } from "../protocol/facts.ts";
import type { TurnState } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";
import type { TurnLimits, TurnContext } from "./turn-context.ts";

/** `because`: for people. */
type ReachedLimit = { limit: LimitName; used: number; most: number; because: string };

/** The move when a limit is reached; undefined if none is. */
export function limitMove(turn: TurnState, context: TurnContext): Move | undefined {
  const reached = limitReached(turn, context);
  if (turn.halted !== undefined)
    return finishAt(reached?.because ?? `the limit of ${turn.halted} was reached`);
  if (!reached) return unknownCost(turn, context);
  const { limit, used, most } = reached;
  const offer = offerAt(reached);
  const behaviour = behaviourAt(limit, context);
  switch (behaviour) {
    case "stop":
      return finishAt(reached.because);
    case "ask":
      return { type: "tell", facts: [{ type: "limit-asked", limit, used, most, offer }] };
    case "extend": {
      const fact = {
        type: "limit-answered",
        limit,
        answer: "extend",
        most: offer,
        by: "toolwright",
      } as const;
      return { type: "tell", facts: [fact] };
    }
    default:
      return behaviour satisfies never;
  }
}

export const isAtLimit = (turn: TurnState, context: TurnContext): boolean =>
  limitReached(turn, context) !== undefined;

/** The turn's present limit of answers. */
export const mostRounds = ({ raised }: TurnState, { maxRounds }: TurnLimits): number =>
  raised.get("rounds") ?? maxRounds ?? Infinity;

/** The turn's present limit of calls. */
export const mostCalls = ({ raised }: TurnState, { maxCalls }: TurnLimits): number =>
  raised.get("calls") ?? maxCalls ?? Infinity;

/** Whether the turn ends at its limit of rounds, because no person can be asked and nothing raises it. */
export const endsWithRounds = (context: Pick<TurnContext, "limits" | "interactive">): boolean =>
  behaviourAt("rounds", context) === "stop";

const finishAt = (because: string): Move => ({ type: "finish", stopped: "limit", because });

/** Only people raise a budget that they set, or a limit of calls; repetition and failures end what needs no more rounds. */
function behaviourAt(
  limit: LimitName,
  { limits, interactive }: Pick<TurnContext, "limits" | "interactive">,
): TurnLimits["onLimit"] {
  const asks = interactive() ? "ask" : "stop";
  if (limits.onLimit === "ask") return asks;
  if (limits.onLimit === "stop" || limit === "rounds") return limits.onLimit;
  return limit === "calls" ? "stop" : asks;
}

/** The first limit the turn has reached. */
function limitReached(turn: TurnState, context: TurnContext): ReachedLimit | undefined {
  const { limits } = context;
  const { inputTokens, outputTokens } = turn.usage;
  return (
    roundsReached(turn, limits) ??
    callsReached(turn, limits) ??
    budget("cost", turn, { used: turn.cost, set: limits.maxCost }) ??
    budget("tokens", turn, { used: inputTokens + outputTokens, set: limits.maxTokens }) ??
    budget("time", turn, { used: context.now() - turn.startedAt - turn.waitedMs, set: limits.maxMs })
  );
}

function roundsReached(turn: TurnState, limits: TurnLimits): ReachedLimit | undefined {
  const most = mostRounds(turn, limits);
  const because = `the limit of ${most} rounds was reached`;
  return turn.answers >= most ? { limit: "rounds", used: turn.answers, most, because } : undefined;
}

function callsReached(turn: TurnState, limits: TurnLimits): ReachedLimit | undefined {
  const used = turn.callIds.length;
  const most = mostCalls(turn, limits);
  const because = `the limit of ${most} calls was reached`;
  return used >= most ? { limit: "calls", used, most, because } : undefined;
}

type BudgetKind = "cost" | "tokens" | "time";

/** Tolerance for rounding: three times $0.30 is slightly less than $0.90. */
const hair = 1e-9;

/** Undefined if the budget is not set. */
function budget(
  limit: BudgetKind,
  { raised }: TurnState,
  { used, set }: { used: number; set: number | undefined },
): ReachedLimit | undefined {
  if (set === undefined) return undefined;
  const most = raised.get(limit) ?? set;
  const words = inWords[limit];
  const because = `the limit of ${words(most)} was reached (used: ${words(used)})`;
  return used >= most - hair ? { limit, used, most, because } : undefined;
}

const inWords: Readonly<Record<BudgetKind, (amount: number) => string>> = {
  cost: (dollars) => `$${Number(dollars.toPrecision(3))}`,
  tokens: (tokens) => `${tokens.toLocaleString("en-US")} tokens`,
  time: durationInWords,
};

/** Half as much again, repeated until it exceeds what was used. */
function offerAt({ limit, used, most }: ReachedLimit): number {
  let offer = most;
  do offer = limit === "cost" ? Math.max(0.01, Number((offer * 1.5).toPrecision(4))) : halfMore(offer);
  while (offer <= used);
  return offer;
}

const halfMore = (amount: number): number => Math.max(amount + 1, Math.round(amount * 1.5));

/** A dollar limit without known prices cannot be enforced; this warns once per turn. */
function unknownCost(turn: TurnState, { limits, log }: TurnContext): Move | undefined {
  const { usage, cost } = log.state.lastAnswer ?? {};
  if (limits.maxCost === undefined || turn.answers !== 1 || usage === undefined || cost !== undefined)
    return undefined;
  const sinceAnswer = log.entries.slice(log.entries.findLastIndex(({ type }) => type === "answer-end"));
  if (sinceAnswer.some((entry) => entry.type === "warning" && entry.code === noPrice.code)) return undefined;
  return { type: "tell", facts: [noPrice] };
}

const noPrice: FactOf<"warning"> = {
  type: "warning",
  code: "cost-unknown",
  text: 'What this model costs is not known, so the limit in dollars cannot be watched. Set its price under "prices" in the configuration, or use a limit of tokens.',
};
