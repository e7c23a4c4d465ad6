import { expect, test } from "vitest";
import type { Fact } from "./facts.ts";
import { mostKnownMessages, step } from "./fold.ts";
import { currentTurn, emptyState, type SessionState, type TurnState } from "./session-state.ts";

/** Folds facts in order; a number before one is the time from which it and those behind it are. */
function fold(...facts: (Fact | number)[]): SessionState {
  const state = emptyState();
  let [seq, at, turn] = [0, 0, 0];
  for (const fact of facts)
    if (typeof fact === "number") at = fact;
    else {
      if (fact.type === "user-message" && state.status === "idle") turn += 1;
      step(state, { v: 1, seq: (seq += 1), at, turn, ...fact });
    }
  return state;
}

function turnOf(...facts: (Fact | number)[]): TurnState {
  const turn = currentTurn(fold(...facts));
  if (!turn) throw new Error("There is no turn.");
  return turn;
}

const text = (words: string) => [{ type: "text" as const, text: words }];
const user: Fact = { type: "user-message", content: text("go") };
const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
const answer: Fact = { type: "answer-end", reason: "stop", model: "m" };
const failed: Fact = {
  type: "answer-end",
  reason: "failed",
  model: "m",
  failure: { kind: "network", message: "It broke off.", midStream: true },
};
const nudge = (code: string): Fact => ({ type: "nudge", code, text: "Go on." });
const asked: Fact = { type: "limit-asked", limit: "rounds", used: 5, most: 5, offer: 5 };

test("a session starts with what its first fact says, and only that", () => {
  const start = { type: "session-start", session: "s", workspace: "/w", version: "1" } as const;
  expect(fold(start)).toEqual({ ...emptyState(), seq: 1, session: "s", workspace: "/w" });
  const parent = { session: "p", callId: "c" };
  expect(fold({ ...start, parent })).toMatchObject({ parent });
});

test("each note replaces only what it is about", () => {
  const items = [{ text: "one", state: "open" as const }];
  const branch = { type: "branch", name: "b", from: "main", commit: "c" } as const;
  const files = [{ path: "AGENTS.md", text: "Be brief." }];
  expect(fold({ type: "session-renamed", title: "t" })).toEqual({ ...emptyState(), seq: 1, title: "t" });
  expect(fold({ type: "todos-set", items })).toEqual({ ...emptyState(), seq: 1, todos: items });
  expect(fold(branch)).toMatchObject({ branch });
  expect(fold({ type: "warning", code: "w", text: "Mind." }).warned).toEqual(new Set(["w"]));
  expect(fold({ type: "instructions-read", files })).toEqual({
    ...emptyState(),
    seq: 1,
    instructions: files,
  });
  expect(fold({ type: "tools-found", names: ["a", "b"] }).toolsFound).toEqual(new Set(["a", "b"]));
});

test("the settings of a turn hold from its start, and every mode is remembered", () => {
  const chosen: Fact = { type: "model-set", model: "p/other", by: "me" };
  const start: Fact = { type: "turn-start", model: "p/m", mode: "plan" };
  expect(fold(user, start)).toMatchObject({ model: "p/m", mode: "plan", modes: new Set(["plan"]) });
  expect(fold(chosen)).toMatchObject({ model: "", chosenModel: "p/other" });
  expect(fold(chosen, user, start)).not.toHaveProperty("chosenModel");
  expect(fold(user, start)).not.toHaveProperty("reasoning");
  expect(fold(user, { ...start, reasoning: "high" }).reasoning).toBe("high");
  expect(fold({ type: "reasoning-set", reasoning: "low", by: "me" }).reasoning).toBe("low");
  expect(fold(user, start, { type: "mode-set", mode: "auto", by: "me" })).toMatchObject({
    mode: "auto",
    modes: new Set(["plan", "auto"]),
  });
});

test("what is said to the model during a turn makes it owe an answer, and none of it is a new turn", () => {
  const notices: Fact[] = [
    nudge("go-on"),
    { type: "context-added", from: "hook", name: "h", text: "More." },
    { type: "failure-detected", pattern: "no-progress", count: 3, text: "Stop." },
    { type: "steer", content: text("and that") },
    { type: "model-set", model: "p/other", by: "toolwright", because: "It failed." },
  ];
  for (const notice of notices) {
    expect(turnOf(user, answer, notice), notice.type).toMatchObject({ turn: 1, owesAnswer: true });
    expect(turnOf(user, answer, notice, answer).owesAnswer, notice.type).toBe(false);
  }
  expect(turnOf(user, answer, { type: "model-set", model: "p/other", by: "me" }).owesAnswer).toBe(false);
  expect(turnOf(user, { type: "steer", content: text("and that") }).steers).toEqual([text("and that")]);
});

test("nudges are counted by their code until a person says something", () => {
  const twice = [user, nudge("a"), nudge("b"), nudge("a")];
  expect(turnOf(...twice).nudges).toEqual(
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
  expect(turnOf(...twice, { type: "steer", content: text("x") }).nudges.size).toBe(0);
});

test("a message of ours enters the prompt, and a mode or an undo that it tells is told", () => {
  const undone: Fact = {
    type: "changes-undone",
    undoneTurn: 1,
    changes: [{ path: "a", before: "1".repeat(64), after: null, added: 0, removed: 1 }],
  };
  const state = fold(user, undone, nudge("mode-plan"));
  expect(state).toMatchObject({ toldMode: "plan" });
  expect(state.untold.size).toBe(1);
  expect(state.messages.at(-1)).toEqual({ role: "user", content: text("Go on.") });
  expect(fold(user, undone, nudge("changes-undone")).untold.size).toBe(0);
  expect(fold(user, nudge("mode-of-none"))).not.toHaveProperty("toldMode");
  expect(fold(user, { type: "context-added", from: "hook", name: "h", text: "More." }).added).toEqual(
    new Set(["hook h"]),
  );
});

test("a pattern is noted with the number of answers so far", () => {
  const found: Fact = { type: "failure-detected", pattern: "all-failed", count: 2, text: "Stop." };
  expect(turnOf(user, answer, answer, found).detected).toEqual([{ pattern: "all-failed", answers: 2 }]);
});

test("another model that takes over starts without the failures of the one before", () => {
  const takes: Fact = { type: "model-set", model: "p/other", by: "toolwright", because: "It failed." };
  expect(turnOf(user, 100, failed, failed)).toMatchObject({ failuresInARow: 2, failingSince: 100 });
  const after = turnOf(user, 100, failed, failed, takes);
  expect(after.failuresInARow).toBe(0);
  expect(after).not.toHaveProperty("failingSince");
  const tooLong: Fact = {
    ...failed,
    failure: { kind: "context-overflow", message: "Too long.", midStream: false },
  };
  expect(fold(user, tooLong).context.overflows).toBe(1);
  expect(fold(user, tooLong, takes).context.overflows).toBe(0);
  expect(fold(user, tooLong, end, user).context.overflows).toBe(0);
});

test("time that nobody worked on a turn counts neither as its own nor as that of its failures", () => {
  const away = (idleMs: number): Fact => ({ type: "turn-resumed", idleMs });
  expect(turnOf(user, 100, failed, away(40))).toMatchObject({ waitedMs: 40, failingSince: 140 });
  expect(turnOf(user, 100, failed, away(-40))).toMatchObject({ waitedMs: 0, failingSince: 100 });
  expect(turnOf(user, away(40))).not.toHaveProperty("failingSince");
});

test("a turn's clock stops while it waits for a person, also when the clock of the machine jumps back", () => {
  const answered: Fact = { type: "limit-answered", limit: "rounds", answer: "extend", most: 9, by: "me" };
  const note: Fact = { type: "warning", code: "w", text: "Mind." };
  expect(turnOf(user, 100, asked, 150, note)).toMatchObject({ waitedMs: 0, waitingSince: 100 });
  const after = turnOf(user, 100, asked, 150, note, 160, answered, 300, note);
  expect(after.waitedMs).toBe(60);
  expect(after).not.toHaveProperty("waitingSince");
  expect(turnOf(user, 100, asked, 90, answered).waitedMs).toBe(0);
});

test("a limit is raised for the turn or ends it, and is asked about no more", () => {
  const answered = (more: { answer: "stop" | "extend"; most?: number }): Fact => ({
    type: "limit-answered",
    limit: "rounds",
    by: "me",
    ...more,
  });
  const raised = fold(user, asked, answered({ answer: "extend", most: 9 }));
  expect(raised).not.toHaveProperty("limitAsked");
  expect(raised.turns[0]?.raised).toEqual(new Map([["rounds", 9]]));
  expect(raised.turns[0]).not.toHaveProperty("halted");
  expect(turnOf(user, asked, answered({ answer: "stop", most: 9 }))).toMatchObject({ halted: "rounds" });
  expect(turnOf(user, asked, answered({ answer: "extend" }))).toMatchObject({ halted: "rounds" });
  expect(fold(user, asked)).toMatchObject({ limitAsked: asked });
  expect(fold(user, asked, end)).not.toHaveProperty("limitAsked");
});

test("a queued message waits until it is taken or withdrawn, and is recognised afterwards", () => {
  const queued = (id: string): Fact => ({
    type: "message-queued",
    id,
    content: text(id),
    when: "steer",
    by: "me",
  });
  const ids = (...facts: Fact[]): string[] =>
    fold(user, queued("a"), queued("b"), ...facts).queue.map(({ id }) => id);
  expect(fold(queued("a")).queue).toEqual([
    { id: "a", content: text("a"), when: "steer", said: undefined, by: "me" },
  ]);
  expect(ids()).toEqual(["a", "b"]);
  expect(ids({ type: "steer", content: text("a"), queued: "a" })).toEqual(["b"]);
  expect(ids({ type: "steer", content: text("a") })).toEqual(["a", "b"]);
  expect(ids({ type: "message-withdrawn", id: "b" })).toEqual(["a"]);
  expect(ids(end, { ...user, queued: "a" })).toEqual(["b"]);
  expect(
    fold(queued("a"), { ...user, id: "u" }, { type: "steer", content: text("x"), id: "s" }).sent,
  ).toEqual(["a", "u", "s"]);
  const many = Array.from({ length: mostKnownMessages + 1 }, (_, at) => queued(`${at}`));
  expect(fold(...many).sent).toEqual(many.slice(1).map((_, at) => `${at + 1}`));
});

test("a goal holds until it is met or taken away, and judging it is paid by the turn, an aside only by the session", () => {
  const set: Fact = { type: "goal-set", condition: "green", by: "me" };
  const judged = (met: boolean): Fact => ({ type: "goal-judged", met, because: "x", model: "m", cost: 2 });
  const aside: Fact = {
    type: "aside-answered",
    question: "q",
    reason: "stop",
    text: "a",
    model: "m",
    cost: 4,
  };
  expect(fold(set).goal).toBe("green");
  expect(fold(set, { type: "goal-set", by: "me" })).not.toHaveProperty("goal");
  const paid = fold(user, set, judged(false), aside);
  expect(paid).toMatchObject({ goal: "green", cost: 6, turns: [{ cost: 2 }] });
  expect(fold(user, set, judged(true))).not.toHaveProperty("goal");
  expect(fold(user, aside).goal).toBeUndefined();
});

test("an undo makes the open turn's checks count no more, and the model has not seen those files", () => {
  const undone: Fact = {
    type: "changes-undone",
    undoneTurn: 1,
    changes: [{ path: "a", before: "1".repeat(64), after: null, added: 0, removed: 1 }],
  };
  expect(turnOf(user, undone).takenBackAt).toBe(2);
  expect(turnOf(user, end, undone)).not.toHaveProperty("takenBackAt");
});

test("a turn begins with its message and ends with its end, and a message within it begins none", () => {
  const state = fold(5, user, 7, { ...user, content: text("again") }, 9, end);
  expect(state).toMatchObject({ status: "idle", turn: 1, said: [text("go"), text("again")] });
  expect(state.turns).toMatchObject([{ turn: 1, startedAt: 5, endedAt: 9, stopped: "done" }]);
  expect(fold(user)).toMatchObject({ status: "running" });
  expect(fold(user, end, user).turns.map(({ turn }) => turn)).toEqual([1, 2]);
});
