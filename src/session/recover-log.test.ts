import fc from "fast-check";
import { expect, test } from "vitest";
import { factVersion, type Does, type Entry, type Fact } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { emptyState } from "../protocol/session-state.ts";
import { scale } from "../testing/scale.ts";
import { recoverLog } from "./recover-log.ts";
import type { StreamedBlock } from "./store.ts";
import { wholeLog } from "./testing/log-arbitrary.ts";

function stamped(facts: readonly Fact[], last = 0): Entry[] {
  return facts.map((fact, index) => ({ ...fact, v: factVersion, seq: last + index + 1, at: 1, turn: 1 }));
}

const user: Fact = { type: "user-message", content: [{ type: "text", text: "go" }] };
const turnStart: Fact = { type: "turn-start", model: "model-a", mode: "ask" };
const turnEnd: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
const call = (id: string): Fact => ({ type: "call", call: { id, name: "n", input: {}, source: "native" } });
const start = (callId: string, does: Does = "read"): Fact => ({
  type: "call-start",
  callId,
  title: "t",
  does,
});
const result = (callId: string): Fact => ({ type: "result", callId, outcome: "ok", content: [] });
const answerEnd = (reason: "tool-calls" | "failed" | "interrupted" | "stop"): Fact => ({
  type: "answer-end",
  reason,
  model: "model-a",
});
const interruptedEnd: Fact = { type: "answer-end", reason: "interrupted", model: "model-a" };

const compaction: Fact = {
  type: "compaction",
  summary: "s",
  keep: 1,
  because: "budget",
  tokensBefore: 100,
  tokensAfter: 10,
  model: "m",
};

const factsAfterCrash = (facts: Fact[], open?: StreamedBlock): Fact[] => recoverLog(stamped(facts), open);

/** A log cut anywhere, with the open block that streaming the next fact would have left. */
const crashed = fc
  .tuple(wholeLog, fc.nat(), fc.nat(), fc.constantFrom("none", "open", "stale"))
  .map(([log, place, length, row]) => {
    const entries = log.slice(0, place % (log.length + 1));
    const next = row === "stale" ? entries.findLast(isBlock) : log[entries.length];
    const open: StreamedBlock | undefined =
      row !== "none" && next && isBlock(next) && !(next.type === "text" && next.by === "toolwright")
        ? { block: next.block, kind: next.type, text: next.text.slice(0, (length % next.text.length) + 1) }
        : undefined;
    return { entries, open, isStale: row === "stale" };
  });

function isBlock(entry: Entry): entry is Extract<Entry, { block: number }> {
  return entry.type === "text" || entry.type === "reasoning";
}

test("after any crash each started call has exactly one result or resumes as a read or delegation, and no other result appears", () => {
  fc.assert(
    fc.property(crashed, ({ entries, open }) => {
      const all = [...entries, ...stamped(recoverLog(entries, open), entries.length)];
      const called = all.flatMap((entry) => (entry.type === "call" ? [entry.call.id] : []));
      const goesOn = new Set(all.flatMap((entry) => (entry.type === "child-started" ? [entry.callId] : [])));
      const started = all.flatMap((entry) =>
        entry.type === "call-start" && entry.does !== "read" && !goesOn.has(entry.callId)
          ? [entry.callId]
          : [],
      );
      const results = all.flatMap((entry) => (entry.type === "result" ? [entry.callId] : []));
      expect(results).toHaveLength(new Set(results).size);
      expect(started.filter((id) => !results.includes(id))).toEqual([]);
      expect(results.filter((id) => !called.includes(id))).toEqual([]);
    }),
    { numRuns: 200 * scale },
  );
});

test("after any crash the answer is closed, open calls belong to a complete answer, and the turn's status is unchanged", () => {
  fc.assert(
    fc.property(crashed, ({ entries, open }) => {
      const before = entries.reduce(step, emptyState());
      const beforeStatus = before.status;
      const all = [...entries, ...stamped(recoverLog(entries, open), entries.length)];
      const state = all.reduce(step, emptyState());
      expect(state.status).toBe(beforeStatus);
      const stillOpen = new Set(state.open);
      let reason: string | undefined;
      for (const entry of all.toReversed()) {
        if (entry.type === "answer-end") reason = entry.reason;
        if (entry.type === "call" && stillOpen.has(entry.call.id))
          expect(reason).toMatch(/^(tool-calls|stop)$/);
        if (entry.type === "reasoning" || entry.type === "call") expect(reason).toBeDefined();
      }
    }),
    { numRuns: 200 * scale },
  );
});

test("recovering a recovered log adds nothing, with or without the open block's row", () => {
  fc.assert(
    fc.property(crashed, ({ entries, open }) => {
      const mended = [...entries, ...stamped(recoverLog(entries, open), entries.length)];
      expect(recoverLog(mended)).toEqual([]);
      expect(recoverLog(mended, open)).toEqual([]);
    }),
    { numRuns: 200 * scale },
  );
});

test("after a crash streamed text is in the log, and a block already stored is not repeated", () => {
  fc.assert(
    fc.property(crashed, ({ entries, open, isStale }) => {
      const blocks = recoverLog(entries, open).filter(
        (fact) => fact.type === "text" || fact.type === "reasoning",
      );
      const kept = blocks.map(({ type, block, text }) => ({ kind: type, block, text }));
      expect(kept).toEqual(open && !isStale ? [open] : []);
    }),
    { numRuns: 200 * scale },
  );
});

test("a complete log needs no recovery", () => {
  fc.assert(
    fc.property(wholeLog, (log) => {
      expect(recoverLog(log)).toEqual([]);
    }),
  );
  expect(recoverLog([])).toEqual([]);
  expect(factsAfterCrash([turnEnd])).toEqual([]);
});

test("a crash before the first word needs no recovery", () => {
  expect(factsAfterCrash([user])).toEqual([]);
  expect(factsAfterCrash([user, turnStart])).toEqual([]);
});

test("an open block becomes a fact with its text, and its answer ends as interrupted", () => {
  const open: StreamedBlock = { block: 1, kind: "text", text: "I will rea" };
  expect(factsAfterCrash([user, turnStart], open)).toEqual([
    { type: "text", block: 1, text: "I will rea", by: "model" },
    interruptedEnd,
  ]);
  expect(factsAfterCrash([user, turnStart], { ...open, kind: "reasoning" })).toEqual([
    { type: "reasoning", block: 1, text: "I will rea" },
    interruptedEnd,
  ]);
  expect(factsAfterCrash([user, turnStart], { ...open, text: "" })).toEqual([]);
  expect(factsAfterCrash([user, turnStart, turnEnd], open)).toEqual([]);
});

test("an answer that a crash cut off has the cost that is known without its tokens, by the model that was asked", () => {
  const open: StreamedBlock = { block: 1, kind: "text", text: "I will rea" };
  const costOf = (model: string) => (model === "model-b" ? 0 : undefined);
  const because = "it failed";
  const substituted: Fact = { type: "model-set", model: "model-b", by: "toolwright", because };
  const chosen: Fact = { type: "model-set", model: "model-c", by: "me" };
  const endAfter = (...facts: Fact[]) => recoverLog(stamped(facts), open, costOf).at(-1);
  expect(endAfter(user, turnStart)).toEqual(interruptedEnd);
  expect(endAfter(user, turnStart, substituted, chosen)).toEqual({
    ...interruptedEnd,
    model: "model-b",
    cost: 0,
  });
});

test("in a cut-off answer an unstarted call is cancelled, and a started one has an unknown outcome", () => {
  const facts = [
    user,
    turnStart,
    call("a"),
    start("a"),
    call("b"),
    start("b", "execute"),
    call("c"),
    result("a"),
  ];
  const interrupted = {
    type: "result",
    callId: "b",
    outcome: "interrupted",
    content: [
      {
        type: "text",
        text: "The program stopped while this ran, and its outcome is unknown: it may be half done. Check what it did before repeating it.",
      },
    ],
  };
  const cancelled = {
    type: "result",
    callId: "c",
    outcome: "cancelled",
    content: [{ type: "text", text: "The answer was cut off before this call started: nothing was done." }],
  };
  expect(factsAfterCrash(facts)).toEqual([interruptedEnd, interrupted, cancelled]);
  for (const reason of ["failed", "interrupted"] as const)
    expect(factsAfterCrash([...facts, answerEnd(reason)])).toEqual([interrupted, cancelled]);
  expect(factsAfterCrash([...facts, answerEnd("tool-calls")])).toEqual([interrupted]);
});

test("a delegated call with a known subagent resumes; otherwise it is interrupted like any other", () => {
  const facts = [user, turnStart, call("a"), answerEnd("tool-calls"), start("a", "delegate")];
  const child: Fact = { type: "child-started", callId: "a", session: "c", task: "t" };
  expect(factsAfterCrash([...facts, child])).toEqual([]);
  expect(factsAfterCrash(facts)).toMatchObject([{ type: "result", callId: "a", outcome: "interrupted" }]);
  expect(factsAfterCrash([...facts, child, start("a", "delegate"), start("a", "delegate")])).toMatchObject([
    { type: "result", callId: "a", outcome: "interrupted" },
  ]);
});

test("a started read of a complete answer runs again, but only a limited number of times", () => {
  const facts = [user, turnStart, call("a"), call("b"), answerEnd("tool-calls"), start("a"), start("b")];
  expect(factsAfterCrash(facts)).toEqual([]);
  expect(factsAfterCrash([...facts, result("b"), start("a")])).toEqual([]);
  const state = stamped([...facts, result("b"), start("a"), result("a")]).reduce(step, emptyState());
  expect([state.open.size, state.draft.open, state.messages.length]).toEqual([0, 0, 4]);
  const words =
    "The program stopped 3 times while this ran, so it is not run again. Look at less at once, or in another way.";
  expect(factsAfterCrash([...facts, result("b"), start("a"), start("a")])).toEqual([
    { type: "result", callId: "a", outcome: "interrupted", content: [{ type: "text", text: words }] },
  ]);
});

const question = (callId: string): Fact => ({
  type: "question-asked",
  callId,
  question: "Which?",
  choices: [],
});
const reply: Fact = { type: "question-answered", callId: "a", answer: "given", by: "user", text: "this" };

test("a question of a complete answer stays open after a crash, unanswered or answered, even if its tool had started", () => {
  const facts = [user, turnStart, call("a"), answerEnd("tool-calls")];
  for (const before of [[], [start("a", "execute")]]) {
    expect(factsAfterCrash([...facts, ...before, question("a")])).toEqual([]);
    expect(factsAfterCrash([...facts, ...before, question("a"), reply])).toEqual([]);
  }
  const cut = [user, turnStart, call("a"), question("a")];
  expect(factsAfterCrash(cut).map(({ type }) => type)).toEqual(["answer-end", "result"]);
});

test("facts not about an answer or a call need no recovery, wherever the log ends", () => {
  const others: Fact[] = [
    { type: "session-renamed", title: "t" },
    { type: "message-queued", id: "q1", content: [{ type: "text", text: "and" }], when: "next" },
    { type: "message-queued", id: "q2", content: [{ type: "text", text: "then" }], when: "steer" },
    { type: "message-withdrawn", id: "q1" },
    { type: "steer", content: [{ type: "text", text: "then" }], queued: "q2" },
    { type: "mode-set", mode: "auto", by: "user" },
    { type: "todos-set", items: [] },
    { type: "branch", name: "b", from: "main", commit: "0" },
    { type: "results-trimmed", callIds: ["a"], tokens: 10 },
    compaction,
    { type: "failure-detected", pattern: "no-progress", count: 3, text: "You repeat yourself." },
    { type: "nudge", code: "marker", text: "Go on." },
    { type: "limit-asked", limit: "rounds", used: 25, most: 25, offer: 38 },
    { type: "warning", code: "orphans-ended", text: "t" },
    { type: "grant-revoked", covers: { type: "tool", tool: "t" }, grant: "every use of t", by: "user" },
    { type: "limit-answered", limit: "rounds", answer: "extend", most: 38, by: "user" },
  ];
  const done = [user, turnStart, call("a"), answerEnd("tool-calls"), start("a"), result("a")];
  for (let end = 0; end <= others.length; end += 1) {
    expect(factsAfterCrash([...done, ...others.slice(0, end)])).toEqual([]);
    expect(factsAfterCrash([...done, ...others.slice(0, end), turnEnd])).toEqual([]);
    const running = [user, turnStart, ...others.slice(0, end), call("b")];
    expect(factsAfterCrash(running).map(({ type }) => type)).toEqual(["answer-end", "result"]);
  }
  const asked = stamped([...done, ...others.slice(0, 13)]).reduce(step, emptyState());
  expect([asked.limitAsked?.offer, asked.status]).toEqual([38, "running"]);
});

test("a call of a complete answer stays open, so that approvals survive a restart", () => {
  const asked: Fact = {
    type: "approval-asked",
    callId: "a",
    title: "t",
    because: "b",
    risk: "high",
    preview: "p",
    grant: "g",
  };
  expect(factsAfterCrash([user, turnStart, call("a"), answerEnd("tool-calls"), asked])).toEqual([]);
});

test("the result of an interrupted call says what to do next: repeat a read, check changed files", () => {
  const changed = { path: "src/a.ts", before: "1", after: "2", added: 1, removed: 0 };
  const change: Fact = { type: "call-start", callId: "b", title: "t", does: "change", changes: [changed] };
  const facts = [user, turnStart, call("a"), call("b"), answerEnd("interrupted"), start("a"), change];
  const texts = factsAfterCrash(facts).map((fact) => (fact.type === "result" ? fact.content : []));
  expect(texts).toEqual([
    [{ type: "text", text: "The program stopped while this ran. It only reads, so it may be run again." }],
    [
      {
        type: "text",
        text: "The program stopped while this ran, and its outcome is unknown. Read the files (src/a.ts) before changing them again.",
      },
    ],
  ]);
});

test("closing text by toolwright is not taken for an open answer of the model", () => {
  const closing: Fact = { type: "text", block: 1, text: "Done.", by: "toolwright" };
  expect(factsAfterCrash([user, turnStart, answerEnd("stop"), closing])).toEqual([]);
});

test("only the last turn is recovered", () => {
  const [first] = stamped([call("old")]);
  const earlier = [...stamped([user, turnStart]), ...(first ? [first] : []), ...stamped([turnEnd])];
  expect(recoverLog([...earlier, ...stamped([user, turnStart])])).toEqual([]);
});

test("an answered question stays open even if the model's answer was cut off", () => {
  const asked = (callId: string): Fact => ({ type: "question-asked", callId, question: "q", choices: [] });
  const replied = (callId: string): Fact => ({
    type: "question-answered",
    callId,
    answer: "given",
    by: "ada",
    text: "x",
  });
  const facts = [user, turnStart, call("a"), asked("a"), call("b"), asked("b"), replied("b")];
  expect(factsAfterCrash(facts)).toEqual([
    interruptedEnd,
    expect.objectContaining({ type: "result", callId: "a" }),
  ]);
});

test("what a command that had run printed is kept, even if the answer with its call broke off", () => {
  const tried: Fact = {
    type: "command-tried",
    callId: "a",
    changes: [],
    result: { outcome: "ok", content: [{ type: "text", text: "42 files" }] },
  };
  const facts = factsAfterCrash([user, turnStart, call("a"), start("a", "execute"), tried]);
  expect(facts.at(-1)).toMatchObject({
    type: "result",
    outcome: "interrupted",
    content: [{ text: "42 files" }, { text: expect.stringContaining("The program stopped while this ran") }],
  });
});
