/** The stream of a turn for any signals: random sessions, with the fold as the oracle. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { currentTurn, emptyState, type SessionState } from "../../protocol/session-state.ts";
import { wholeLog } from "../../session/testing/log-arbitrary.ts";
import { projectChat } from "./project.ts";
import { emptyChat } from "./state.ts";
import { cutOff } from "./stream.ts";
import { type ChatClient, chatClient, parseFrame, receive } from "./testing/client.ts";
import { type ChatEvent, join, plain, play, storedConversation } from "./testing/play.ts";

/** The index at which a client joins or leaves, modulo the number of events. */
const place = fc.nat({ max: 10_000 });

/** How one block's signals arrive: the lengths of the chunks, which are lost, and whether the block restarts. */
const telling = fc.record({
  size: fc.integer({ min: 1, max: 6 }),
  lost: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  again: fc.boolean(),
  snapshot: fc.boolean(),
  /** Text that was shown before a crash and is missing from the log. */
  lies: fc.boolean(),
});
type Telling = typeof telling extends fc.Arbitrary<infer T> ? T : never;

const honest = telling.map((each) => ({ ...each, lies: false }));
const complete = honest.map((each) => ({ ...each, lost: [false] }));

/** The log with signals before each block, and late ones after it that must be ignored. */
function told(log: readonly Entry[], tellings: readonly Telling[]): ChatEvent[] {
  let last: ChatEvent | undefined;
  return log.flatMap((entry, index): ChatEvent[] => {
    const late = last && entry.type === "user-message" ? [last] : [];
    const how = tellings[index % tellings.length];
    if (!how || (entry.type !== "text" && entry.type !== "reasoning")) return [entry, ...late];
    if (entry.type === "text" && entry.by === "toolwright") return [entry];
    const type = entry.type === "text" ? ("text-delta" as const) : ("reasoning-delta" as const);
    const tooLate: ChatEvent = { type, block: entry.block, offset: 0, text: "late" };
    last = tooLate;
    return [...signals(entry, how), entry, tooLate];
  });
}

function signals(
  { type: kind, block, text }: Entry & { type: "text" | "reasoning" },
  how: Telling,
): ChatEvent[] {
  const { size, lost, again, snapshot, lies } = how;
  const type = kind === "text" ? ("text-delta" as const) : ("reasoning-delta" as const);
  const pieces: ChatEvent[] = [];
  for (let offset = 0; offset < text.length; offset += size)
    pieces.push({ type, block, offset, text: text.slice(offset, offset + size) });
  const heard = pieces.filter((_, at) => lost[at % lost.length] !== true);
  return [
    ...(lies
      ? [{ type: "text-delta" as const, block, offset: 0, text: `${text.slice(0, 3)} and never kept` }]
      : []),
    ...(again ? pieces.slice(0, 3) : []),
    ...heard,
    ...(snapshot ? [{ type, block, offset: 0, text }] : []),
  ];
}

/** The turn's message so far, according to the fold, which ignores signals. */
function spoken(state: SessionState): string {
  const draft = state.draft.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const said = [currentTurn(state)?.text ?? "", ...draft];
  return said.filter((text) => text.trim() !== "").join("\n\n");
}

/** Plays event by event; after each fact, and after the late signals that follow it, the client matches the fold. */
function playClosely(log: readonly ChatEvent[]): ChatClient {
  const client = chatClient();
  const fold = emptyState();
  let state = emptyChat("s");
  for (const [at, event] of log.entries()) {
    state = play(state, client, [event]);
    if ("seq" in event) step(fold, event);
    const isSettled = "seq" in event || "seq" in (log[at - 1] ?? {});
    const isLate = !("seq" in event) && "text" in event && event.text === "late";
    if (client.streaming && isSettled && ("seq" in event || isLate)) expect(client.text).toBe(spoken(fold));
  }
  return client;
}

const tellings = (each: fc.Arbitrary<Telling>) => fc.array(each, { minLength: 1, maxLength: 5 });

test("E5: with wrong, lost or repeated signals, and joining at any moment, the facts decide the message", () => {
  fc.assert(
    fc.property(wholeLog, tellings(telling), place, fc.boolean(), (log, how, where, isWorkedOn) => {
      const heard = told(log, how);
      expect(plain(playClosely(heard).messages)).toEqual(storedConversation(heard));
      const at = where % (heard.length + 1);
      const late = join(heard, at, isWorkedOn);
      play(late.state, late.client, heard.slice(at));
      expect(plain(late.client.messages)).toEqual(storedConversation(heard));
      expect(late.client.streaming).toBe(false);
    }),
  );
});

/** Only answers that broke off without a call may cause text to be withdrawn. */
const isWhole = (entry: Entry): boolean =>
  entry.type !== "answer-end" || (entry.reason !== "failed" && entry.reason !== "interrupted");

test("signals that are only lost, split or repeated never cause a reset", () => {
  fc.assert(
    fc.property(wholeLog, tellings(honest), (log, how) => {
      fc.pre(log.every(isWhole));
      const { frames } = playClosely(told(log, how));
      expect(frames.filter(({ type }) => type === "chat.stream.reset")).toEqual([]);
    }),
  );
});

test("when every signal arrives, they stream the whole text and the facts add no deltas", () => {
  fc.assert(
    fc.property(wholeLog, tellings(complete), (log, how) => {
      fc.pre(log.every(isWhole));
      const { frames } = playClosely(told(log, how));
      const closing = new Set(
        log.flatMap((entry) => (entry.type === "text" && entry.by === "toolwright" ? [entry.seq] : [])),
      );
      const stored = frames.filter(
        ({ type }) => type === "chat.stream.delta" || type === "chat.stream.reasoning",
      );
      expect(stored.filter((frame) => "seq" in frame && !closing.has(frame.seq ?? 0))).toEqual([]);
    }),
  );
});

test("white space at the start of a block is held back until the first word", () => {
  const stamp = { v: 1, at: 0, turn: 1 };
  const client = chatClient();
  play(emptyChat("s"), client, [
    { ...stamp, seq: 1, type: "user-message", content: [{ type: "text", text: "Go." }] },
    { type: "text-delta", block: 1, offset: 0, text: " \n" },
    { type: "text-delta", block: 1, offset: 2, text: " x" },
    { type: "text-delta", block: 1, offset: 4, text: "y" },
  ]);
  expect(client.frames.slice(2)).toMatchObject([
    { delta: " \n x", offset: 0 },
    { delta: "y", offset: 4 },
  ]);
});

test("a turn that nobody works on is not streaming until it is resumed", () => {
  const stamp = { v: 1, at: 0, turn: 1 };
  const { state, client } = join(
    [
      { ...stamp, seq: 1, type: "user-message", content: [{ type: "text", text: "Go." }] },
      { ...stamp, seq: 2, type: "text", block: 1, text: "Half", by: "model" },
    ],
    2,
    false,
  );
  expect(client.frames.map(({ type }) => type)).toEqual(["session", "chat.history"]);
  const renamed = play(state, client, [{ ...stamp, seq: 3, type: "session-renamed", title: "A name" }]);
  expect(client.streaming).toBe(false);
  play(renamed, client, [{ ...stamp, seq: 4, type: "turn-resumed", idleMs: 5_000 }]);
  expect(client.frames.slice(2)).toMatchObject([
    { type: "chat.stream.start", resumed: true },
    { type: "chat.stream.delta", delta: "Half", offset: 0 },
  ]);
});

test("E5: a stream cut off at any moment ends with stopped lost", () => {
  fc.assert(
    fc.property(wholeLog, place, (log, where) => {
      const client = chatClient();
      const state = play(emptyChat("s"), client, log.slice(0, where % (log.length + 1)));
      const { state: after, frames } = cutOff(state, { code: "session-lost", message: "It is gone." });
      for (const frame of frames) receive(client, parseFrame(frame));
      expect(client.streaming).toBe(false);
      expect(after.streaming).toBe(false);
      expect(client.ends.filter(({ stopped }) => stopped === "lost")).toHaveLength(state.streaming ? 1 : 0);
    }),
  );
});

test("the projection does not mutate its input state", () => {
  fc.assert(
    fc.property(wholeLog, (log) => {
      let state = emptyChat("s");
      for (const entry of log) {
        const before = structuredClone(state);
        const { state: next } = projectChat(state, entry);
        expect(state).toEqual(before);
        state = next;
      }
    }),
    { numRuns: 30 },
  );
});
