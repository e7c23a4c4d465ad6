/** A stream sends heartbeats, waits for its reader, and ends when the client stops reading. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "../../base/async.ts";
import { bounds } from "../../base/bounds.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { begunInTime, streamOf, type StreamRoom } from "./stream.ts";

const { silence, unread } = bounds.lmServer;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ended = { whole?: boolean; reason?: string };

function room(ended: Ended): StreamRoom {
  return {
    sign: " ",
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
  const stream = streamOf(await source.next(), source, room(ended));
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

test("a heartbeat is sent while the model is silent", async () => {
  const gate = Promise.withResolvers<void>();
  const { read } = await opened(texts("a", gate.promise, "b"), {});
  expect(await read()).toBe("a");
  const next = read();
  await vi.advanceTimersByTimeAsync(1.25 * silence.most);
  expect(await next).toBe(" ");
  gate.resolve();
  expect(await read()).toBe("b");
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
  await vi.advanceTimersByTimeAsync(unread.most + silence.most);
  await expect(reader.read()).rejects.toThrow("did not read");
  expect(ended).toEqual({ whole: false, reason: "The client did not read the answer." });
  expect(vi.getTimerCount()).toBe(0);
});

test("heartbeats do not pile up for a client that does not read", async () => {
  const ended: Ended = {};
  const { read, reader } = await opened(texts("a", new Promise(() => undefined)), ended);
  expect(await read()).toBe("a");
  const sign = read();
  await vi.advanceTimersByTimeAsync(1.25 * silence.most);
  expect(await sign).toBe(" ");
  await vi.advanceTimersByTimeAsync(unread.most + 2 * silence.most);
  await expect(reader.read()).rejects.toThrow("did not read");
  expect(ended.whole).toBe(false);
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

const start: ModelEvent = { type: "answer-start", model: "m" };
const word: ModelEvent = { type: "text-delta", text: "x" };

async function* events(...steps: (ModelEvent | Promise<unknown>)[]): AsyncGenerator<ModelEvent> {
  for (const step of steps)
    if ("type" in step) yield step;
    else await step;
}

test("an answer that begins in time is passed on unchanged", async () => {
  const never = new Promise<ModelEvent>(() => undefined);
  expect(await collect(begunInTime(events(start, word), never))).toEqual([start, word]);
});

test("a late answer is begun on behalf of the model, once", async () => {
  const gate = Promise.withResolvers<void>();
  const begin = Promise.withResolvers<ModelEvent>();
  const late = begunInTime(events(gate.promise, start, word), begin.promise);
  const first = late.next();
  begin.resolve(start);
  expect((await first).value).toEqual(start);
  gate.resolve();
  expect(await collect(late)).toEqual([word]);
});
