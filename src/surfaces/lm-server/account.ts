/**
 * What became of one answer's calls: told to the client in a header or trailer, and in the log. Never what was said.
 */

import type { Repair } from "../../protocol/messages.ts";
import type { Usage } from "../../protocol/model-events.ts";

export type Account = {
  /** That the client got. */
  calls: number;
  /** How many of those were mended before. */
  mended: number;
  /** What was mended, by the codes of the repairs. */
  codes: Set<string>;
  /** The model was asked a second time, because of calls that could not be mended. */
  askedAgain: boolean;
  /** That the client got as the model wrote them, though they do not fit its schemas. */
  unmended: number;
  /** That could not be used, and were told in words. */
  lost: number;
  /** What was left out or done otherwise on purpose, by the codes of the notices. */
  noted: Set<string>;
  /** Beyond the one that the client takes in an answer. */
  dropped: number;
  usage: Usage | undefined;
};

export const newAccount = (): Account => ({
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

export function noteRepairs(account: Account, repairs: readonly Repair[] = []): void {
  if (repairs.length > 0) account.mended += 1;
  for (const { code } of repairs) account.codes.add(code);
}

export const repairsHeader = "x-toolwright-repairs";

/**
 * The header's value, a dictionary of RFC 9651: `mended=1, codes="tool-renamed number", asked-again`; undefined where
 * nothing was repaired.
 */
export function repairsValue(account: Account): string | undefined {
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

/** Codes are our own words, but a header must not break whatever they are. */
const listOf = (codes: ReadonlySet<string>): string =>
  `"${[...codes].map((code) => code.replaceAll(/[^\w.-]+/g, "-")).join(" ")}"`;

/** Of both answers together, where the model was asked twice. */
export function sumOf(one: Usage | undefined, other: Usage): Usage {
  if (!one) return other;
  return withoutUndefined({
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: sum(one.cacheReadTokens, other.cacheReadTokens),
    cacheWriteTokens: sum(one.cacheWriteTokens, other.cacheWriteTokens),
    reasoningTokens: sum(one.reasoningTokens, other.reasoningTokens),
  });
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);

/** D6: a client that knows only its own vendor's window must see how full the real one is. */
export function rescaled(usage: Usage, by: number): Usage {
  if (by === 1) return usage;
  const scale = (tokens: number | undefined): number | undefined =>
    tokens === undefined ? undefined : Math.round(tokens * by);
  return withoutUndefined({
    inputTokens: scale(usage.inputTokens) ?? 0,
    outputTokens: scale(usage.outputTokens) ?? 0,
    cacheReadTokens: scale(usage.cacheReadTokens),
    cacheWriteTokens: scale(usage.cacheWriteTokens),
    reasoningTokens: scale(usage.reasoningTokens),
  });
}

type Counted = { [K in keyof Usage]: Usage[K] | undefined } & Pick<Usage, "inputTokens" | "outputTokens">;

function withoutUndefined(counted: Counted): Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = counted;
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
