/** Parses and formats a limit as a person writes it: in the limit's own unit, times in minutes, money in dollars. */

import type { LimitName } from "../../protocol/facts.ts";

const units: Readonly<Record<LimitName, { name: string; size: number; step: string }>> = {
  rounds: { name: "rounds", size: 1, step: "1" },
  calls: { name: "calls", size: 1, step: "1" },
  tokens: { name: "tokens", size: 1, step: "1" },
  cost: { name: "dollars", size: 1, step: "any" },
  time: { name: "minutes", size: 60_000, step: "any" },
};

export const unitOf = (limit: LimitName): { name: string; size: number; step: string } => units[limit];

/** The value for a number field. */
export const amountText = (limit: LimitName, amount: number): string =>
  String(Number((amount / units[limit].size).toPrecision(6)));

/** `undefined` if it is not a number, or no more than is already used. */
export function readAmount(limit: LimitName, text: string, used: number): number | undefined {
  const figure = text.trim() === "" ? Number.NaN : Number(text);
  const amount = figure * units[limit].size;
  const whole = limit === "cost" ? amount : Math.round(amount);
  return Number.isFinite(whole) && whole > used ? whole : undefined;
}
