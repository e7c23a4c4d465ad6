import { expect, test } from "vitest";
import type { Entry, Fact } from "./facts.ts";
import { checkpointsOf } from "./fold-changes.ts";
import { step } from "./fold.ts";
import type { ToolCall } from "./messages.ts";
import { conversation, emptyState, pendingApprovals, type SessionState } from "./session-state.ts";

const fold = (...facts: Fact[]): SessionState => {
  const state = emptyState();
  let turn = 0;
  facts.forEach((fact, index) => {
    if (fact.type === "user-message") turn += 1;
    const entry: Entry = { v: 1, seq: index + 1, at: 1_000 + index, turn, ...fact };
    step(state, entry);
  });
  return state;
};
const user = (text: string): Fact => ({ type: "user-message", content: [{ type: "text", text }] });
const said = (block: number, text: string): Fact => ({ type: "text", block, text, by: "model" });
const call = (id: string): Fact => ({ type: "call", call: theCall(id) });
const theCall = (id: string): ToolCall => ({ id, name: "read_file", input: { path: id }, source: "native" });
const end = (reason: "stop" | "tool-calls" | "failed" | "interrupted"): Fact => ({
  type: "answer-end",
  reason,
  model: "m",
});
const result = (callId: string, text = `result of ${callId}`): Fact => ({
  type: "result",
  callId,
  outcome: "ok",
  content: [{ type: "text", text }],
});
const answer = (verdict: "allow" | "deny", scope: "once" | "session" | "project"): Fact => ({
  type: "approval-answered",
  callId: "a",
  answer: verdict,
  scope,
  by: "test",
});
const used = (inputTokens: number): Fact => ({
  type: "answer-end",
  reason: "stop",
  model: "m",
  usage: { inputTokens, outputTokens: 2, cacheReadTokens: 1 },
});
const turnEnd: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
const roles = (state: SessionState) => state.messages.map((message) => message.role);

test("E3: two turns give user, assistant, user: the second prompt holds the first answer", () => {
  const state = fold(user("one"), said(1, "first answer"), end("stop"), turnEnd, user("two"));
  expect(state.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "text", text: "first answer" }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
  ]);
});

test("E2, E7: the conversation has one assistant text per turn, joined from all its answers", () => {
  const state = fold(
    user("go"),
    said(1, "I look."),
    call("a"),
    end("tool-calls"),
    result("a"),
    said(2, "Done."),
    end("stop"),
    turnEnd,
  );
  expect(conversation(state)).toEqual([
    { role: "user", text: "go" },
    { role: "assistant", text: "I look.\n\nDone." },
  ]);
});

test("results enter the prompt in call order, and only when all of an answer's calls have one", () => {
  const facts = [user("go"), call("a"), call("b"), result("b"), end("tool-calls")];
  expect(roles(fold(...facts))).toEqual(["user"]);
  const state = fold(...facts, result("a"));
  expect(state.messages.map((message) => (message.role === "tool" ? message.callId : message.role))).toEqual([
    "user",
    "assistant",
    "a",
    "b",
  ]);
  expect(state.open.size).toBe(0);
});

test("a failed answer without calls is dropped for a retry, and kept if the turn ends with it", () => {
  const broken = [user("go"), said(1, "half of"), end("failed")];
  expect(roles(fold(...broken))).toEqual(["user"]);
  const again = fold(...broken, said(2, "all of it"), end("stop"), turnEnd);
  expect(conversation(again).at(-1)?.text).toBe("all of it");
  const given = fold(...broken, { ...turnEnd, stopped: "failed" });
  expect(conversation(given).at(-1)?.text).toBe("half of");
});

test("a failed answer whose calls have run stays in the prompt", () => {
  const state = fold(user("go"), said(1, "I read."), call("a"), result("a"), end("failed"));
  expect(roles(state)).toEqual(["user", "assistant", "tool"]);
  expect(state.turns[0]?.failuresInARow).toBe(1);
});

test("an answer with only reasoning adds no message", () => {
  const state = fold(user("go"), { type: "reasoning", block: 1, text: "hm" }, end("stop"), turnEnd);
  expect(roles(state)).toEqual(["user"]);
});

test("the first answer to an approval wins, and an approval for the session becomes a grant", () => {
  const asked: Fact = {
    type: "approval-asked",
    callId: "a",
    title: "t",
    because: "b",
    risk: "high",
    preview: "p",
    grant: "g",
    covers: { type: "tool", tool: "t" },
  };
  const before = fold(user("go"), call("a"), end("tool-calls"), asked);
  expect(pendingApprovals(before)).toHaveLength(1);
  const after = fold(
    user("go"),
    call("a"),
    end("tool-calls"),
    asked,
    answer("allow", "session"),
    answer("deny", "once"),
  );
  expect(pendingApprovals(after)).toEqual([]);
  expect(after.calls.get("a")?.answered).toMatchObject({ answer: "allow" });
  expect(after.grants).toEqual([{ covers: { type: "tool", tool: "t" }, scope: "session", turn: 1 }]);
  const kept = fold(user("go"), call("a"), end("tool-calls"), asked, answer("allow", "project"));
  expect(kept.grants).toEqual([]); // stored outside the session, where it can be revoked
});

test("a revoked grant is gone, however its fields are ordered, and can be given again; others stay", () => {
  const given = (callId: string, paths: string[]): Fact[] => [
    {
      type: "approval-asked",
      callId,
      title: "t",
      because: "b",
      risk: "high",
      preview: "p",
      grant: "g",
      covers: { type: "tool", tool: "t", paths },
    },
    { type: "approval-answered", callId, answer: "allow", scope: "session", by: "me" },
  ];
  const revoked: Fact = {
    type: "grant-revoked",
    covers: { paths: ["a"], tool: "t", type: "tool" },
    grant: "g",
    by: "me",
  };
  const allowed = [
    user("go"),
    call("a"),
    call("b"),
    end("tool-calls"),
    ...given("a", ["a"]),
    ...given("b", ["b"]),
  ];
  const left = { covers: { type: "tool", tool: "t", paths: ["b"] }, scope: "session", turn: 1 };
  expect(fold(...allowed, revoked).grants).toEqual([left]);
  expect(fold(...allowed, revoked, revoked).grants).toEqual([left]);
  expect(fold(...allowed, revoked, call("c"), ...given("c", ["a"])).grants).toHaveLength(2);
  expect(fold(revoked, ...allowed).grants).toHaveLength(2);
});

test("a file changed by a call counts as seen by the model, until the change is undone", () => {
  const file = { path: "a.ts", before: "h1", after: "h2", added: 1, removed: 1 };
  const changed = [
    user("go"),
    call("a"),
    end("tool-calls"),
    { type: "change-applied", callId: "a", changes: [file] } as Fact,
    result("a"),
  ];
  expect(fold(...changed).seen.get("a.ts")).toBe("h2");
  const undone = fold(...changed, said(1, "ok"), end("stop"), turnEnd, {
    type: "changes-undone",
    undoneTurn: 1,
    changes: [file],
  });
  expect(undone.seen.has("a.ts")).toBe(false);
  expect(checkpointsOf(undone)).toMatchObject([{ status: "undone", files: [{ path: "a.ts" }] }]);
});

test("usage adds up over answers", () => {
  expect(fold(user("go"), said(1, "a"), used(10), said(2, "b"), used(20)).usage).toEqual({
    inputTokens: 30,
    outputTokens: 4,
    cacheReadTokens: 2,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  });
});

test("facts about unknown calls, and facts of a later version, change nothing", () => {
  const before = fold(user("go"));
  const state = fold(user("go"), result("nobody"));
  expect({ ...state, seq: 0 }).toEqual({ ...before, seq: 0 });
  step(state, { type: "unknown", original: { type: "from-the-future" }, v: 9, seq: 3, at: 0, turn: 1 });
  expect(state.seq).toBe(3);
});

test("E3, E5: a text of only white space adds no message and does not become the last text", () => {
  const state = fold(user("one"), said(1, "\n\n"), end("stop"), turnEnd, user("two"));
  expect(roles(state)).toEqual(["user", "user"]);
  const spoken = fold(user("one"), said(1, "Done."), said(2, " "), end("stop"));
  expect(spoken.turns[0]).toMatchObject({ text: "Done.", lastText: "Done." });
});

test("an interrupted answer without calls is dropped for a retry, and kept if the turn ends with it", () => {
  const cut = [user("one"), said(1, "Half an ans"), end("interrupted")];
  expect(roles(fold(...cut))).toEqual(["user"]);
  expect(roles(fold(...cut, said(2, "A whole answer."), end("stop")))).toEqual(["user", "assistant"]);
  expect(fold(...cut, turnEnd).messages.at(-1)).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "Half an ans" }],
  });
});

test("E5: the text of a dropped answer does not become the turn's last text", () => {
  const state = fold(user("one"), said(1, "Half"), end("failed"), end("stop"));
  expect(state.turns[0]).toMatchObject({ text: "", lastText: "" });
  const earlier = fold(
    user("one"),
    said(1, "I look."),
    call("a"),
    end("tool-calls"),
    result("a"),
    said(2, "Half"),
    end("failed"),
    end("stop"),
  );
  expect(earlier.turns[0]).toMatchObject({ text: "I look.", lastText: "I look." });
});

test("adjacent texts of a result are joined with a line break for the model", () => {
  const image = { type: "image" as const, mediaType: "image/png", data: "" };
  const text = (words: string) => ({ type: "text" as const, text: words });
  const content = [{ ...text("Command: x"), for: "model" as const }, text("out"), image, text("more")];
  const facts: Fact[] = [user("go"), call("a"), { type: "result", callId: "a", outcome: "ok", content }];
  const { messages } = fold(...facts, end("tool-calls"));
  expect(messages.at(-1)?.content).toEqual([text("Command: x\nout"), image, text("more")]);
});
