/** Tests a slow reader: it misses pieces, and then gets the whole open block, never one with a gap. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Signal } from "../protocol/facts.ts";
import { scale } from "../testing/scale.ts";
import { emptyTranscript, showEntry, visibleBlocks } from "../view/transcript.ts";
import { mostFollowerSignals, mostFollowerText } from "./follower.ts";
import { newLog, note, output, reasoningDelta } from "./testing/watched-log.ts";

const runs = scale * 60;

/** More signals than may be queued, none of which can be joined with its neighbour. */
const flood = (count = mostFollowerSignals + 1): Signal[] =>
  Array.from({ length: count }, (_, at) => output(`c${at % 2}`, 0, "."));

/** A reader pulled from outside, and the events it has read. */
function readerOf(events: AsyncGenerator<Entry | Signal, void>) {
  const read: (Entry | Signal)[] = [];
  let pulling: Promise<void> | undefined;
  const next = async (): Promise<void> => {
    const { value } = await events.next();
    pulling = undefined;
    if (value) read.push(value);
  };
  return {
    read,
    /** Takes events as long as some are available. */
    pull: async (most = Number.POSITIVE_INFINITY) => {
      for (let count = 0; count < most; count += 1) {
        const before = read.length;
        pulling ??= next();
        // Available events arrive before the next turn of the event loop.
        await Promise.race([pulling, new Promise((resolve) => setImmediate(resolve))]);
        if (read.length === before) return;
      }
    },
  };
}

const deltasIn = (events: readonly (Entry | Signal)[]) =>
  events.flatMap((event) => (event.type === "reasoning-delta" ? [event] : []));

test("after dropped signals a reader gets the open block whole and once, then live deltas", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const reader = readerOf(log.follow(0, stop.signal));
  await reader.pull();
  log.signal(reasoningDelta(1, 0, "one "));
  await reader.pull();
  log.signal(reasoningDelta(1, 4, "two "));
  for (const signal of flood()) log.signal(signal);
  log.signal(reasoningDelta(1, 8, "three "));
  for (const signal of flood(3)) log.signal(signal);
  await reader.pull();
  log.signal(reasoningDelta(1, 14, "four"));
  await reader.pull();
  expect(deltasIn(reader.read).map(({ offset, text }) => [offset, text])).toEqual([
    [0, "one "],
    [0, "one two three "],
    [14, "four"],
  ]);
  stop.abort();
});

test("a block closed while its reader was stalled is delivered as its fact only", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const reader = readerOf(log.follow(0, stop.signal));
  await log.append(note("before"));
  await reader.pull(1);
  log.signal(reasoningDelta(1, 0, "one "));
  for (const signal of flood()) log.signal(signal);
  log.signal(reasoningDelta(1, 4, "two"));
  await log.append({ type: "reasoning", block: 1, text: "one two" });
  log.signal(reasoningDelta(2, 0, "next"));
  await reader.pull();
  expect(deltasIn(reader.read)).toEqual([reasoningDelta(2, 0, "next")]);
  expect(reader.read.filter((event) => "seq" in event)).toMatchObject([
    { text: "before" },
    { text: "one two" },
  ]);
  stop.abort();
});

type Action = { do: "say" | "shout" | "flood" | "close" | "note" | "join" | "pull" | "sip" };
const action: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom("say", "say", "say", "shout", "flood", "close", "note", "join", "pull", "sip"),
});

const stalled = (...actions: Action["do"][]): Action[] => actions.map((what) => ({ do: what }));

test("a stalled reader always has a gapless prefix of each block, and its queue stays limited", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const { log } = await newLog({ batchMs: 0 });
      const stop = new AbortController();
      const readers = [readerOf(log.follow(0, stop.signal))];
      const whole = [""]; // the text of each block so far
      const say = (text: string): void => {
        const block = whole.length;
        log.signal(reasoningDelta(block, whole[block - 1]?.length ?? 0, text));
        whole[block - 1] += text;
      };
      for (const [at, { do: what }] of actions.entries()) {
        if (what === "say") say(`${at};`);
        else if (what === "shout") for (let part = 0; part < 6; part += 1) say(String(part).repeat(250_000));
        else if (what === "flood") for (const signal of flood()) log.signal(signal);
        else if (what === "note") await log.append(note(`${at}`));
        else if (what === "join") readers.push(readerOf(log.follow(0, stop.signal)));
        else if (what === "close") {
          await log.append({ type: "reasoning", block: whole.length, text: whole.at(-1) ?? "" });
          whole.push("");
        } else for (const reader of readers) await reader.pull(what === "sip" ? 1 : undefined);
      }
      // Signals sent while a fact is being stored are delivered a moment later: wait until all are.
      await new Promise((resolve) => setImmediate(resolve));
      for (const { pull, read } of readers) {
        const before = read.length;
        await pull();
        const late = read.slice(before).filter((event) => !("seq" in event));
        // One may have been pulled already, and one is the whole block.
        expect(late.length).toBeLessThanOrEqual(mostFollowerSignals + 2);
        const longest = Math.max(...whole.map((text) => text.length)); // a snapshot, which is not queued
        const waited = late.reduce(
          (sum, event) => sum + ("text" in event && event.text !== undefined ? event.text.length : 0),
          0,
        );
        expect(waited).toBeLessThanOrEqual(mostFollowerText + 250_010 + longest);
        expectWhole(read, whole);
      }
      stop.abort();
    }),
    { numRuns: runs, examples: [[stalled("say", "sip", "shout", "note", "say", "flood")]] },
  );
});

function expectWhole(read: readonly (Entry | Signal)[], whole: readonly string[]): void {
  const texts = new Map<number, string>();
  const closed = new Set<number>();
  for (const event of read) {
    if (event.type === "reasoning") closed.add(event.block);
    if (event.type !== "reasoning-delta") continue;
    const { block, offset, text } = event;
    expect(closed.has(block)).toBe(false);
    const had = texts.get(block) ?? "";
    expect([0, had.length]).toContain(offset);
    texts.set(block, offset === 0 ? text : had + text);
    expect(whole[block - 1]?.startsWith(texts.get(block) ?? "?")).toBe(true);
  }
  const last = whole.length;
  expect(texts.get(last) ?? "").toBe(whole.at(-1)); // nothing more will arrive unprompted
  expect(closed.size).toBe(last - 1);
}

test("a transcript shows the open block whole again after a gap", async () => {
  const { log } = await newLog({ batchMs: 0 });
  const stop = new AbortController();
  const reader = readerOf(log.follow(0, stop.signal));
  const transcript = emptyTranscript();
  await reader.pull();
  log.signal(reasoningDelta(1, 0, "one "));
  await reader.pull();
  log.signal(reasoningDelta(1, 4, "two "));
  for (const signal of flood()) log.signal(signal);
  await reader.pull();
  for (const event of reader.read) showEntry(transcript, event, 0);
  showEntry(transcript, reasoningDelta(1, 0, "one"), 0); // an old piece, delivered twice
  expect(visibleBlocks(transcript)).toMatchObject([{ type: "reasoning", text: "one two ", open: true }]);
  showEntry(transcript, reasoningDelta(1, 0, "Another one"), 0);
  expect(visibleBlocks(transcript)).toMatchObject([{ type: "reasoning", text: "Another one", open: true }]);
  stop.abort();
});
