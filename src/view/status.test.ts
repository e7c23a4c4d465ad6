/** The status line's description of what a turn is waiting for. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact, Signal } from "../protocol/facts.ts";
import { statusOf } from "./status.ts";
import { emptyTranscript, showEntry } from "./transcript.ts";

/** Events with their arrival times in seconds. */
type Told = readonly (readonly [at: number, event: Fact | Signal])[];

function transcriptOf(told: Told) {
  const transcript = emptyTranscript();
  for (const [index, [at, event]] of told.entries()) {
    const isSignal = event.type.endsWith("-delta") || ["retrying", "compacting"].includes(event.type);
    const stamped = isSignal ? event : { ...event, v: 1, seq: index + 1, at: at * 1000, turn: 1 };
    showEntry(transcript, stamped as Entry | Signal, at * 1000);
  }
  return transcript;
}

const statusAt = (seconds: number, told: Told): string | undefined =>
  statusOf(transcriptOf(told), seconds * 1000)?.text;

const request: Fact = { type: "user-message", content: [{ type: "text", text: "Go" }] };
const call: Fact = { type: "call", call: { id: "a", name: "run_command", input: {}, source: "native" } };
const start = (title = "Run npm test", does: "read" | "execute" = "execute"): Fact => ({
  type: "call-start",
  callId: "a",
  title,
  does,
});
const output = (offset: number, text: string): Signal => ({
  type: "output-delta",
  callId: "a",
  offset,
  text,
});
const writing = (characters: number, name = "write_file"): Signal => ({
  type: "call-delta",
  callId: "a",
  name,
  characters,
});
const retry: Signal = {
  type: "retrying",
  because: "The provider is overloaded.",
  waitMs: 8000,
  attempt: 1,
};
const ending: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };

test("there is no status before the first request or after the end of a turn", () => {
  expect(statusAt(100, [])).toBeUndefined();
  expect(statusAt(100, [[0, request], [1, call], [2, start()], [3, ending]])).toBeUndefined(); // prettier-ignore
});

test("the status is waiting for the model after a second of silence", () => {
  expect(statusAt(0.9, [[0, request]])).toBeUndefined();
  expect(statusAt(12.9, [[0, request]])).toBe("waiting for the model (12 s)");
  expect(statusAt(125, [[0, request]])).toBe("waiting for the model (2 min 5 s)");
  const spoken: Told = [
    [0, request],
    [10, { type: "text-delta", block: 1, offset: 0, text: "Hm" }],
  ];
  expect(statusAt(10.5, spoken)).toBeUndefined();
  expect(statusAt(13, spoken)).toBe("waiting for the model (3 s)");
  expect(statusAt(-50, spoken)).toBeUndefined();
});

test("a compaction is shown until its summary arrives or it is given up", () => {
  const about = { type: "compacting", because: "budget", tokens: 9_000 } as const;
  const begun: Told = [
    [0, request],
    [2, { ...about, state: "begun" }],
  ];
  expect(statusAt(2, begun)).toBe("summing up the conversation (0 s)");
  expect(statusAt(20, begun)).toBe("summing up the conversation (18 s)");
  expect(statusAt(12, [...begun, [4, { ...about, state: "given-up" }]])).toBe("waiting for the model (8 s)");
  const { tokens, ...fact } = { ...about, type: "compaction" as const };
  const summedUp: Fact = { ...fact, summary: "", keep: 0, tokensBefore: tokens, tokensAfter: 1, model: "m" };
  expect(statusAt(6.5, [...begun, [6, summedUp]])).toBeUndefined();
});

test("a call being written is shown with its size after a while", () => {
  expect(statusAt(0.9, [[0, request], [0, writing(400)]])).toBeUndefined(); // prettier-ignore
  const written: Told = [
    [0, request],
    [1, writing(0)],
    [3, writing(12_340)],
  ];
  expect(statusAt(3, written)).toBe("the model writes a call of write_file (12 KB)");
  expect(statusAt(3, [[0, request], [1, writing(400)]])).toBe("the model writes a call of write_file (0.4 KB)"); // prettier-ignore
  expect(statusAt(4, [...written, [4, call]])).toBeUndefined();
});

test("A28: text withheld as a possible call is shown with its size until it turns out to be text or a call", () => {
  const held = (characters: number, name = ""): Signal => ({
    type: "call-delta",
    callId: "",
    name,
    characters,
  });
  const holding: Told = [
    [0, request],
    [1, held(200)],
  ];
  expect(statusAt(3, holding)).toBe("the model writes what may be a call (0.2 KB)");
  const named: Told = [...holding, [3, held(2500, "write_file")]];
  expect(statusAt(3, named)).toBe("the model writes a call of write_file (2.5 KB)");
  expect(statusAt(3.5, [...named, [3, { type: "text-delta", block: 1, offset: 0, text: "{" }]])).toBe(
    undefined,
  );
  expect(statusAt(3.5, [...named, [3, writing(10)]])).toBe(undefined);
  expect(statusAt(3.5, [...named, [3, call]])).toBe(undefined);
});

test("a running command is shown immediately, with its time and the last line of output", () => {
  const running: Told = [
    [0, request],
    [1, call],
    [2, start()],
  ];
  expect(statusAt(2, running)).toBe("Run npm test (0 s)");
  const printing: Told = [...running, [3, output(0, "one\ntwo\n")]];
  expect(statusAt(36, printing)).toBe("Run npm test (34 s) · two");
  expect(statusAt(36, [...printing, [4, output(8, "10 %\r20 %\r")]])).toBe("Run npm test (34 s) · 20 %");
  const result: Fact = { type: "result", callId: "a", outcome: "ok", content: [] };
  expect(statusAt(36, [...printing, [36, result]])).toBeUndefined();
});

test("of several subagents one is shown with its activity, and the others are counted", () => {
  const given = (id: string): Told => [
    [1, { type: "call", call: { id, name: "delegate", input: {}, source: "native" } }],
    [2, { type: "call-start", callId: id, title: `Subagent: ${id}`, does: "read" }],
    [3, { type: "child-started", callId: id, session: `of ${id}`, task: id }],
  ];
  const told: Told = [
    [0, request],
    ...given("a"),
    ...given("b"),
    ...given("c"),
    [4, output(0, "Read a.txt\n")],
  ];
  expect(statusAt(7, told)).toBe("Subagent: a (5 s) and 2 more · Read a.txt");
});

test("a quick read is not shown", () => {
  const reading: Told = [
    [0, request],
    [1, call],
    [2, start("Read a.ts", "read")],
  ];
  expect(statusAt(2.5, reading)).toBeUndefined();
  expect(statusAt(5, reading)).toBe("Read a.ts (3 s)");
});

test("the elapsed time of a command with a long title stays visible", () => {
  const running: Told = [
    [0, request],
    [1, call],
    [2, start(`Run ${"x".repeat(5000)}`)],
  ];
  expect(statusAt(9, running)).toBe(`Run ${"x".repeat(26)}… (7 s)`);
});

test("a retry counts down before the status is waiting for the model again", () => {
  const retried: Told = [
    [0, request],
    [1, retry],
  ];
  expect(statusAt(1, retried)).toBe("asking again in 8 s: The provider is overloaded.");
  expect(statusAt(8.5, retried)).toBe("asking again in 1 s: The provider is overloaded.");
  expect(statusAt(9.5, retried)).toBeUndefined();
  expect(statusAt(14, retried)).toBe("waiting for the model (5 s)");
});

test("during an approval question the status is waiting for the answer", () => {
  const asked: Fact = {
    type: "approval-asked",
    callId: "a",
    title: "Run npm test",
    because: "",
    risk: "medium",
    preview: "",
    grant: "",
  };
  expect(statusAt(60, [[0, request], [1, call], [2, asked]])).toBe("waiting for your answer"); // prettier-ignore
});

test("a status is always one line without control characters", () => {
  const evil = fc.string({
    unit: fc.constantFrom("\u001B", "[2J", "\n", "\r", "\u0007", "\u009B", "\u202E", "a", "\u0000", "😀"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(evil, evil, fc.nat(3), (title, words, which) => {
      const happened: readonly (readonly (Fact | Signal)[])[] = [
        [writing(9, title)],
        [call, start(title), output(0, words)],
        [{ ...retry, because: words }],
      ];
      const events = happened[which] ?? [];
      const status = statusAt(5, [[0, request], ...events.map((event) => [1, event] as const)]);
      expect(status).toMatch(/^[^\p{Cc}\p{Bidi_Control}\p{Cs}]+$/u);
    }),
  );
});

test("D11: at a limit the status is waiting for the answer, then for the model", () => {
  const asked: Fact = { type: "limit-asked", limit: "rounds", used: 25, most: 25, offer: 38 };
  const answered: Fact = {
    type: "limit-answered",
    limit: "rounds",
    answer: "extend",
    most: 38,
    by: "terminal",
  };
  expect(
    statusAt(60, [
      [0, request],
      [2, asked],
    ]),
  ).toBe("waiting for your answer");
  expect(
    statusAt(60, [
      [0, request],
      [2, asked],
      [50, answered],
    ]),
  ).toBe("waiting for the model (10 s)");
});
