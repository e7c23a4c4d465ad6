/** What an answer has cost: a model's prices, the user's own before the table's, and the tokens that it took. */

import type { Usage } from "../protocol/model-events.ts";
import { type Price, priceTable } from "./price-table.ts";

export type { Price };

/** By "provider/model", where `*` stands for anything. */
export type OwnPrices = Readonly<Record<string, Price>>;

type Answered = {
  /** As a person names the model: "provider/model". */
  asked: string;
  /** As the provider named the one that answered; "" where it did not. */
  answeredBy: string;
  usage: Usage;
  /** Milliseconds since 1970. */
  at: number;
};

export const free: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** US dollars; undefined where the price is not known. */
export function costOf(answered: Answered, own: OwnPrices = {}): number | undefined {
  const price = priceOf(answered, own);
  return price && dollars(price, answered.usage);
}

/** The model that was asked counts before the one that answered; one of the user's prices before any of the table. */
function priceOf({ asked, answeredBy, usage, at }: Answered, own: OwnPrices): Price | undefined {
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

/** A whole name comes before a pattern, and a longer pattern before a shorter one. */
function ownPrice(name: string, own: OwnPrices): Price | undefined {
  const wanted = name.toLowerCase();
  const fitting = Object.keys(own)
    .filter((pattern) => isMatch(wanted, pattern.toLowerCase()))
    .toSorted(
      (one, other) => Number(one.includes("*")) - Number(other.includes("*")) || other.length - one.length,
    );
  const [first] = fitting;
  return first === undefined ? undefined : own[first];
}

/** Every piece between two stars, in order; no regular expression, which a pattern could make slow. */
function isMatch(name: string, pattern: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return isMeant(name, pattern);
  if (!name.startsWith(head)) return false;
  const tail = rest.pop() ?? "";
  let at = head.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length - tail.length >= at && name.endsWith(tail);
}

/** "claude-x-20260928", "gpt-x-2026-04-01" and "x-latest" are the model in front of the date. */
const isMeant = (name: string, model: string): boolean =>
  name === model ||
  (name.startsWith(`${model}-`) && /^(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/u.test(name.slice(model.length + 1)));

const million = 1_000_000;
/** Parts of a dollar that are kept: enough for a single token of the cheapest model. */
const digits = 10;

function dollars({ input, output, cacheRead = input, cacheWrite = input }: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const sum =
    fresh * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
  return Number((sum / million).toFixed(digits));
}
