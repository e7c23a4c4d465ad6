/** Terminal output for queued messages, questions, limits and turn guidance. */

import { expect, test } from "vitest";
import type { Entry, Fact } from "../protocol/facts.ts";
import { amountWords } from "./message-lines.ts";
import { blockLines, styleFor } from "./plain.ts";
import { emptyTranscript, showEntry, visibleBlocks } from "./transcript.ts";

const plain = styleFor({}, false);
const words = (text: string) => [{ type: "text" as const, text }];

function transcriptOf(...facts: Fact[]) {
  const transcript = emptyTranscript();
  facts.forEach((fact, at) => {
    const entry: Entry = { ...fact, v: 1, seq: at + 1, at, turn: 1 };
    showEntry(transcript, entry);
  });
  return transcript;
}

/** All lines printed for these facts. */
const linesOf = (...facts: Fact[]): string[] =>
  visibleBlocks(transcriptOf(...facts)).flatMap((block) => blockLines(block, plain));

const queued = (id: string, text: string, when: "steer" | "next" = "steer"): Fact => ({
  type: "message-queued",
  id,
  content: words(text),
  when,
});

test("a queued message is one line, and is shown whole once it is delivered", () => {
  expect(linesOf(queued("a", "one\ntwo"))).toEqual(["» one⏎two (told at the next step)"]);
  expect(linesOf(queued("a", "later", "next"))).toEqual(["» later (waits until this request is done)"]);
  expect(
    linesOf(queued("a", "one\ntwo"), { type: "steer", content: words("one\ntwo"), queued: "a" }),
  ).toEqual(["> one", "> two"]);
  expect(linesOf(queued("a", "never mind"), { type: "message-withdrawn", id: "a" })).toEqual([
    "» withdrawn: never mind",
  ]);
});

test("a queued message keeps its kind when it is delivered: steering or waiting for the next request", () => {
  const howOf = (when: "steer" | "next") => {
    const steer: Fact = { type: "steer", content: words("one"), queued: "a" };
    const user = transcriptOf(queued("a", "one", when), steer).blocks.find(({ type }) => type === "user");
    return user?.type === "user" ? user.how : undefined;
  };
  expect(howOf("steer")).toBe("steer");
  expect(howOf("next")).toBe("queued");
});

test("a queued message of 100 KB is still one short line", () => {
  const [line = ""] = linesOf(queued("a", "x ".repeat(50_000)));
  expect(line.length).toBeLessThan(220);
});

const asked: Fact = {
  type: "question-asked",
  callId: "c",
  question: "Which way?\nThink.",
  choices: [{ label: "left" }, { label: "right", detail: "it is longer\u001B[2J" }],
};

test("a question has numbered choices, with its answer below them", () => {
  const question = ["? Which way?", "  Think.", "   1. left", "   2. right", "      it is longer␛[2J"];
  expect(linesOf(asked)).toEqual(question);
  const reply = { type: "question-answered" as const, callId: "c", by: "terminal" };
  expect(linesOf(asked, { ...reply, answer: "given", chosen: [1] })).toEqual([
    ...question,
    "  Answered: right",
  ]);
  expect(linesOf(asked, { ...reply, answer: "given", text: "back" })).toEqual([
    ...question,
    "  Answered: back",
  ]);
  expect(linesOf(asked, { ...reply, answer: "declined" })).toEqual([...question, "  Not answered."]);
  expect(linesOf(asked, { ...reply, answer: "declined", by: "timeout" }).at(-1)).toBe(
    "  Nobody answered in time.",
  );
});

test("only the first answer to a question counts", () => {
  const reply = { type: "question-answered" as const, callId: "c", by: "terminal", answer: "given" as const };
  expect(linesOf(asked, { ...reply, chosen: [0] }, { ...reply, chosen: [1] }).at(-1)).toBe(
    "  Answered: left",
  );
});

test("a plan is a numbered list, approved, changed or rejected", () => {
  const plan: Fact = {
    type: "question-asked",
    callId: "c",
    question: "Mend it",
    choices: [],
    steps: [{ title: "Read" }, { title: "Test" }],
  };
  const reply = { type: "question-answered" as const, callId: "c", by: "terminal" };
  expect(linesOf(plan, { ...reply, answer: "given" })).toEqual([
    "? Mend it",
    "   1. Read",
    "   2. Test",
    "  Approved.",
  ]);
  expect(linesOf(plan, { ...reply, answer: "given", steps: [{ title: "Test" }] }).at(-1)).toBe(
    "  Approved with changes (1 of 2 steps, without: Read).",
  );
  expect(linesOf(plan, { ...reply, answer: "declined", text: "too much" }).at(-1)).toBe(
    "  Rejected: too much",
  );
});

test("a new todo list replaces the previous one", () => {
  const set = (state: "open" | "done"): Fact => ({
    type: "todos-set",
    items: [
      { text: "one", state },
      { text: "two", state: "doing" },
    ],
  });
  expect(linesOf(set("open"), set("done"))).toEqual(["To do (1 of 2 done):", "  [x] one", "  [~] two"]);
});

test("D11: a limit shows what was used and how it was answered", () => {
  const limit: Fact = { type: "limit-asked", limit: "rounds", used: 25, most: 25, offer: 38 };
  const question = "? This request has used all of its 25 rounds.";
  expect(linesOf(limit)).toEqual([question]);
  const answer = { type: "limit-answered" as const, limit: "rounds" as const, by: "terminal" };
  expect(linesOf(limit, { ...answer, answer: "stop" })).toEqual([question, "  Stopped."]);
  expect(linesOf(limit, { ...answer, answer: "extend", most: 38 })).toEqual([
    question,
    "  Goes on, up to 38 rounds.",
  ]);
  expect(linesOf({ ...answer, by: "toolwright", answer: "extend", most: 38 })).toEqual([
    "· Goes on by itself, up to 38 rounds.",
  ]);
});

test("trimming without any trimmed result is not shown", () => {
  expect(linesOf({ type: "results-trimmed", callIds: [], tokens: 0 })).toEqual([]);
});

test("each event that steers a turn is one line with its figures", () => {
  expect(
    linesOf(
      { type: "session-renamed", title: "Mend it" },
      { type: "mode-set", mode: "auto", by: "user" },
      { type: "grant-revoked", covers: { type: "tool", tool: "t" }, grant: "every use of t", by: "user" },
      { type: "branch", name: "work/1", from: "main", commit: "0123456789abcdef" },
      { type: "results-trimmed", callIds: ["a", "b"], tokens: 12_000 },
      {
        type: "compaction",
        summary: "s",
        keep: 2,
        because: "budget",
        tokensBefore: 150_000,
        tokensAfter: 20_000,
        model: "m",
      },
      { type: "failure-detected", pattern: "all-failed", count: 2, text: "Do something else.\nReally." },
      { type: "nudge", code: "empty", text: "Go on." },
    ),
  ).toEqual([
    '· The session is called "Mend it" now.',
    "· The mode is auto from here on.",
    "· Not allowed unasked any more: every use of t",
    "· Works on the git branch work/1, made from main.",
    "· The model is told only in short of 2 earlier results (12,000 tokens freed); it can read them again.",
    "· The conversation was summed up for the model (it was nearly full): 150,000 tokens → 20,000 tokens. The session keeps all of it.",
    "· All of its last calls failed. The model was told: Do something else.⏎Really.",
    "· The model was told: Go on.",
  ]);
});

test.each([
  ["rounds", 1, "1 round"],
  ["calls", 300, "300 calls"],
  ["tokens", 1_500_000, "1,500,000 tokens"],
  ["cost", 0.5, "$0.50"],
  ["cost", 12.345, "$12.35"],
  ["time", 45_000, "45 s"],
  ["time", 150_000, "2 min 30 s"],
  ["time", 600_000, "10 min"],
] as const)("%s: %d is %s", (limit, amount, text) => {
  expect(amountWords(limit, amount)).toBe(text);
});
