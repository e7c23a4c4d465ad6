/** Formats a session's figures: how full its context is, its usage and its cost. */

import type { Cost } from "../../protocol/cost.ts";
import type { Usage } from "../../protocol/model-events.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { ContextValue } from "../../remote/api-reports.ts";

/** "14k", or "14k of 200k" once the size of the window has been loaded. */
export function contextWords(
  { context }: Pick<SessionState, "context">,
  report: ContextValue | undefined,
): string {
  const { counted } = context;
  const tokens = counted ? counted.tokens + counted.answer : (report?.tokens ?? 0);
  return report ? `${shortCount(tokens)} of ${shortCount(report.limit)}` : shortCount(tokens);
}

/** "950", "1.2k", "14k", "1.2M". */
export function shortCount(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  const [figure, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
  return `${figure < 9.95 ? Number(figure.toFixed(1)) : Math.round(figure)}${unit}`;
}

export const costOf = ({ cost, unpriced }: Pick<SessionState, "cost" | "unpriced">): Cost => ({
  dollars: cost,
  unknown: unpriced,
});

export function usageRows(usage: Usage): { name: string; tokens: string }[] {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const rows: [name: string, tokens: number][] = [
    ["Read by the model", inputTokens],
    ["of these from a cache", cacheReadTokens],
    ["of these put into a cache", cacheWriteTokens],
    ["Written by the model", outputTokens],
    ["of these for reasoning", reasoningTokens],
  ];
  return rows
    .filter(([name, tokens]) => tokens > 0 || !name.startsWith("of"))
    .map(([name, tokens]) => ({ name, tokens: count(tokens) }));
}

export const count = (tokens: number): string => tokens.toLocaleString("en");

/** A percentage from 0 to 100. */
export const share = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((part * 100) / whole))) : 0;
