import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "../base/async.ts";
import { readsAtPace } from "./reading-pace.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream in which something comes whenever it is read. */
async function* endless(): AsyncGenerator<number> {
  for (let at = 0; ; at += 1) yield at;
}

type OpenStream = AsyncGenerator<number>;

const open = async (count: number): Promise<OpenStream[]> => {
  const streams = Array.from({ length: count }, () => readsAtPace(endless()));
  for (const stream of streams) await stream.next();
  return streams;
};

const close = (streams: readonly OpenStream[]): Promise<unknown> =>
  Promise.all(streams.map((stream) => stream.return(undefined)));

/** How many milliseconds pass before the next read. */
async function pauseOf(stream: OpenStream): Promise<number> {
  const read = vi.fn();
  const next = stream.next().then(read);
  let passed = 0;
  await vi.advanceTimersByTimeAsync(0);
  for (; read.mock.calls.length === 0; passed += 1) await vi.advanceTimersByTimeAsync(1);
  await next;
  return passed;
}

test.each([
  [1, 0],
  [32, 0],
  [72, 10],
  [200, 42],
  [500, 48],
])("of %d streams each is read again after %d ms", async (count, pause) => {
  const streams = await open(count);
  const [first, last] = [streams[0], streams.at(-1)].filter((stream) => stream !== undefined);
  expect(first && (await pauseOf(first))).toBe(pause);
  expect(last && (await pauseOf(last))).toBe(pause);
  await close(streams);
});

test("streams that ended, failed or were left no longer count", async () => {
  async function* one(): AsyncGenerator<number> {
    yield 1;
  }
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    throw new Error("broken off");
  }
  const others = await open(32);
  for (let at = 0; at < 40; at += 1) {
    for await (const _ of readsAtPace(one()));
    await expect(collect(readsAtPace(failing()))).rejects.toThrow("broken off");
    for await (const _ of readsAtPace(endless())) break;
  }
  const [stream] = others;
  expect(stream && (await pauseOf(stream))).toBe(0);
  await close(others);
});
