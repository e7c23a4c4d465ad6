import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeLog } from "../session/testing/log-arbitrary.ts";
import { block, note, turnEnd, user } from "../session/testing/watched-log.ts";
import type { Entry, Fact } from "./facts.ts";
import { step } from "./fold.ts";
import { emptyState, pendingApprovals, type SessionState } from "./session-state.ts";

const huge = "x".repeat(100_000);

const file = { path: "a", before: null, after: "1", added: 1, removed: 0 };

function callFacts(id: string): Fact[] {
  return [
    {
      type: "call",
      call: { id, name: "run", input: { command: huge }, source: "native", rawArguments: huge },
    },
    { type: "answer-end", reason: "tool-calls", model: "m" },
    { type: "decision", callId: id, verdict: "ask", because: "b", risk: "high", trace: [] },
    { type: "approval-asked", callId: id, title: "t", because: "b", risk: "high", preview: huge, grant: "g" },
    { type: "approval-answered", callId: id, answer: "allow", scope: "once", by: "me" },
    { type: "call-start", callId: id, title: huge, does: "execute" },
    { type: "change-applied", callId: id, changes: [file], uncovered: ["the rest"] },
    { type: "result", callId: id, outcome: "failed", content: [{ type: "text", text: huge }] },
  ];
}

function fold(...facts: Fact[]): SessionState {
  const state = emptyState();
  for (const [index, fact] of facts.entries())
    step(state, { ...fact, v: 1, seq: index + 1, at: 1000, turn: 1 });
  return state;
}

const held = (state: SessionState): number => JSON.stringify([...state.calls.values()]).length;

test("an ended turn keeps no arguments, previews or results in memory, but the facts needed later", () => {
  const state = fold(user, ...callFacts("a"), turnEnd);
  expect(held(state)).toBeLessThan(1000);
  expect(state.calls.get("a")).toEqual({
    call: { id: "a", name: "run", input: {}, source: "native" },
    turn: 1,
    answer: 1,
    start: { type: "call-start", callId: "a", title: "", does: "execute" },
    applied: { type: "change-applied", callId: "a", changes: [], uncovered: ["the rest"] },
    result: { type: "result", callId: "a", outcome: "failed", content: [] },
    resultAt: 9,
  });
  expect(JSON.stringify(state.messages)).toContain(huge); // still in the model's prompt
});

test("during a turn, its calls keep their arguments and results", () => {
  const state = fold(user, ...callFacts("a"));
  expect(state.calls.get("a")).toMatchObject({
    call: { input: { command: huge } },
    asked: { title: "t", preview: "" },
    start: { title: huge },
    result: { content: [{ text: huge }] },
  });
});

test("a trimmed result is not kept in memory, but its arguments are", () => {
  const trimming: Fact = { type: "results-trimmed", callIds: ["a", "nobody"], tokens: 1 };
  const state = fold(user, ...callFacts("a"), ...callFacts("b"), trimming);
  expect(state.calls.get("a")).toMatchObject({ call: { input: { command: huge } }, result: { content: [] } });
  expect(state.calls.get("b")?.result?.content).toEqual([{ type: "text", text: huge }]);
});

test("a result trimmed before its answer's other results arrive enters the prompt in full", () => {
  const [call, , ...rest] = callFacts("a");
  const [other] = callFacts("b");
  if (!call || !other) throw new Error("no call");
  const trimming: Fact = { type: "results-trimmed", callIds: ["a"], tokens: 1 };
  const end: Fact = { type: "answer-end", reason: "tool-calls", model: "m" };
  const state = fold(user, call, other, end, ...rest, trimming, {
    type: "result",
    callId: "b",
    outcome: "ok",
    content: [],
  });
  expect(JSON.stringify(state.messages.find(({ role }) => role === "tool"))).toContain(huge);
});

test("a compaction releases only the calls that it left out", () => {
  const compaction: Fact = {
    type: "compaction",
    summary: "s",
    keep: 2,
    because: "budget",
    tokensBefore: 2,
    tokensAfter: 1,
    model: "m",
  };
  const state = fold(user, ...callFacts("a"), ...callFacts("b"), compaction);
  expect(state.calls.get("a")).toMatchObject({
    call: { input: {} },
    result: { outcome: "failed", content: [] },
  });
  expect(state.calls.get("a")).toMatchObject({ start: { does: "execute" }, applied: { changes: [file] } });
  expect(state.calls.get("b")).toMatchObject({
    call: { input: { command: huge } },
    result: { content: [{}] },
  });
});

test("a pending approval keeps its preview after the turn has ended", () => {
  const asked = callFacts("a").slice(0, 4);
  const state = fold(user, ...asked, turnEnd);
  expect(pendingApprovals(state)).toMatchObject([{ preview: huge }]);
});

test("call ids stay known after their turn, so that none is used twice", () => {
  const state = fold(user, ...callFacts("a"), turnEnd, user, ...callFacts("b"), turnEnd);
  expect([...state.calls.keys()]).toEqual(["a", "b"]);
});

test("the fold never mutates an entry", () => {
  const shortening = fc.constantFrom<Fact | undefined>(
    { type: "results-trimmed", callIds: ["c1", "c2", "c3"], tokens: 1 },
    {
      type: "compaction",
      summary: "s",
      keep: 1,
      because: "person",
      tokensBefore: 2,
      tokensAfter: 1,
      model: "m",
    },
    note("n"),
    block(99, "t"),
    undefined,
  );
  fc.assert(
    fc.property(wholeLog, fc.array(shortening, { minLength: 1 }), (log, between) => {
      const entries = log.flatMap((entry, at): Entry[] => {
        const more = between[at % between.length];
        return more ? [entry, { ...more, v: 1, seq: 0, at: entry.at, turn: entry.turn }] : [entry];
      });
      const numbered = entries.map((entry, at) => frozen({ ...entry, seq: at + 1 }));
      const before = JSON.stringify(numbered);
      numbered.reduce(step, emptyState()); // changing a frozen entry would throw
      expect(JSON.stringify(numbered)).toBe(before);
    }),
  );
});

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
