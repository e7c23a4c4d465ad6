/** What answers have cost, as far as anybody knows. */

import type { FactOf } from "./facts.ts";

/** US dollars; `unknown`: answers whose price is not known. */
export type Cost = { dollars: number; unknown: number };

export const noCost = (): Cost => ({ dollars: 0, unknown: 0 });

/** Of an answer or a compaction. One that failed before its tokens were counted has most likely cost nothing. */
export function costOfAnswer(
  paid: Pick<FactOf<"answer-end">, "usage" | "cost"> & { reason?: FactOf<"answer-end">["reason"] },
): Cost {
  if (paid.cost !== undefined) return { dollars: paid.cost, unknown: 0 };
  return { dollars: 0, unknown: paid.reason === "failed" && paid.usage === undefined ? 0 : 1 };
}

/** Adds in place. */
export function addCost(sum: Cost, { dollars, unknown }: Cost): void {
  sum.dollars = rounded(sum.dollars + dollars);
  sum.unknown += unknown;
}

/** Many small sums leave digits that mean nothing. */
const rounded = (dollars: number): number => Number(dollars.toFixed(10));

/** For programs: `cost` is null where nothing of it is known, and too low where `unknownCosts` counts answers. */
export const costAsJson = ({ dollars, unknown }: Cost) => ({
  cost: unknown > 0 && dollars === 0 ? null : dollars,
  unknownCosts: unknown,
});
