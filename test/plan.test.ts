/** Plan mode: a plan is proposed, approved (perhaps edited) or rejected, and carried out in the same turn. */

import { expect, test } from "vitest";
import type { JsonObject } from "../src/base/json.ts";
import type { AnswerQuestion } from "../src/protocol/commands.ts";
import type { Entry, PlanStep } from "../src/protocol/facts.ts";
import type { Message } from "../src/protocol/messages.ts";
import { conversation, pendingApprovals, pendingQuestions } from "../src/protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from "../src/providers/scripted-model.ts";
import { openMemoryStore } from "../src/session/sqlite/memory-store.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../src/testing/session.ts";

const steps: PlanStep[] = [{ title: "Write a.txt", detail: "with one line" }, { title: "Check it" }];
const proposes = (more: JsonObject = {}): ScriptedAnswer => [
  { say: "I have a plan." },
  {
    call: "propose_plan",
    with: { steps: steps.map((step) => ({ ...step })), summary: "Two steps.", ...more },
  },
];
const writes: ScriptedAnswer = [
  { say: "I write it." },
  { call: "write_file", with: { path: "a.txt", content: "a\n" } },
];
const done: ScriptedAnswer = [{ say: "All is done." }];

async function planned(model: ScriptedModel, options: TestSessionOptions = {}): Promise<TestSession> {
  const opened = await testSession(model, { mode: "plan", ...options });
  await opened.session.command({ type: "send", content: [{ type: "text", text: "Make a.txt." }] });
  await opened.session.idle();
  return opened;
}

async function reply({ session }: TestSession, more: Partial<AnswerQuestion> = {}) {
  const callId = pendingQuestions(session.state)[0]?.callId ?? "none";
  const outcome = await session.command({
    type: "answer-question",
    callId,
    answer: "given",
    by: "test",
    ...more,
  });
  await session.idle();
  return outcome;
}

const of = <T extends Entry["type"]>({ facts }: TestSession, type: T) =>
  facts().filter((fact): fact is Extract<Entry, { type: T }> => fact.type === type);
const types = ({ facts }: TestSession): string[] => facts().map(({ type }) => type);
const firstResult = (opened: TestSession): string =>
  (of(opened, "result")[0]?.content ?? []).flatMap((part) => (part.type === "text" ? part.text : [])).join();

/** What every provider demands of a history: the user begins, and each call is followed by its result. */
function expectValid(messages: readonly Message[]): void {
  expect(messages[0]?.role).toBe("user");
  messages.forEach((message, at) => {
    if (message.role !== "assistant") return;
    const calls = message.content.flatMap((part) => (part.type === "call" ? [part.call.id] : []));
    const results = messages.slice(at + 1, at + 1 + calls.length);
    expect(results.map((result) => (result.role === "tool" ? result.callId : result.role))).toEqual(calls);
    if (calls.length === 0) expect(messages[at + 1]?.role).not.toBe("assistant");
  });
}

test("E2, E3: an approved plan leaves the same history as a run without plan mode, and the prompts are valid", async () => {
  const model = scriptedModel([proposes(), writes, done, [{ say: "Yes." }]]);
  const opened = await planned(model);
  expect(await reply(opened, { mode: "accept-edits" })).toEqual({ ok: true });
  expect(await opened.workspace.read("a.txt")).toBe("a\n");
  await opened.session.command({ type: "set-mode", mode: "ask" });
  await opened.ask("Is it there?");

  const plain = await testSession(
    scriptedModel([
      [{ say: "I have a plan." }, { call: "list_files", with: {} }],
      writes,
      done,
      [{ say: "Yes." }],
    ]),
    { mode: "accept-edits" },
  );
  await plain.ask("Make a.txt.");
  await plain.ask("Is it there?");
  expect(conversation(opened.session.state)).toEqual(conversation(plain.session.state));
  expect(conversation(opened.session.state)).toEqual([
    { role: "user", text: "Make a.txt." },
    { role: "assistant", text: "I have a plan.\n\nI write it.\n\nAll is done." },
    { role: "user", text: "Is it there?" },
    { role: "assistant", text: "Yes." },
  ]);
  for (const { messages } of model.prompts) expectValid(messages);
  await opened.close();
  await plain.close();
});

test("an approved plan switches the mode, becomes the todo list, and is sent to the model in full", async () => {
  const model = scriptedModel([proposes(), writes, done]);
  const opened = await planned(model);
  expect(pendingQuestions(opened.session.state)).toMatchObject([
    { question: "Two steps.", choices: [], steps },
  ]);
  await reply(opened, { text: "go" });
  expect(opened.session.state.mode).toBe("ask");
  expect(pendingApprovals(opened.session.state).length).toBe(1);
  expect(opened.session.state.todos).toEqual([
    { text: "Write a.txt", state: "open" },
    { text: "Check it", state: "open" },
  ]);
  expect(firstResult(opened)).toBe(
    "The user approved the plan, as you proposed it:\n1. Write a.txt\n   with one line\n2. Check it\nThey added: go\nPlan mode is over. Carry the plan out now; these steps are your list of things to do.",
  );
  await opened.close();
});

test("approving a plan leaves plan mode for the following requests, too", async () => {
  const opened = await planned(scriptedModel([proposes(), writes, done, [{ say: "You are welcome." }]]));
  await reply(opened, { mode: "accept-edits" });
  expect(opened.session.mode).toBe("accept-edits");
  await opened.ask("Thank you.");
  expect(of(opened, "turn-start").map(({ mode }) => mode)).toEqual(["plan", "accept-edits"]);
  await opened.close();
});

test("an edited plan replaces the proposed one, and empty steps are dropped", async () => {
  const opened = await planned(scriptedModel([proposes(), done]));
  await reply(opened, { steps: [{ title: " Only look ", detail: " " }, { title: "  " }] });
  expect(opened.session.state.todos).toEqual([{ text: "Only look", state: "open" }]);
  expect(firstResult(opened)).toContain(
    "with changes; this is what counts:\n1. Only look\nWithout these of your steps: Write a.txt; Check it\n",
  );
  await opened.close();
});

test.each<[Partial<AnswerQuestion>, string]>([
  [{ steps: [] }, "There is no step left in the plan: reject it instead, or leave one."],
  [{ steps: [{ title: " " }] }, "There is no step left in the plan: reject it instead, or leave one."],
  [{ mode: "plan" }, "In plan mode nothing is carried out: choose another mode for the plan."],
  [{ chosen: [0] }, "This is a plan and has no choices: approve or reject it."],
  [{ steps: Array.from({ length: 201 }, () => ({ title: "x" })) }, "A plan has at most 200 steps."],
])("an invalid approval is refused, and the plan stays open: %j", async (answer, problem) => {
  const opened = await planned(scriptedModel([proposes()]));
  expect(await reply(opened, answer)).toEqual({ ok: false, problem });
  expect(opened.session.state.mode).toBe("plan");
  expect(pendingQuestions(opened.session.state).length).toBe(1);
  await opened.close();
});

test("a plan is not carried out in the mode trusted where that may not be used", async () => {
  const problem = "Not on this machine.";
  const opened = await planned(scriptedModel([proposes()]), { mayTrust: () => ({ ok: false, problem }) });
  expect(await reply(opened, { mode: "trusted" })).toEqual({ ok: false, problem });
  expect(opened.session.state.mode).toBe("plan");
  expect(pendingQuestions(opened.session.state).length).toBe(1);
  await opened.close();
});

test("a rejected plan returns its reason, the model proposes another, and nothing is carried out", async () => {
  const opened = await planned(scriptedModel([proposes(), proposes({ summary: "Better." }), done]));
  await reply(opened, { answer: "declined", text: "too much" });
  expect(firstResult(opened)).toContain(`The user rejected the plan. They said: "too much".`);
  expect(opened.session.state.mode).toBe("plan");
  expect(pendingQuestions(opened.session.state)).toMatchObject([{ question: "Better." }]);
  await reply(opened, { answer: "declined" });
  expect(opened.session.state.status).toBe("idle");
  expect(opened.session.state.todos).toEqual([]);
  expect(of(opened, "turn-end")).toMatchObject([{ stopped: "done", changed: [] }]);
  await opened.close();
});

test("a plan written as plain text ends the turn as its answer", async () => {
  const opened = await planned(scriptedModel([[{ say: "1. Write a.txt" }]]));
  expect(of(opened, "turn-end")).toMatchObject([{ stopped: "done", text: "1. Write a.txt" }]);
  expect(types(opened)).not.toContain("warning");
  await opened.close();
});

test("other calls in the answer that proposes a plan never run, before or after approval", async () => {
  const both: ScriptedAnswer = [
    ...proposes(),
    { call: "write_file", with: { path: "a.txt", content: "too early\n" } },
    { call: "run_command", with: { command: "touch b.txt" } },
    { call: "write_file", with: { path: "c.txt", content: "too early\n" } },
  ];
  const opened = await planned(scriptedModel([both, done]));
  expect(of(opened, "result").map(({ outcome }) => outcome)).toEqual(["denied", "denied"]);
  await reply(opened, { mode: "auto" });
  expect(of(opened, "result").map(({ outcome }) => outcome)).toEqual(["denied", "denied", "ok", "denied"]);
  expect(await opened.workspace.files()).toEqual([]);
  await opened.close();
});

test("approving a plan during its answer does not let the rest of that answer run", async () => {
  const gate = Promise.withResolvers<void>();
  const late: ScriptedAnswer = [
    ...proposes(),
    { wait: gate.promise },
    { call: "write_file", with: { path: "a.txt", content: "too early\n" } },
  ];
  const opened = await testSession(scriptedModel([late, writes, done]), { mode: "plan" });
  const { session } = opened;
  const asked = session.log.until((fact) => fact.type === "question-asked", new AbortController().signal);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await asked;
  const callId = pendingQuestions(session.state)[0]?.callId ?? "";
  const answered = session.log.until((fact) => fact.type === "result", new AbortController().signal);
  await session.command({
    type: "answer-question",
    callId,
    answer: "given",
    by: "test",
    mode: "accept-edits",
  });
  await answered;
  gate.resolve();
  await session.idle();
  expect(of(opened, "result").map(({ outcome }) => outcome)).toEqual(["ok", "denied", "ok"]);
  expect(await opened.workspace.read("a.txt")).toBe("a\n");
  await opened.close();
});

test("when nobody can approve it, the plan becomes the model's answer, and nothing is carried out", async () => {
  const opened = await planned(scriptedModel([proposes(), [{ say: "The plan: …" }]]), { interactive: false });
  expect(firstResult(opened)).toContain("Nobody is there to approve the plan");
  expect(of(opened, "turn-end")).toMatchObject([{ stopped: "done", text: "The plan: …" }]);
  expect(opened.session.state.mode).toBe("plan");
  await opened.close();
});

test("propose_plan is offered only in plan mode, and asks nobody outside of it", async () => {
  const isTold = ({ prompts }: ScriptedModel): boolean =>
    prompts[0]?.tools.some(({ name }) => name === "propose_plan") === true;
  const planning = scriptedModel([done]);
  await (await planned(planning)).close();
  expect(isTold(planning)).toBe(true);
  const model = scriptedModel([proposes(), done]);
  const opened = await planned(model, { mode: "ask" });
  expect(isTold(model)).toBe(false);
  expect(firstResult(opened)).toContain("Plan mode is off");
  expect(types(opened)).not.toContain("question-asked");
  await opened.close();
});

test("interrupting an open plan leaves a valid history and stays in plan mode", async () => {
  const model = scriptedModel([proposes(), done]);
  const opened = await planned(model);
  await opened.session.command({ type: "interrupt" });
  expect(await reply(opened)).toMatchObject({ ok: false });
  expect(opened.session.state.open.size).toBe(0);
  await opened.ask("Again.");
  expect(opened.session.state.mode).toBe("plan");
  expectValid(model.prompts[1]?.messages ?? []);
  await opened.close();
});

/** The log of a plan that was approved during its answer. */
async function approvedWhileSpeaking(): Promise<readonly Entry[]> {
  const gate = Promise.withResolvers<void>();
  const opened = await testSession(scriptedModel([[...proposes(), { wait: gate.promise }], writes, done]), {
    mode: "plan",
  });
  const { session } = opened;
  const signal = new AbortController().signal;
  const asked = session.log.until((fact) => fact.type === "question-asked", signal);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await asked;
  const answered = session.log.until((fact) => fact.type === "result", signal);
  const callId = pendingQuestions(session.state)[0]?.callId ?? "";
  await session.command({
    type: "answer-question",
    callId,
    answer: "given",
    by: "test",
    mode: "accept-edits",
  });
  await answered;
  gate.resolve();
  await session.idle();
  const entries = [...opened.facts()];
  await opened.close();
  return entries;
}

/** Reopens the first part of a log, goes on, and answers whatever is open. */
async function wentOn(entries: readonly Entry[]): Promise<{ opened: TestSession; model: ScriptedModel }> {
  const store = openMemoryStore();
  const first = entries[0];
  const id = first?.type === "session-start" ? first.session : "";
  const workspace = first?.type === "session-start" ? first.workspace : "";
  await store.create({ id, workspace, createdAt: 1 });
  await store.append(id, await store.claim(id), entries);
  const model = scriptedModel((prompt) =>
    prompt.messages.some(({ role }) => role === "tool") ? done : proposes(),
  );
  const opened = await testSession(model, { store, mode: "plan", resume: id });
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  await reply(opened);
  return { opened, model };
}

test("after a cut at any fact, a plan is asked about again or continues, and an approval already given holds", async () => {
  const whole = await approvedWhileSpeaking();
  expect(whole.map(({ type }) => type).indexOf("answer-end")).toBeGreaterThan(
    whole.findIndex(({ type }) => type === "question-answered"),
  );
  const end = whole.findIndex((fact) => fact.type === "call" && fact.call.name === "write_file");
  for (let at = 3; at <= end; at += 1) {
    const { opened, model } = await wentOn(whole.slice(0, at));
    const { state } = opened.session;
    expect([state.status, state.open.size], `after ${at} facts`).toEqual(["idle", 0]);
    for (const { messages } of model.prompts) expectValid(messages);
    const isApproved = whole.slice(0, at).some(({ type }) => type === "question-answered");
    if (isApproved) {
      expect(firstResult(opened)).toContain("The user approved the plan");
      expect([of(opened, "question-asked").length, state.todos.length]).toEqual([1, 2]);
    }
    await opened.close();
  }
});
