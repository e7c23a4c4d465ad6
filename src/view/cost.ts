/** Formats money and tokens for status lines, tables and pages. */

import type { Cost } from "../protocol/cost.ts";
import type { Usage } from "../protocol/model-events.ts";

/** "$0.12", "$0.0042", "less than $0.0001", "free"; "at least $0.12" or "unknown" where prices are missing. */
export function formatCost({ dollars, unknown }: Cost): string {
  if (unknown > 0) return dollars > 0 ? `at least ${amount(dollars)}` : "unknown";
  return dollars === 0 ? "free" : amount(dollars);
}

/** As `formatCost`, for narrow columns: "$0.12", "≥$0.12", "?". */
export function shortCost({ dollars, unknown }: Cost): string {
  if (unknown > 0) return dollars > 0 ? `≥${shortAmount(dollars)}` : "?";
  return dollars === 0 ? "free" : shortAmount(dollars);
}

const least = 0.0001;
/** Amounts below this need more than two decimals. */
const fewCents = 0.1;

const amount = (dollars: number): string => (dollars < least ? `less than $${least}` : shortAmount(dollars));

function shortAmount(dollars: number): string {
  if (dollars < least) return `<$${least}`;
  return dollars < fewCents ? `$${Number(dollars.toPrecision(2))}` : `$${dollars.toFixed(2)}`;
}

/** "12,300 tokens in (10,000 cached), 450 out". */
export function formatUsage({ inputTokens, outputTokens, cacheReadTokens = 0 }: Usage): string {
  const cached = cacheReadTokens > 0 ? ` (${count(cacheReadTokens)} cached)` : "";
  return `${count(inputTokens)} tokens in${cached}, ${count(outputTokens)} out`;
}

const count = (tokens: number): string => tokens.toLocaleString("en-US");
