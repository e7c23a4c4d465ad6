import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { AnswerQuestion } from "../protocol/commands.ts";
import type { Entry } from "../protocol/facts.ts";
import { ModelError } from "../protocol/model-events.ts";
import { pendingApprovals, pendingQuestions } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedStep } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";

const asks = (question = "Which one?", more: JsonObject = {}): ScriptedStep => ({
  call: "ask_user",
  with: { question, choices: [{ label: "red" }, { label: "blue" }], ...more },
});
const over: ScriptedAnswer = [{ say: "Done." }];

/** Sends the request and waits until nothing runs. */
async function sent(model: Model, options: TestSessionOptions = {}): Promise<TestSession> {
  const opened = await testSession(model, options);
  await opened.session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await opened.session.idle();
  return opened;
}

async function reply({ session }: TestSession, more: Partial<AnswerQuestion> = {}, at = 0) {
  const callId = pendingQuestions(session.state)[at]?.callId ?? "none";
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
const results = (opened: TestSession): string[] =>
  of(opened, "result").flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "text" ? part.text : [])),
  );
const types = ({ facts }: TestSession): string[] => facts().map(({ type }) => type);

test("a question pauses the turn; the reply tells the model what was chosen, and the turn goes on", async () => {
  const opened = await sent(scriptedModel([[asks()], over]));
  expect(types(opened).slice(3)).toEqual(["call", "answer-end", "decision", "question-asked"]);
  expect(pendingQuestions(opened.session.state)).toMatchObject([
    { question: "Which one?", choices: [{ label: "red" }, { label: "blue" }] },
  ]);
  expect(await reply(opened, { chosen: [1] })).toEqual({ ok: true });
  expect(results(opened)).toEqual(["The user chose: blue"]);
  expect(types(opened).slice(7)).toEqual([
    "question-answered",
    "call-start",
    "result",
    "text",
    "answer-end",
    "turn-end",
  ]);
  await opened.close();
});

test.each<[string, Partial<AnswerQuestion>, JsonObject, string]>([
  ["own words", { text: "green" }, {}, "The user answered: green"],
  [
    "a choice with words",
    { chosen: [0], text: "but darker" },
    {},
    "The user chose: red\nThey added: but darker",
  ],
  ["several choices", { chosen: [1, 0, 1] }, { several: true }, "The user chose:\n- blue\n- red"],
  [
    "no answer",
    { answer: "declined", text: "not now" },
    {},
    `The user does not want to answer this. They said: "not now". Do not ask it again: decide yourself and say which assumption you made, or do without.`,
  ],
])("a person may reply with %s", async (_name, answer, more, words) => {
  const opened = await sent(scriptedModel([[asks("Which?", more)], over]));
  expect(await reply(opened, answer)).toEqual({ ok: true });
  expect(results(opened)).toEqual([words]);
  await opened.close();
});

test.each<[Partial<AnswerQuestion>, string]>([
  [{}, "Choose one of these, or answer in your own words."],
  [{ text: " " }, "Choose one of these, or answer in your own words."],
  [{ chosen: [2] }, "There is no choice 3."],
  [{ chosen: [-1] }, "There is no choice 0."],
  [{ chosen: [0.5] }, "There is no choice 1.5."],
  [{ chosen: [0, 1] }, "Only one of these can be chosen."],
  [{ steps: [{ title: "x" }] }, "This is a question and no plan: choose, or answer in your own words."],
  [{ text: "x".repeat(100_001) }, "That answer is too long: at most 100000 characters are taken."],
  [{ callId: "other", text: "x" }, "That question is not open any more."],
])("an invalid reply is refused and the question stays open: %j", async (answer, problem) => {
  const opened = await sent(scriptedModel([[asks()], over]));
  const { length } = opened.facts();
  expect(await reply(opened, answer)).toEqual({ ok: false, problem });
  expect(opened.facts().length).toBe(length);
  expect(pendingQuestions(opened.session.state).length).toBe(1);
  await opened.close();
});

test("the first reply wins, and a second one is refused", async () => {
  const opened = await sent(scriptedModel([[asks()], over]));
  const [question] = pendingQuestions(opened.session.state);
  const answer = {
    type: "answer-question",
    callId: question?.callId ?? "",
    answer: "given",
    by: "a",
  } as const;
  const both = await Promise.all([
    opened.session.command({ ...answer, chosen: [0] }),
    opened.session.command({ ...answer, chosen: [1] }),
  ]);
  await opened.session.idle();
  expect(both).toEqual([{ ok: true }, { ok: false, problem: "That question is not open any more." }]);
  expect(results(opened)).toEqual(["The user chose: red"]);
  await opened.close();
});

test("a reply that comes while the model still streams takes effect immediately", async () => {
  const gate = Promise.withResolvers<void>();
  const opened = await testSession(scriptedModel([[asks(), { wait: gate.promise }, { say: "…" }], over]));
  const { session } = opened;
  const asked = session.log.until((fact) => fact.type === "question-asked", new AbortController().signal);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await asked;
  const result = session.log.until((fact) => fact.type === "result", new AbortController().signal);
  const [question] = pendingQuestions(session.state);
  await session.command({
    type: "answer-question",
    callId: question?.callId ?? "",
    answer: "given",
    by: "test",
    chosen: [0],
  });
  await result;
  expect(types(opened)).not.toContain("answer-end");
  gate.resolve();
  await session.idle();
  expect(session.state.status).toBe("idle");
  await opened.close();
});

test("without a person the model is told to decide itself, and the turn does not wait", async () => {
  const opened = await sent(scriptedModel([[asks()], over]), { interactive: false });
  expect(opened.session.state.status).toBe("idle");
  expect(types(opened)).not.toContain("question-asked");
  expect(of(opened, "result")).toMatchObject([{ outcome: "ok" }]);
  expect(results(opened)[0]).toContain("Nobody can be asked here. Decide yourself");
  await opened.close();
});

test("two questions in one answer are asked together, and each reply goes to its own question", async () => {
  for (const first of [0, 1]) {
    const opened = await sent(scriptedModel([[asks("One?"), asks("Two?")], over]));
    expect(pendingQuestions(opened.session.state).map(({ question }) => question)).toEqual(["One?", "Two?"]);
    await reply(opened, { chosen: [first] }, first);
    expect(opened.session.state.status).toBe("running");
    await reply(opened, { chosen: [1 - first] });
    expect(opened.session.state.status).toBe("idle");
    const told = opened.session.state.messages.flatMap((message) =>
      message.role === "tool" ? message.content : [],
    );
    expect(told).toEqual([
      { type: "text", text: "The user chose: red" },
      { type: "text", text: "The user chose: blue" },
    ]);
    await opened.close();
  }
});

test("a change written after a question asks for approval only after the reply", async () => {
  const write = { call: "write_file", with: { path: "a.txt", content: "a\n" } };
  const command = { call: "run_command", with: { command: "touch b.txt" } };
  const opened = await sent(scriptedModel([[asks(), write, command], over]));
  expect(types(opened)).not.toContain("approval-asked");
  await reply(opened, { chosen: [0] });
  const [pending] = pendingApprovals(opened.session.state);
  expect(pending?.title).toBe("Write a.txt");
  await opened.close();
});

test("a change before a question is made before the reply, and a read after it succeeds", async () => {
  const write = { call: "write_file", with: { path: "a.txt", content: "a\n" } };
  const read = { call: "read_file", with: { path: "b.txt" } };
  const opened = await sent(scriptedModel([[write, asks(), read], over]), {
    mode: "accept-edits",
    files: { "b.txt": "b\n" },
  });
  expect(pendingQuestions(opened.session.state).length).toBe(1);
  expect(await opened.workspace.read("a.txt")).toBe("a\n");
  await reply(opened, { chosen: [0] });
  expect(of(opened, "result").map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
  await opened.close();
});

test("an answer that breaks off cancels its open question", async () => {
  const broken = new ModelError("network", "cut", { midStream: true });
  const opened = await sent(scriptedModel([[asks(), { fail: broken }], over]));
  expect(of(opened, "result")).toMatchObject([{ outcome: "cancelled" }]);
  expect(pendingQuestions(opened.session.state)).toEqual([]);
  expect(opened.session.state.status).toBe("idle");
  await opened.close();
});

test("a question parsed from text is asked only when its answer ends, and not if that was cut off", async () => {
  const gate = Promise.withResolvers<void>();
  const asText = (model: Model): Model => ({
    ...model,
    async *ask(prompt, signal) {
      for await (const event of model.ask(prompt, signal))
        yield event.type === "call-end" ? { ...event, call: { ...event.call, source: "hermes" } } : event;
    },
  });
  const cut: ScriptedAnswer = [asks(), { wait: gate.promise }, { end: "length" }];
  const opened = await testSession(asText(scriptedModel([cut, [asks()], over])));
  const { session } = opened;
  const called = session.log.until((fact) => fact.type === "call", new AbortController().signal);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await called;
  expect(types(opened)).not.toContain("question-asked");
  gate.resolve();
  await session.idle();
  expect(of(opened, "result")).toMatchObject([{ outcome: "cancelled" }]);
  expect(types(opened).slice(-4)).toEqual(["call", "answer-end", "decision", "question-asked"]);
  await opened.close();
});

test("an interruption closes an open question, and the next prompt is complete", async () => {
  const model = scriptedModel([[asks()], over]);
  const opened = await sent(model);
  await opened.session.command({ type: "interrupt" });
  expect(of(opened, "result")).toMatchObject([{ outcome: "cancelled" }]);
  expect(of(opened, "turn-end")).toMatchObject([{ stopped: "interrupted" }]);
  expect(await reply(opened, { chosen: [0] })).toMatchObject({ ok: false });
  await opened.ask("And now?");
  expect(model.prompts[1]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
  await opened.close();
});

test("a deny rule for the tool denies the question; an ask rule adds no separate approval", async () => {
  const ruled = (decision: "ask" | "deny") =>
    sent(scriptedModel([[asks()], over]), {
      rules: [{ name: "user", rules: [{ tool: "ask_user", decision }] }],
    });
  const denied = await ruled("deny");
  expect(of(denied, "result")).toMatchObject([{ outcome: "denied" }]);
  expect(types(denied)).not.toContain("question-asked");
  await denied.close();
  const asked = await ruled("ask");
  expect(pendingApprovals(asked.session.state)).toEqual([]);
  expect(pendingQuestions(asked.session.state).length).toBe(1);
  await asked.close();
});

test("questions beyond the limit of calls are cancelled, even an invalid one", async () => {
  const calls = [asks("One?"), asks("Two?"), { call: "ask_user", with: {} }];
  const opened = await sent(scriptedModel([calls, over]), { maxCalls: 1 });
  expect(pendingQuestions(opened.session.state).map(({ question }) => question)).toEqual(["One?"]);
  expect(of(opened, "result").map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  await opened.close();
});

test("a question survives a restart: it is not asked again, and the turn continues with the reply", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  const first = await sent(scriptedModel([[{ say: "I ask." }, asks()]]), { store, workspace });
  const { id } = first.session;
  await first.session.close();
  const second = await testSession(scriptedModel([over]), { store, workspace, resume: id });
  await second.session.command({ type: "go-on" });
  await second.session.idle();
  expect(of(second, "question-asked").length).toBe(1);
  expect(await reply(second, { chosen: [0] })).toEqual({ ok: true });
  expect(of(second, "question-asked").length).toBe(1);
  expect(results(second)).toEqual(["The user chose: red"]);
  expect(second.session.state.status).toBe("idle");
  await second.close();
  await workspace.remove();
});

test("the steps of a plan are over with the request that was done, and stay as long as it is not", async () => {
  const model = scriptedModel([
    [{ call: "propose_plan", with: { steps: [{ title: "Read" }, { title: "Change" }] } }],
    over,
    over,
  ]);
  const opened = await sent(model, { mode: "plan", maxRounds: 1 });
  const { session } = opened;
  const open = [
    { text: "Read", state: "open" },
    { text: "Change", state: "open" },
  ];
  await reply(opened);
  expect(of(opened, "turn-end")).toMatchObject([{ stopped: "limit" }]);
  await opened.ask("Go on.");
  expect(session.state.todos).toEqual(open);
  await opened.ask("Now something else.");
  expect(session.state.todos).toEqual([]);
});
