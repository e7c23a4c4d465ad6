/** Prices of hosted models as their vendors published them; the user's settings take precedence (`prices.ts`). */

/**
 * US dollars per million tokens. Prompt tokens read from or written to the provider's cache cost as much as other input
 * unless specified.
 */
export type Price = {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
};

export type PriceRow = Price & {
  /** "provider/model"; also matches the name with a date appended. */
  model: string;
  /** The longest prompt, in tokens, that this price applies to. */
  upTo?: number;
  /** The last day (UTC) that this price applies to: "2026-12-31". */
  until?: string;
};

/** When the prices were looked up. */
export const pricesAsOf = "2026-11-22";

/** The cache prices of Anthropic's models, as shares of the input price. */
const usualCache = (input: number) => ({ cacheRead: input / 10, cacheWrite: input * 1.25 });

/** Cache reads cost a tenth; writes cost no extra. */
const tenth = (input: number) => ({ cacheRead: input / 10 });

/**
 * US dollars per million tokens, at the standard tier. Uncertain prices are left out: those that depend on the time of
 * day, brokers, and unknown prices above `upTo`.
 */
export const priceTable: readonly PriceRow[] = [
  // https://platform.claude.com/docs/en/about-claude/pricing (writes: the cache of five minutes)
  { model: "anthropic/claude-fable-5-1", input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  { model: "anthropic/claude-fable-5", input: 10, output: 50, ...usualCache(10) },
  { model: "anthropic/claude-opus-5-5", input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  { model: "anthropic/claude-opus-5", input: 5, output: 25, ...usualCache(5) },
  { model: "anthropic/claude-opus-4-8", input: 5, output: 25, ...usualCache(5) },
  { model: "anthropic/claude-opus-4-7", input: 5, output: 25, ...usualCache(5) },
  { model: "anthropic/claude-opus-4-6", input: 5, output: 25, ...usualCache(5) },
  { model: "anthropic/claude-opus-4-5", input: 5, output: 25, ...usualCache(5) },
  { model: "anthropic/claude-opus-4-1", input: 15, output: 75, ...usualCache(15) },
  { model: "anthropic/claude-sonnet-5-5", input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  { model: "anthropic/claude-sonnet-5", input: 2, output: 10, ...usualCache(2) },
  { model: "anthropic/claude-sonnet-4-6", input: 3, output: 15, ...usualCache(3) },
  { model: "anthropic/claude-sonnet-4-5", input: 3, output: 15, ...usualCache(3), upTo: 200_000 },
  { model: "anthropic/claude-haiku-5-5", input: 0.1, output: 0.5, ...usualCache(0.1), upTo: 100_000 },
  { model: "anthropic/claude-haiku-5-5", input: 0.5, output: 2.5, ...usualCache(0.5) },
  { model: "anthropic/claude-haiku-4-5", input: 1, output: 5, ...usualCache(1) },

  // https://developers.openai.com/api/docs/pricing (above 272,000 tokens another price applies)
  {
    model: "openai/gpt-6.1-sol",
    input: 2,
    output: 10,
    cacheRead: 0.1,
    cacheWrite: 2.5,
    upTo: 272_000,
  },
  {
    model: "openai/gpt-6.1-terra",
    input: 1,
    output: 5,
    cacheRead: 0.05,
    cacheWrite: 1.25,
    upTo: 272_000,
  },
  { model: "openai/gpt-6-sol", input: 2, output: 10, ...usualCache(2), upTo: 272_000 },
  { model: "openai/gpt-6-luna", input: 0.1, output: 0.5, ...usualCache(0.1), upTo: 272_000 },
  { model: "openai/gpt-5.5", input: 5, output: 30, ...tenth(5), upTo: 272_000 },
  { model: "openai/gpt-5.4", input: 2.5, output: 15, ...tenth(2.5), upTo: 272_000 },
  { model: "openai/gpt-5.4-mini", input: 0.75, output: 4.5, ...tenth(0.75) },
  { model: "openai/gpt-5.2", input: 1.75, output: 14, ...tenth(1.75) },
  { model: "openai/gpt-5.1", input: 1.25, output: 10, ...tenth(1.25) },
  { model: "openai/gpt-5", input: 1.25, output: 10, ...tenth(1.25) },
  { model: "openai/gpt-5-mini", input: 0.25, output: 2, ...tenth(0.25) },
  { model: "openai/gpt-5-nano", input: 0.05, output: 0.4, ...tenth(0.05) },
  { model: "openai/gpt-4.1", input: 2, output: 8, cacheRead: 0.5 },
  { model: "openai/gpt-4.1-mini", input: 0.4, output: 1.6, cacheRead: 0.1 },

  // https://ai.google.dev/gemini-api/docs/pricing (the first model is temporarily half price)
  { model: "gemini/gemini-3.8-flash", input: 0.75, output: 3.75, ...tenth(0.75), until: "2026-12-31" },
  { model: "gemini/gemini-3.1-pro-preview", input: 2, output: 12, ...tenth(2), upTo: 200_000 },
  { model: "gemini/gemini-2.5-pro", input: 1.25, output: 10, ...tenth(1.25), upTo: 200_000 },
  { model: "gemini/gemini-2.5-pro", input: 2.5, output: 15, ...tenth(2.5) },
  { model: "gemini/gemini-2.5-flash", input: 0.3, output: 2.5, ...tenth(0.3) },

  // https://docs.x.ai/docs/models
  { model: "xai/grok-4.7", input: 2, output: 6, cacheRead: 0.5, upTo: 199_999 },
  { model: "xai/grok-4.7", input: 4, output: 12, cacheRead: 1 },
  { model: "xai/grok-4.3", input: 1.25, output: 2.5, cacheRead: 0.2, upTo: 199_999 },

  // https://groq.com/pricing
  { model: "groq/openai/gpt-oss-120b", input: 0.15, output: 0.6 },
];
