/**
 * What happened to an answer's calls, reported to the client in a header or trailer, and in the log. Never any content.
 */

import type { Repair } from "../protocol/messages.ts";
import type { Usage } from "../protocol/model-events.ts";

export type AnswerAccount = {
  /** Calls that the client received. */
  calls: number;
  /** How many of those had been repaired. */
  mended: number;
  /** Codes of the repairs. */
  codes: Set<string>;
  /** The model was asked a second time, because some calls could not be repaired. */
  askedAgain: boolean;
  /** Calls passed on as the model wrote them although they do not fit the client's schemas. */
  unmended: number;
  /** Unusable calls, described to the client in text. */
  lost: number;
  /** Codes of the notices: what was deliberately left out or changed. */
  noted: Set<string>;
  /** Calls beyond the single one that the client accepts per answer. */
  dropped: number;
  usage: Usage | undefined;
};

export const newAccount = (): AnswerAccount => ({
  calls: 0,
  mended: 0,
  codes: new Set(),
  askedAgain: false,
  unmended: 0,
  lost: 0,
  noted: new Set(),
  dropped: 0,
  usage: undefined,
});

export function noteRepairs(account: AnswerAccount, repairs: readonly Repair[] = []): void {
  if (repairs.length > 0) account.mended += 1;
  for (const { code } of repairs) account.codes.add(code);
}

export const repairsHeader = "x-toolwright-repairs";

/**
 * The header's value, a dictionary of RFC 9651: `mended=1, codes="tool-renamed number", asked-again`; undefined where
 * nothing was repaired.
 */
export function repairsValue(account: AnswerAccount): string | undefined {
  const { mended, codes, askedAgain, unmended, lost, noted, dropped } = account;
  const parts = [
    ...(mended > 0 ? [`mended=${mended}`] : []),
    ...(codes.size > 0 ? [`codes=${listOf(codes)}`] : []),
    ...(askedAgain ? ["asked-again"] : []),
    ...(unmended > 0 ? [`unmended=${unmended}`] : []),
    ...(lost > 0 ? [`lost=${lost}`] : []),
    ...(dropped > 0 ? [`dropped=${dropped}`] : []),
    ...(noted.size > 0 ? [`noted=${listOf(noted)}`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

/** The codes are our own, but no code may ever break the header. */
const listOf = (codes: ReadonlySet<string>): string =>
  `"${[...codes].map((code) => code.replaceAll(/[^\w.-]+/g, "-")).join(" ")}"`;

const usageCounts = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const satisfies readonly (keyof Usage)[];

/** The usage of both answers together, if the model was asked twice. What neither has counted stays absent. */
export function sumOf(one: Usage | undefined, other: Usage): Usage {
  if (!one) return other;
  const sum = { ...one };
  for (const name of usageCounts) {
    const more = other[name];
    if (more !== undefined) sum[name] = (sum[name] ?? 0) + more;
  }
  return sum;
}

/** D6: a client that knows only its own vendor's window must see how full the real one is. */
export function rescaleUsage(usage: Usage, by: number): Usage {
  if (by === 1) return usage;
  const scaled = { ...usage };
  for (const name of usageCounts) {
    const tokens = usage[name];
    if (tokens !== undefined) scaled[name] = Math.round(tokens * by);
  }
  return scaled;
}
