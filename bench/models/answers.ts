/** Has a real model write a few hundred answers to varied tasks, held to a form by its server and free. */

import { Validator } from "@cfworker/json-schema";
import * as z from "zod/mini";
import type { JsonObject } from "../../src/base/json.ts";
import type { ToolCall } from "../../src/protocol/messages.ts";
import { catalog, type Provider } from "../../src/providers/catalog.ts";
import { serverOf, type ModelChoice } from "../../src/providers/discover.ts";
import { constraintDropped } from "../../src/providers/held-model.ts";
import { httpModel } from "../../src/providers/http-model.ts";
import { prepareModel } from "../../src/providers/open-model.ts";
import type { Model } from "../../src/providers/provider.ts";
import { isNative, type ModelWay } from "../../src/providers/ways.ts";
import { wrapModel } from "../../src/providers/wrapped-model.ts";
import { offeredTask, type OfferedTask } from "./tools.ts";

/** A model on a llama-server. */
export type ModelPlace = { url: string; name: string };

/** `extra` goes along with every request. */
export function llamaServerAt({ url, name }: ModelPlace, extra: JsonObject = {}): ModelChoice {
  const row = catalog.find((one) => one.name === "llamacpp");
  if (!row) throw new Error("The catalog has no llama-server.");
  const provider: Provider = {
    ...row,
    adjust: { [row.wire]: (body: JsonObject) => ({ ...body, ...extra }) },
  };
  return { provider, server: serverOf(provider, {}, url), model: name, because: "it is measured" };
}

/** One answer. */
export const answerRecord = z.object({
  way: z.string(),
  /** Of its task. */
  number: z.number(),
  /** What was demanded of it: a call of any tool, of this one, or nothing. */
  demands: z.enum(["nothing", "a call", "this call"]),
  calls: z.number(),
  /** Calls that are valid by the schema of an offered tool, without any repair. */
  valid: z.number(),
  /** Calls within which the longest answer ended. */
  cut: z.number(),
  /** What was wrong with the others. */
  wrong: z.array(z.string()),
  tokens: z.number(),
  /** From the first token to the last. */
  writingMs: z.number(),
  /** Before the first token. */
  waitingMs: z.number(),
  reason: z.string(),
});
export type AnswerRecord = z.infer<typeof answerRecord>;

/** Tokens: calls need fewer, and a small model seldom ends its words by itself. */
const longest = 128;

/** Yields what is not known yet. */
export async function* answers(
  place: ModelPlace,
  { count, isKnown }: { count: number; isKnown: (way: string, number: number) => boolean },
): AsyncGenerator<AnswerRecord> {
  const clock = newClock();
  const ways = await waysFor(place, clock);
  for (let number = 0; number < count; number += 1)
    for (const [at, way] of ways.entries()) {
      if (number % shareOf(at) !== 0 || isKnown(way.name, number)) continue;
      yield await answer(way, number, clock);
    }
}

/** Every task is done in the first way, and every fourth also in the others, to be compared with. */
const shareOf = (at: number): number => (at === 0 ? 1 : 4);

/** What the model would be asked in where no native tools are: first held to it, then free. */
async function waysFor(place: ModelPlace, clock: WritingClock): Promise<ModelWay[]> {
  const choice = llamaServerAt(place);
  choice.provider.open = (options) => clock.timed(httpModel(options));
  const { usual } = await prepareModel(choice, { maxTokens: longest });
  const texts = usual.ways.filter((way) => !isNative(way));
  const held = texts.filter(({ name }) => name.includes("+"));
  const free = texts.find(({ name }) => !name.includes("+"));
  return free ? [...held, free] : held;
}

type WritingClock = { sentAt: number; firstAt: number; lastAt: number; timed(model: Model): Model };

/** Notes when the server wrote, whatever a dialect holds back. */
function newClock(): WritingClock {
  const clock: WritingClock = {
    sentAt: 0,
    firstAt: 0,
    lastAt: 0,
    timed: (model) =>
      wrapModel(model, {
        async *ask(...asked) {
          clock.sentAt = performance.now();
          clock.firstAt = 0;
          for await (const event of model.ask(...asked)) {
            const now = performance.now();
            if (event.type !== "answer-start") clock.firstAt ||= now;
            clock.lastAt = now;
            yield event;
          }
        },
      }),
  };
  return clock;
}

async function answer({ name, model }: ModelWay, number: number, clock: WritingClock): Promise<AnswerRecord> {
  const task = offeredTask(number);
  const calls: ToolCall[] = [];
  let [tokens, reason] = [0, "none"];
  const prompt = { system: "You are an assistant with tools.", ...task };
  for await (const event of model.ask(prompt, new AbortController().signal)) {
    if (event.type === "call-end") calls.push(event.call);
    if (event.type === "usage") tokens = event.usage.outputTokens;
    if (event.type === "answer-end") ({ reason } = event);
    if (event.type === "notice" && event.code === constraintDropped) throw new Error(event.detail);
  }
  const { sentAt, firstAt, lastAt } = clock;
  const verdicts = calls.map((call) => verdictOf(call, task, reason));
  const wrong = verdicts.filter((verdict) => !["valid", "cut"].includes(verdict));
  const demands =
    task.toolChoice === "auto" ? "nothing" : task.toolChoice === "required" ? "a call" : "this call";
  return {
    way: name,
    number,
    demands,
    calls: calls.length,
    valid: verdicts.filter((verdict) => verdict === "valid").length,
    cut: verdicts.filter((verdict) => verdict === "cut").length,
    wrong,
    tokens,
    writingMs: Math.round(lastAt - firstAt),
    waitingMs: Math.round(firstAt - sentAt),
    reason,
  };
}

/** "valid", "cut", or what is wrong. */
function verdictOf(call: ToolCall, { tools, toolChoice }: OfferedTask, reason: string): string {
  const { name, input, problem, repairs = [], rawArguments } = call;
  if (problem !== undefined) return reason === "length" ? "cut" : `${problem} ${rawArguments ?? ""}`;
  const tool = tools.find((one) => one.name === name);
  if (!tool) return `there is no tool ${name}`;
  if (typeof toolChoice === "object" && toolChoice.name !== name)
    return `it called ${name}, not ${toolChoice.name}`;
  if (repairs.length > 0)
    return `it was repaired: ${repairs.map(({ detail }) => detail).join(" ")} ${rawArguments ?? ""}`;
  const { valid, errors } = new Validator(structuredClone(tool.schema), "2020-12").validate(input);
  if (valid) return "valid";
  return `${errors.at(-1)?.error ?? "invalid"} ${JSON.stringify(input)}`;
}
