/** A stream sends heartbeats, waits for its reader, and ends when the client stops reading. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "../base/async.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { oneByOne } from "../wires/frames.ts";
import { wires } from "../wires/index.ts";
import type { Wire } from "../wires/wire.ts";
import { lmServerBounds } from "./bounds.ts";
import { streamOf, withSigns, type StreamCallbacks } from "./stream.ts";
import { silenceMs } from "./stream.ts";

const { unread } = lmServerBounds;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ended = { whole?: boolean; reason?: string };

function context(ended: Ended): StreamCallbacks {
  return {
    ended: (whole) => (ended.whole = whole),
    abandon: (reason) => (ended.reason = reason.message),
    cut: undefined,
  };
}

async function* texts(...steps: (string | Promise<unknown>)[]): AsyncGenerator<string> {
  for (const step of steps)
    if (typeof step === "string") yield step;
    else await step;
}

async function opened(source: AsyncGenerator<string>, ended: Ended) {
  const stream = streamOf(await source.next(), source, context(ended));
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  return { reader, read: async () => decoder.decode((await reader.read()).value) };
}

test("every text arrives in order, and the end is reported as complete", async () => {
  const ended: Ended = {};
  const { read, reader } = await opened(texts("a", "b", "c"), ended);
  expect([await read(), await read(), await read()]).toEqual(["a", "b", "c"]);
  expect((await reader.read()).done).toBe(true);
  expect(ended).toEqual({ whole: true });
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing is read from the model before the client reads", async () => {
  let taken = 0;
  async function* counted(): AsyncGenerator<string> {
    for (;;) yield String((taken += 1));
  }
  const { read, reader } = await opened(counted(), {});
  expect([await read(), await read()]).toEqual(["1", "2"]);
  expect(taken).toBe(2);
  await reader.cancel();
});

test("a client that does not read for too long is abandoned", async () => {
  const ended: Ended = {};
  const { read, reader } = await opened(texts("a", "b"), ended);
  expect(await read()).toBe("a");
  await vi.advanceTimersByTimeAsync(unread.most + silenceMs);
  await expect(reader.read()).rejects.toThrow("did not read");
  expect(ended).toEqual({ whole: false, reason: "The client did not read the answer." });
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that disconnects stops the model", async () => {
  const ended: Ended = {};
  let isOver = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield "x";
    } finally {
      isOver = true;
    }
  }
  const { read, reader } = await opened(endless(), ended);
  await read();
  await reader.cancel(new Error("gone"));
  await vi.advanceTimersByTimeAsync(0);
  expect([ended, isOver]).toEqual([{ whole: false, reason: "gone" }, true]);
});

const start = { type: "answer-start", model: "m" } as const;
const word: ModelEvent = { type: "text-delta", text: "x" };
const sign: ModelEvent = { type: "withheld", name: "", characters: 0 };

async function* events(...steps: (ModelEvent | Promise<unknown>)[]): AsyncGenerator<ModelEvent> {
  for (const step of steps)
    if ("type" in step) yield step;
    else await step;
}

test("an answer without silence is passed on unchanged", async () => {
  expect(await collect(withSigns(events(start, word), start))).toEqual([start, word]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a late answer is begun on behalf of the model, once, and each silence has a sign of life", async () => {
  const gate = Promise.withResolvers<void>();
  const late = withSigns(events(gate.promise, start, word), start);
  const first = late.next();
  await vi.advanceTimersByTimeAsync(1.25 * silenceMs);
  expect((await first).value).toEqual(start);
  expect((await late.next()).value).toEqual(sign);
  const next = late.next();
  await vi.advanceTimersByTimeAsync(1.25 * silenceMs);
  expect((await next).value).toEqual(sign);
  gate.resolve();
  expect(await collect(late)).toEqual([word]);
});

test("no signs pile up for a client that does not read", async () => {
  const never = new Promise<never>(() => undefined);
  const answer = withSigns(events(start, never), start);
  expect((await answer.next()).value).toEqual(start);
  await vi.advanceTimersByTimeAsync(5 * silenceMs);
  const next = answer.next();
  await vi.advanceTimersByTimeAsync(1.25 * silenceMs);
  expect((await next).value).toEqual(sign);
});

test("the first failure of an answer stays a failure before its first event", async () => {
  const gone = Promise.reject(new Error("gone"));
  await expect(collect(withSigns(events(gone), start))).rejects.toThrow("gone");
});

const whole = async (wire: Wire): Promise<string> => {
  async function* answer(): AsyncGenerator<ModelEvent> {
    yield start;
    yield sign;
    yield word;
    yield sign;
    yield { type: "answer-end", reason: "stop" };
  }
  return (await collect(wire.encodeEvents(answer()))).join("");
};

test.each(Object.values(wires).map((wire) => [wire.name, wire] as const))(
  "%s: signs of life are frames that change nothing",
  async (_, wire) => {
    const text = await whole(wire);
    async function* bytes() {
      yield new TextEncoder().encode(text);
    }
    const read = await collect(oneByOne(wire.decodeBatches(bytes())));
    expect(read.filter(({ type }) => type === "text-delta")).toEqual([word]);
    expect(read.at(-1)).toEqual({ type: "answer-end", reason: "stop" });
    const shown = {
      anthropic: /event: ping/g,
      "openai-chat": /"delta":\{\},"logprobs":null,"finish_reason":null/g,
      "openai-responses": /event: response\.in_progress/g,
      ollama: /"content":""\},"done":false/g,
      gemini: /"parts":\[\]\},"index":0\}\]/g,
      cohere: /^: working$/gm,
    }[wire.name];
    expect(text.match(shown)?.length).toBe(wire.name === "openai-responses" ? 3 : 2);
  },
);
