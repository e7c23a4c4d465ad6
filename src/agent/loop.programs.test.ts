/** Tests whole turns: from a request to its last words, and how a turn is interrupted, resumed and undone. */

import { expect, test, vi } from "vitest";
import type { Entry } from "../protocol/facts.ts";
import { conversation } from "../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { endOf, resultsOf, scriptedSession, sessionForTest } from "../testing/scripted-session.ts";
import { settle, gatedTool } from "../testing/turns.ts";
import { tools } from "../tools/index.ts";

/** The facts in order, with each call's facts on one line, as the interleaving of calls and stream may vary. */
function outline(facts: readonly Entry[]): string[] {
  return facts.flatMap((fact) => {
    if ("callId" in fact) return [];
    if (fact.type !== "call") return [fact.type];
    const about = facts
      .filter((other) => "callId" in other && other.callId === fact.call.id)
      .map((other) => other.type);
    return [`${fact.call.name}: ${["call", ...about].join(" ")}`];
  });
}

test("a turn goes from the request through a read and an approved edit to its last words", async () => {
  const { ask, facts, workspace, session } = await scriptedSession(
    [
      [{ say: "I look." }, { call: "read_file", with: { path: "a.txt" } }],
      [{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }],
      [{ say: "Changed one to two." }],
    ],
    { files: { "a.txt": "one\n" } },
  );
  await ask("Change it.");
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(outline(facts())).toEqual([
    "session-start", "user-message", "turn-start",
    "text", "read_file: call decision call-start result", "answer-end",
    "edit_file: call decision approval-asked approval-answered call-start change-applied result", "answer-end",
    "text", "answer-end", "turn-end",
  ]); // prettier-ignore
  expect(endOf(facts())).toMatchObject({
    stopped: "done",
    changed: ["a.txt"],
    verified: [],
    text: "Changed one to two.",
  });
  expect(conversation(session.state)).toEqual([
    { role: "user", text: "Change it." },
    { role: "assistant", text: "I look.\n\nChanged one to two." },
  ]);
});

test("E3: the second prompt holds the first answer", async () => {
  const { ask, model } = await scriptedSession([[{ say: "First." }], [{ say: "Second." }]]);
  await ask("one");
  await ask("two");
  expect(model.prompts[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
});

test("C8: unknown tools, bad arguments, denials and failures are results, and the turn goes on", async () => {
  const { ask, facts } = await scriptedSession(
    [
      [
        { call: "no_such_tool", with: {} },
        { call: "read_file", with: { nonsense: 1 } },
        { call: "read_file", with: { path: "missing.txt" } },
        { call: "write_file", with: { path: ".git/config", content: "x" } },
        { call: "run_command", with: { command: "rm -rf x" } },
      ],
      [{ say: "I give up." }],
    ],
    { mode: "auto", interactive: false },
  );
  await ask("go");
  expect(
    resultsOf(facts())
      .map((fact) => fact.outcome)
      .toSorted(),
  ).toEqual(["denied", "denied", "failed", "invalid", "invalid"]);
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "I give up." });
});

test("A29: interrupting stops the stream and the running tool immediately, and every call has a result", async () => {
  const slow = gatedTool("wait", "read");
  const never = new Promise<void>(() => undefined);
  const { session, facts } = await scriptedSession(
    [
      [
        { say: "Half a " },
        { call: "wait", with: { id: "1" } },
        { call: "write_file", with: { path: "b", content: "" } },
        { wait: never },
      ],
    ],
    { tools: [slow.tool, ...tools] },
  );
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await slow.begins("1");
  await session.log.until((entry) => entry.type === "approval-asked", new AbortController().signal, 0);
  expect(await session.command({ type: "interrupt" })).toEqual({ ok: true });
  expect(session.state.open.size).toBe(0);
  expect(resultsOf(facts()).map((fact) => fact.outcome)).toEqual(["cancelled", "cancelled"]);
  expect(endOf(facts())).toMatchObject({ stopped: "interrupted" });
  expect(facts().find((fact) => fact.type === "answer-end")).toMatchObject({ reason: "interrupted" });
});

test("an interrupted session accepts the next request", async () => {
  const never = new Promise<void>(() => undefined);
  const { session, ask, facts } = await scriptedSession([
    [{ say: "Half" }, { wait: never }],
    [{ say: "Whole." }],
  ]);
  const sent = session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await sent;
  await settle();
  await session.command({ type: "interrupt" });
  await ask("again");
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "Whole." });
});

test("A11: the limit of rounds ends the turn and is given as the reason", async () => {
  const again: ScriptedAnswer = [{ call: "list_files", with: {} }];
  const { ask, facts } = await scriptedSession([again, again, again, again, again, again], { maxRounds: 5 });
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "limit", because: "the limit of 5 rounds was reached" });
});

test("only a check that succeeded after the last change counts as verification", async () => {
  const check = { command: "node ok.test.js" };
  const { ask, facts } = await scriptedSession(
    [
      [{ call: "run_command", with: check }],
      [{ call: "write_file", with: { path: "a", content: "x" } }],
      [{ call: "run_command", with: check, id: "check" }],
      [{ say: "ok" }],
    ],
    { files: { "ok.test.js": "" } },
  );
  await ask("go");
  expect(endOf(facts())).toMatchObject({ changed: ["a"], verified: ["check"] });
});

test("D10: call ids that a provider repeats become unique in the session", async () => {
  const { ask, facts } = await scriptedSession([
    [{ call: "list_files", with: {}, id: "call_0" }],
    [
      { call: "list_files", with: {}, id: "call_0" },
      { call: "list_files", with: { depth: 1 }, id: "call_0" },
    ],
    [{ say: "ok" }],
  ]);
  await ask("go");
  const ids = facts().flatMap((fact) => (fact.type === "call" ? [fact.call.id] : []));
  expect(new Set(ids).size).toBe(3);
  expect(resultsOf(facts()).map((fact) => fact.callId)).toEqual(ids);
});

test("a round of reads is stored in two transactions: what the model said, and what came of it", async () => {
  const store = openMemoryStore();
  const stored = vi.spyOn(store, "append");
  const call = (path: string) => ({ call: "read_file", with: { path } });
  const { ask } = await scriptedSession([[call("a.txt"), call("b.txt")], [{ say: "ok" }]], {
    store,
    files: { "a.txt": "a", "b.txt": "b" },
  });
  await ask("go");
  const transactions = stored.mock.calls.map(([, , entries]) => entries.map(({ type }) => type).join(" "));
  expect(transactions.slice(-4)).toEqual([
    "call call answer-end",
    "decision call-start decision call-start result result",
    "text answer-end",
    "turn-end",
  ]);
});

test("/undo reverts a turn's changes, and a second /undo is refused", async () => {
  const { ask, session, workspace } = await scriptedSession(
    [
      [
        { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
        { call: "write_file", with: { path: "n/b.txt", content: "b" } },
      ],
      [{ say: "ok" }],
    ],
    { files: { "a.txt": "one\n" } },
  );
  await ask("go");
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(await session.command({ type: "undo" })).toMatchObject({ ok: false });
});

test("an answer to a question that is not open is refused with a reason", async () => {
  const gate = Promise.withResolvers<void>();
  const { session } = await scriptedSession([[{ wait: gate.promise }, { say: "ok" }]]);
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  const answer = {
    type: "answer-approval",
    callId: "none",
    answer: "allow",
    scope: "once",
    by: "test",
  } as const;
  expect(await session.command(answer)).toEqual({
    ok: false,
    problem: "That question is not open any more.",
  });
  gate.resolve();
  await session.idle();
});

test("a notice from the provider is logged as a warning, once", async () => {
  const script = scriptedModel([[{ say: "a" }], [{ say: "b" }]]);
  let notice: string | undefined;
  const model = {
    name: script.name,
    get notice() {
      return notice;
    },
    async *ask(...asked: Parameters<typeof script.ask>) {
      yield* script.ask(...asked);
      notice = "The server read only half of the prompt.";
    },
  };
  const opened = await sessionForTest(model);
  await opened.ask("one");
  await opened.ask("two");
  const warnings = opened.facts().filter((fact) => fact.type === "warning");
  expect(warnings.map((fact) => fact.text)).toEqual(["The server read only half of the prompt."]);
});
