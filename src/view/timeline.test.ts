import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact } from "../protocol/facts.ts";
import { type TimelineItem, timelineOf } from "./timeline.ts";

const stamped = (facts: readonly Fact[]): Entry[] =>
  facts.map((fact, index) => ({ ...fact, v: 1, seq: index + 1, at: index + 1, turn: 1 }));

const text = (words: string) => [{ type: "text" as const, text: words }];

const pick = async (facts: readonly Fact[], type: TimelineItem["type"]): Promise<TimelineItem[]> =>
  (await timelineOf(stamped(facts))).filter((item) => item.type === type);

test("where several people have written, each message says who wrote it; one person alone is not named", async () => {
  const message = (by?: string): Fact => ({ type: "user-message", content: text("x"), by });
  const steer = (by?: string): Fact => ({ type: "steer", content: text("y"), by });
  const writers = async (...facts: Fact[]) =>
    (await timelineOf(stamped(facts))).map((item) => ("by" in item ? item.by : "nobody"));
  expect(await writers(message("ada"), steer("bob"))).toEqual(["ada", "bob"]);
  expect(await writers(message("ada"), steer())).toEqual(["ada", "nobody"]);
  expect(await writers(message("ada"), steer("ada"))).toEqual(["nobody", "nobody"]);
  expect(await writers(message(), steer())).toEqual(["nobody", "nobody"]);
});

const call: Fact = { type: "call", call: { id: "c", name: "do_it", input: { path: "a" }, source: "native" } };

test("a call has its decision, approval question, answer, changes and result", async () => {
  const facts: Fact[] = [
    call,
    { type: "decision", callId: "c", verdict: "ask", because: "it writes", risk: "medium", trace: [] },
    {
      type: "approval-asked",
      callId: "c",
      title: "Do it to a",
      because: "it writes",
      risk: "medium",
      preview: "+x",
      grant: "",
    },
    { type: "approval-answered", callId: "c", answer: "allow", scope: "turn", by: "terminal" },
    { type: "approval-answered", callId: "c", answer: "deny", scope: "once", by: "too late" },
    {
      type: "change-applied",
      callId: "c",
      changes: [{ path: "a", before: null, after: "h", added: 2, removed: 0 }],
    },
    { type: "result", callId: "c", outcome: "ok", content: text("done") },
  ];
  expect(await pick(facts, "call")).toEqual([
    {
      type: "call",
      at: 1,
      id: "c",
      tool: "do_it",
      title: "Do it to a",
      decision: { verdict: "ask", because: "it writes", risk: "medium" },
      asked: { because: "it writes", preview: "+x" },
      answered: { answer: "allow", scope: "turn", by: "terminal" },
      changes: [{ path: "a", added: 2, removed: 0 }],
      outcome: "ok",
      said: "done",
    },
  ]);
});

test("a question by the model has its choices and the answer in words", async () => {
  const facts: Fact[] = [
    call,
    {
      type: "question-asked",
      callId: "c",
      question: "Which?",
      choices: [{ label: "red" }, { label: "blue" }],
    },
    {
      type: "question-answered",
      callId: "c",
      answer: "given",
      by: "page",
      chosen: [1],
      text: "the dark one",
    },
  ];
  expect(await pick(facts, "call")).toMatchObject([
    { question: { question: "Which?", choices: ["red", "blue"], reply: "blue, the dark one", by: "page" } },
  ]);
});

test("a request sums the cost of its answers and compactions, known and unknown", async () => {
  const usage = { inputTokens: 10, outputTokens: 1 };
  const facts: Fact[] = [
    { type: "user-message", content: text("go") },
    { type: "turn-start", model: "a/b", mode: "ask" },
    { type: "answer-end", reason: "tool-calls", model: "b", usage, cost: 0.1 },
    {
      type: "answer-end",
      reason: "failed",
      model: "b",
      failure: { kind: "network", message: "gone", midStream: false },
    },
    { type: "steer", content: text("faster") },
    {
      type: "compaction",
      summary: "all",
      keep: 1,
      because: "budget",
      tokensBefore: 9,
      tokensAfter: 3,
      model: "b",
      cost: 0.2,
    },
    { type: "answer-end", reason: "stop", model: "b", usage },
    { type: "turn-end", stopped: "done", changed: ["a"], verified: [], text: "." },
  ];
  expect(await pick(facts, "ending")).toMatchObject([
    {
      turn: 1,
      stopped: "done",
      changed: ["a"],
      cost: { dollars: 0.3, unknown: 1 },
      usage: { inputTokens: 20 },
    },
  ]);
  expect(await pick(facts, "request")).toMatchObject([{ text: "go", model: "a/b", mode: "ask" }]);
  expect(await pick(facts, "message")).toMatchObject([{ text: "faster" }]);
  expect(await pick(facts, "answer")).toMatchObject([{}, { failure: "gone", cost: { unknown: 0 } }, {}]);
});

test("any facts in any order make a timeline", async () => {
  const some: Fact[] = [
    call,
    { type: "user-message", content: text("x") },
    { type: "turn-start", model: "m", mode: "ask" },
    { type: "result", callId: "c", outcome: "ok", content: [] },
    { type: "result", callId: "nobody", outcome: "ok", content: [] },
    { type: "question-answered", callId: "c", answer: "declined", by: "x" },
    { type: "failure-detected", pattern: "no-progress", count: 2, text: "again", callId: "c" },
    { type: "failure-detected", pattern: "no-progress", count: 2, text: "again" },
    { type: "limit-asked", limit: "rounds", used: 1, most: 1, offer: 2 },
    { type: "branch", name: "b", from: "", commit: "0123456789abcdef" },
    { type: "grant-revoked", covers: { type: "tool", tool: "t" }, grant: "every use of t", by: "x" },
    { type: "turn-end", stopped: "limit", changed: [], verified: [], text: "" },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...some)), async (facts) => {
      const items = await timelineOf(stamped(facts));
      expect(items.length).toBeLessThanOrEqual(facts.length);
    }),
  );
});
