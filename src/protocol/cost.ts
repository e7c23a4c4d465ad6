/** Sums what answers cost, counting those whose price is unknown. */

import type { FactOf } from "./facts.ts";

/** `dollars` is in US dollars; `unknown` counts answers without a known price. */
export type Cost = { dollars: number; unknown: number };

export const noCost = (): Cost => ({ dollars: 0, unknown: 0 });

/** Cost of an answer or a compaction. One that failed before its tokens were counted most likely cost nothing. */
export function costOfAnswer(
  paid: Pick<FactOf<"answer-end">, "usage" | "cost"> & { reason?: FactOf<"answer-end">["reason"] },
): Cost {
  if (paid.cost !== undefined) return { dollars: paid.cost, unknown: 0 };
  return { dollars: 0, unknown: paid.reason === "failed" && paid.usage === undefined ? 0 : 1 };
}

/** Adds in place. */
export function addCost(sum: Cost, { dollars, unknown }: Cost): void {
  sum.dollars = roundCost(sum.dollars + dollars);
  sum.unknown += unknown;
}

/** Summing many small amounts leaves meaningless trailing digits. */
const roundCost = (dollars: number): number => Number(dollars.toFixed(10));

/** For programs: `cost` is null if no price is known, and too low if `unknownCosts` is above zero. */
export const costAsJson = ({ dollars, unknown }: Cost) => ({
  cost: unknown > 0 && dollars === 0 ? null : dollars,
  unknownCosts: unknown,
});
