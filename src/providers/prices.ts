/** Computes the cost of an answer from its tokens and the model's price; the user's prices override the table. */

import { fitsPattern } from "../base/star-pattern.ts";
import type { Usage } from "../protocol/model-events.ts";
import { type Price, priceTable } from "./price-table.ts";

export type { Price };

/** Keyed by "provider/model", where `*` matches anything. */
export type OwnPrices = Readonly<Record<string, Price>>;

type AnswerUsage = {
  /** The model as the user names it: "provider/model". */
  asked: string;
  /** The name that the provider reported for the answering model; "" if it did not. */
  answeredBy: string;
  usage: Usage;
  /** Milliseconds since 1970. */
  at: number;
};

export const free: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** US dollars; undefined if the price is unknown. */
export function costOf(answered: AnswerUsage, own: OwnPrices = {}): number | undefined {
  const price = priceOf(answered, own);
  return price && dollars(price, answered.usage);
}

/** The requested model takes precedence over the one that answered, and the user's prices over the table. */
function priceOf({ asked, answeredBy, usage, at }: AnswerUsage, own: OwnPrices): Price | undefined {
  const provider = asked.slice(0, asked.indexOf("/") + 1);
  const names = [asked, ...(answeredBy === "" ? [] : [provider + answeredBy])];
  const told = names.map((name) => ownPrice(name, own)).find((price) => price !== undefined);
  if (told) return told;
  const day = new Date(at).toISOString().slice(0, "2026-11-22".length);
  return priceTable.find(
    ({ model, upTo, until }) =>
      names.some((name) => isMeant(name, model)) &&
      (upTo === undefined || usage.inputTokens <= upTo) &&
      (until === undefined || day <= until),
  );
}

/** An exact name takes precedence over a pattern, and a longer pattern over a shorter one. */
function ownPrice(name: string, own: OwnPrices): Price | undefined {
  const wanted = name.toLowerCase();
  const fitting = Object.keys(own)
    .filter((pattern) => fits(pattern.toLowerCase(), wanted))
    .toSorted(
      (one, other) => Number(one.includes("*")) - Number(other.includes("*")) || other.length - one.length,
    );
  const [first] = fitting;
  return first === undefined ? undefined : own[first];
}

const fits = (pattern: string, name: string): boolean =>
  pattern.includes("*") ? fitsPattern(pattern, name) : isMeant(name, pattern);

/** "claude-x-20260928", "gpt-x-2026-04-01" and "x-latest" mean the model without the suffix. */
const isMeant = (name: string, model: string): boolean =>
  name === model ||
  (name.startsWith(`${model}-`) && /^(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/u.test(name.slice(model.length + 1)));

const million = 1_000_000;
/** Decimal places of a dollar to keep: enough for a single token of the cheapest model. */
const digits = 10;

function dollars({ input, output, cacheRead = input, cacheWrite = input }: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const sum =
    fresh * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
  return Number((sum / million).toFixed(digits));
}
