/** Holds each client to its limits, and records what its answers use. */

import { ModelError, type ModelEvent, type Usage } from "../protocol/model-events.ts";
import type { Model, Prompt } from "../providers/provider.ts";
import { sumOf } from "./account.ts";
import type { LimitedClient } from "./limits.ts";
import type { Records, ClientUsage } from "./records.ts";
import { RequestRefusal } from "./refusal.ts";

export type MeterOptions = {
  records: Pick<Records, "add" | "used">;
  /** Estimates a prompt's tokens. */
  count: (prompt: Prompt) => number;
  /** US dollars; undefined if the price is unknown. `by`: the name that the provider reported, or "". */
  price: (model: string, answered: { by: string; usage: Usage; at: number }) => number | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** One request of a client. */
export type Tab = {
  /** The model, with everything it uses on this client's account. Throws Refusal at a limit. */
  metered(model: Model): Pick<Model, "ask">;
  /** Called once, when the request is over. */
  close(): void;
};

export type Meter = {
  /** Throws Refusal at a limit. */
  open(client: LimitedClient): Tab;
  /** Hears of each answer at its end. */
  hears(listener: (client: string, spent: ClientUsage) => void): void;
};

const minute = 60_000;

export function meterOf(options: MeterOptions): Meter {
  const { now = Date.now } = options;
  /** For each client the times of its requests within the last minute, and how many answers it is being given. */
  const recent = new Map<string, number[]>();
  const running = new Map<string, number>();
  const listeners: Parameters<Meter["hears"]>[0][] = [];
  return {
    hears: (listener) => void listeners.push(listener),
    open(client) {
      const { name, limits } = client;
      const at = now();
      const { requestsPerMinute = Infinity, streams = Infinity } = limits;
      const times = (recent.get(name) ?? []).filter((time) => time > at - minute);
      recent.set(name, times);
      const [first = at] = times;
      if (times.length >= requestsPerMinute)
        throw beyond(client, `${requestsPerMinute} requests a minute`, first + minute - at);
      const others = running.get(name) ?? 0;
      if (others >= streams) throw beyond(client, `${streams} answers at once`, 1_000);
      if (requestsPerMinute !== Infinity) times.push(at);
      running.set(name, others + 1);
      const account: Accounting = { ...options, now, client, requests: 1, listeners };
      return {
        metered: (model) => ({ ask: (prompt, signal) => meterAnswer(model, prompt, { signal, account }) }),
        close: () => void running.set(name, (running.get(name) ?? 1) - 1),
      };
    },
  };
}

const beyond = ({ name }: LimitedClient, limit: string, retryAfter: number): RequestRefusal =>
  new RequestRefusal(429, `The limit of client "${name}" is reached: ${limit}.`, { retryAfter });

type Accounting = Required<MeterOptions> & {
  client: LimitedClient;
  /** What the next ask adds to the number of requests: 1, then 0. */
  requests: number;
  listeners: readonly Parameters<Meter["hears"]>[0][];
};

/**
 * An answer is recorded with its estimated prompt before it is asked for, and corrected at its end: answers at the same
 * time know of each other, and one whose process was killed is not free.
 */
async function* meterAnswer(
  model: Model,
  prompt: Prompt,
  { signal, account }: { signal: AbortSignal; account: Accounting },
): AsyncGenerator<ModelEvent> {
  const { client, now, records, price, count } = account;
  const at = now();
  const day = dayOf(at);
  const estimate = { inputTokens: count(prompt), outputTokens: 0 };
  const cost = price(model.name, { by: "", usage: estimate, at });
  checkBudget(account, { at, tokens: estimate.inputTokens, dollars: cost, model: model.name });
  const before: ClientUsage = { ...estimate, dollars: cost ?? 0, requests: account.requests, unpriced: 0 };
  account.requests = 0;
  records.add(day, client.name, before);
  const told = new AnswerMeter();
  let failed = false;
  try {
    for await (const event of model.ask(prompt, signal)) {
      told.take(event);
      yield event;
    }
  } catch (error) {
    failed = error instanceof ModelError && !signal.aborted;
    throw error;
  } finally {
    const usage = told.usage(failed, estimate.inputTokens);
    const paid = price(model.name, { by: told.by, usage, at });
    const { inputTokens, outputTokens } = usage;
    const unpriced = paid === undefined && inputTokens + outputTokens > 0 ? 1 : 0;
    const after: ClientUsage = {
      inputTokens,
      outputTokens,
      dollars: paid ?? 0,
      unpriced,
      requests: before.requests,
    };
    correct(records, { day, client: client.name, before, after });
    for (const listener of account.listeners) listener(client.name, after);
  }
}

type Correction = { day: string; client: string; before: ClientUsage; after: ClientUsage };

function correct(records: Pick<Records, "add">, { day, client, before, after }: Correction): void {
  try {
    records.add(day, client, {
      inputTokens: after.inputTokens - before.inputTokens,
      outputTokens: after.outputTokens,
      dollars: after.dollars - before.dollars,
      unpriced: after.unpriced,
    });
  } catch {
    // The answer is complete and the estimate stays. While nothing can be recorded, no further answer begins.
  }
}

/** Sums up one answer. */
class AnswerMeter {
  by = "";
  #characters = 0;
  readonly #usages: Usage[] = [];

  take(event: ModelEvent): void {
    if (event.type === "answer-start") this.by = event.model;
    else if (event.type === "usage") this.#usages.push(event.usage);
    else if (event.type === "text-delta" || event.type === "reasoning-delta")
      this.#characters += event.text.length;
    else if (event.type === "call-delta") this.#characters += event.json.length;
  }

  /** The provider's figures; without them an estimate, which is nothing for a request that failed unanswered. */
  usage(failed: boolean, prompt: number): Usage {
    const [first, ...more] = this.#usages;
    if (first) return more.reduce(sumOf, first);
    if (failed && this.#characters === 0) return { inputTokens: 0, outputTokens: 0 };
    return { inputTokens: prompt, outputTokens: Math.ceil(this.#characters / 4) };
  }
}

type BudgetRequest = { at: number; tokens: number; dollars: number | undefined; model: string };

/** Throws Refusal if the next prompt would go beyond what the client may use, or cannot be counted. */
function checkBudget({ client, records }: Accounting, next: BudgetRequest): void {
  const { tokensPerDay, tokensPerMonth, dollarsPerDay, dollarsPerMonth } = client.limits;
  const hasDollars = dollarsPerDay !== undefined || dollarsPerMonth !== undefined;
  if (!hasDollars && tokensPerDay === undefined && tokensPerMonth === undefined) return;
  if (hasDollars && next.dollars === undefined)
    throw new RequestRefusal(
      400,
      `The dollars of client "${client.name}" cannot be counted, because the price of ${next.model} is not known: it is set under "prices" in the configuration.`,
    );
  const { at, tokens, dollars = 0 } = next;
  const used = records.used(dayOf(at), client.name);
  const check = (
    limit: number | undefined,
    amount: number,
    words: (limit: string) => string,
    until: number,
  ) => {
    if (limit !== undefined && amount > limit)
      throw beyond(client, words(limit.toLocaleString("en")), until - at);
  };
  const [tomorrow, nextMonth] = [endOfDay(at), endOfMonth(at)];
  check(tokensPerMonth, used.tokensOfMonth + tokens, (most) => `${most} tokens a month`, nextMonth);
  check(dollarsPerMonth, used.dollarsOfMonth + dollars, (most) => `$${most} a month`, nextMonth);
  check(tokensPerDay, used.tokensOfDay + tokens, (most) => `${most} tokens a day`, tomorrow);
  check(dollarsPerDay, used.dollarsOfDay + dollars, (most) => `$${most} a day`, tomorrow);
}

/** "2026-11-22", in UTC. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, "2026-11-22".length);

const endOfDay = (at: number): number => Date.parse(dayOf(at)) + 24 * 60 * minute;

function endOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
