import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Entry, Signal } from "../protocol/facts.ts";
import { mostHeldOutput, OpenOutputs } from "./open-outputs.ts";
import { newLog, note, output, reasoningDelta, user, words } from "./testing/watched-log.ts";

/** Reads a follower until it has nothing more for now. */
async function drain(events: AsyncIterator<Entry | Signal>, count: number): Promise<(Entry | Signal)[]> {
  const read: (Entry | Signal)[] = [];
  while (read.length < count) {
    const next = await events.next();
    if (next.done) break;
    read.push(next.value);
  }
  return read;
}

test("a follower gets past facts, the open block so far, and new events without gap or overlap", async () => {
  const { log, told } = await newLog({ batchMs: 0 });
  await log.append(user, note("old"));
  log.signal(reasoningDelta(1, 0, "I th"));
  await vi.waitUntil(() => words(told).at(-1) === "I th");
  log.signal(reasoningDelta(1, 4, "ink"));
  expect(words(told).at(-1)).toBe("ink");
  const stop = new AbortController();
  const late = log.follow(1, stop.signal);
  const read = drain(late, 2);
  expect(words(await read)).toEqual(["old", "I think"]);
  log.signal(reasoningDelta(1, 7, " so"));
  await log.append({ type: "reasoning", block: 1, text: "I think so" }, note("new"));
  expect(
    (await drain(late, 3)).map((event) => ("offset" in event ? [event.offset, event.text] : words([event]))),
  ).toEqual([[7, " so"], ["I think so"], ["new"]]);
  const next = late.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test("who follows late gets what running calls have printed so far, and nothing of those that are over", async () => {
  const { log } = await newLog({ batchMs: 0 });
  await log.append(user, note("begun"));
  log.signal(output("running", 0, "re"));
  log.signal(output("over", 0, "gone"));
  log.signal(output("running", 2, "ady"));
  await log.append({ type: "result", callId: "over", outcome: "ok", content: [] });
  const stop = new AbortController();
  const late = log.follow(log.state.seq, stop.signal);
  expect(await drain(late, 1)).toEqual([output("running", 0, "ready")]);
  log.signal(output("running", 5, " steady"));
  expect(await drain(late, 1)).toEqual([output("running", 5, " steady")]);
  await log.append({ type: "turn-end", stopped: "done", text: "", changed: [], verified: [] });
  const later = log.follow(log.state.seq, stop.signal);
  const next = later.next();
  await log.append(note("new"));
  expect((await next).value).toMatchObject({ type: "warning" });
  stop.abort();
});

test("of an endless output the newest part is held, whatever the size of its pieces", () => {
  const outputs = new OpenOutputs();
  const piece = "0123456789".repeat(700);
  let offset = 0;
  for (let at = 0; at < 200; at += 1, offset += piece.length)
    outputs.add({ type: "output-delta", callId: "c", offset, text: piece });
  const [held] = outputs.snapshots();
  expect(held?.text.length).toBeGreaterThanOrEqual(mostHeldOutput);
  expect(held?.text.length).toBeLessThanOrEqual(2 * mostHeldOutput);
  expect((held?.offset ?? 0) + (held?.text.length ?? 0)).toBe(offset);
  expect(held?.text.slice(-piece.length)).toBe(piece);
});

test("followers lose, repeat and reorder nothing, whenever they join", async () => {
  const action = fc.oneof(
    fc.constant("delta" as const),
    fc.constant("close" as const),
    fc.constant("note" as const),
    fc.constant("join" as const),
    fc.constant("read" as const),
    fc.constant("breathe" as const),
    fc.constant("hold" as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), fc.nat({ max: 5 }), async (actions, after) => {
      const { log, store, told } = await newLog({ batchMs: 0 });
      await log.append(...[1, 2, 3, 4, 5].map((index) => note(`before ${index}`)));
      const stop = new AbortController();
      const followers: {
        events: AsyncGenerator<Entry | Signal, void>;
        read: (Entry | Signal)[];
        done: PromiseWithResolvers<void>;
      }[] = [];
      const appends: Promise<unknown>[] = [];
      let release = store.hold();
      release();
      let [number, offset] = [1, 0];
      const pull = async (follower: (typeof followers)[number]) => {
        const next = await follower.events.next();
        if (next.done) return;
        follower.read.push(next.value);
        if (words([next.value])[0] === "last") follower.done.resolve();
      };
      const reads: Promise<void>[] = [];
      for (const [index, kind] of actions.entries()) {
        if (kind === "delta") {
          log.signal(reasoningDelta(number, offset, `${index};`));
          offset += `${index};`.length;
        } else if (kind === "close") {
          appends.push(log.append({ type: "reasoning", block: number, text: "" }));
          [number, offset] = [number + 1, 0];
        } else if (kind === "note") appends.push(log.append(note(`${index}`)));
        else if (kind === "join")
          followers.push({ events: log.follow(after, stop.signal), read: [], done: Promise.withResolvers() });
        else if (kind === "read") reads.push(...followers.map(pull));
        else if (kind === "hold") {
          release();
          release = store.hold();
        } else await Promise.resolve();
      }
      release();
      await Promise.all(appends);
      await log.append(note("last"));
      reads.push(
        ...followers.map(async (follower) => {
          while (!stop.signal.aborted) await pull(follower);
        }),
      );
      await Promise.all(followers.map(({ done }) => done.promise));
      stop.abort();
      await Promise.all(reads);
      for (const { read } of followers) {
        const facts = read.filter((event) => "seq" in event);
        expect(facts).toEqual(log.entries.slice(after));
        expectSeamless(read);
      }
      expectSeamless(told);
    }),
    { numRuns: 200 },
  );
});

test("a stalled reader later gets every fact, and a limited number of signals", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const sleeper = log.follow(0, stop.signal);
  const first = sleeper.next();
  await log.append(note("0"));
  await first;
  for (let index = 1; index <= 1000; index += 1) {
    log.signal(output("c", index * 10, "x"));
    log.signal(output("c", index * 10 + 1, "y"));
    await log.append(note(`${index}`));
  }
  const read: (Entry | Signal)[] = [];
  while (words(read).at(-1) !== "1000") read.push(...(await drain(sleeper, 1)));
  stop.abort();
  expect(read.filter((event) => "seq" in event)).toHaveLength(1000);
  const signals = read.filter((event) => !("seq" in event));
  expect(signals.length).toBeLessThanOrEqual(256);
  expect(words(signals).every((text) => text === "xy")).toBe(true);
  expect(words(read).slice(-4)).toEqual(["xy", "999", "xy", "1000"]);
});

const progress = (callId: string, characters: number): Signal => ({
  type: "call-delta",
  callId,
  name: "n",
  characters,
});

test("queued signals are merged only where one continues the other", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const sleeper = log.follow(0, stop.signal);
  const first = sleeper.next();
  const signals = [
    output("a", 0, "1"),
    output("a", 1, "2"),
    output("b", 2, "x"),
    reasoningDelta(1, 0, "p"),
    reasoningDelta(2, 1, "q"),
    output("b", 9, "gap"),
  ];
  log.signal(signals[0] ?? output("", 0, ""));
  await first;
  for (const signal of signals.slice(1)) log.signal(signal);
  for (const characters of [1, 2, 3]) log.signal(progress("a", characters));
  log.signal(progress("b", 4));
  expect(await drain(sleeper, 7)).toEqual([...signals.slice(1), progress("a", 3), progress("b", 4)]);
  stop.abort();
});

test("a follower with a position beyond the end starts at the next fact, one with an invalid position at the first", async () => {
  const { log } = await newLog();
  await log.append(note("1"), note("2"));
  const stop = new AbortController();
  const beyond = log.follow(99, stop.signal);
  const next = beyond.next();
  await log.append(note("3"));
  expect(await next).toMatchObject({ value: { seq: 3 } });
  for (const before of [-5, 0.5, Number.NaN])
    expect(words(await drain(log.follow(before, stop.signal), 3))).toEqual(["1", "2", "3"]);
});

test("a follower can stop early, and an aborted one yields nothing", async () => {
  const { log } = await newLog();
  await log.append(note("1"), note("2"));
  const stop = new AbortController();
  for await (const event of log.follow(0, stop.signal)) {
    expect(words([event])).toEqual(["1"]);
    break;
  }
  stop.abort();
  expect(await drain(log.follow(0, stop.signal), 1)).toEqual([]);
});

const isNote = (entry: Entry): boolean => entry.type === "warning";

test("until resolves with the next match, or the first from a given position, and rejects with the abort's reason", async () => {
  const { log } = await newLog();
  await log.append(note("early"));
  const stop = new AbortController();
  const fromNow = log.until(isNote, stop.signal);
  log.signal(reasoningDelta(1, 0, "no entry"));
  await log.append(user, note("now"));
  expect(await fromNow).toMatchObject({ seq: 3, text: "now" });
  expect(await log.until(isNote, stop.signal, 0)).toMatchObject({ seq: 1, text: "early" });
  const never = log.until(isNote, stop.signal);
  stop.abort(new Error("enough"));
  await expect(never).rejects.toThrow("enough");
  await expect(log.until(isNote, stop.signal)).rejects.toThrow("enough");
});

/** Each block's deltas are contiguous from 0, and none comes after the block's fact. */
function expectSeamless(events: readonly (Entry | Signal)[]): void {
  const lengths = new Map<number, number>();
  const closed = new Set<number>();
  for (const event of events) {
    if (event.type === "reasoning") closed.add(event.block);
    if (event.type !== "reasoning-delta") continue;
    expect(event.offset).toBe(lengths.get(event.block) ?? 0);
    expect(closed.has(event.block)).toBe(false);
    lengths.set(event.block, event.offset + event.text.length);
  }
}
