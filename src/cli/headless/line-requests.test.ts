/** Tests `--input stream-json`: a program that drives a session by lines. */

import { Validator } from "@cfworker/json-schema";
import { expect, onTestFinished, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { runHeadlessIn } from "./headless.ts";
import { headlessSchema } from "./json-schemas.ts";

const schema = JSON.parse(JSON.stringify(headlessSchema()));
type LineForm = { properties: { type: { const: string } } };
const forms: LineForm[] = schema.$defs.outputLine.anyOf;
/** Of each type of line, because it takes long to try the forms of all others. */
const lineSchemas = new Map<unknown, Validator>(
  forms.map((form) => [form.properties.type.const, new Validator({ ...schema, ...form }, "2020-12")]),
);

type Driving = { session?: TestSessionOptions; first?: string };

/** A driven run: lines go in, and what was printed is waited for. Every line that comes out must fit the schema. */
async function drive(script: ModelScript, { session, first }: Driving = {}) {
  const terminal = testTerminal({ piped: true });
  const runtime = await testRuntime(scriptedModel(script), session);
  onTestFinished(() => runtime.close());
  const settings = testSettings({ input: "stream-json", output: "stream-json" });
  const presence = { isThere: true };
  const content = first === undefined ? undefined : [{ type: "text" as const, text: first }];
  const ended = runHeadlessIn({ terminal, settings }, runtime, { content, presence });
  const lines = (): JsonObject[] =>
    terminal
      .printed()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return {
    terminal,
    runtime,
    presence,
    send: (line: Json) => terminal.type(`${JSON.stringify(line)}\n`),
    until: (text: string) => terminal.until(text),
    /** Ends the input. */
    end: () => void terminal.input.end(),
    async ended() {
      const code = await ended;
      const all = lines();
      const different = new Map(all.map((line) => [JSON.stringify(line), line]));
      for (const line of different.values())
        expect([line, lineSchemas.get(line["type"])?.validate(line).errors]).toEqual([line, []]);
      return { code, lines: all, last: all.at(-1) };
    },
    ofType: (type: string) => lines().filter((line) => line["type"] === type),
  };
}

const say = (text: string, more: JsonObject = {}): Json => ({ type: "send", content: text, ...more });

test("several requests are done one after the other, each has its result, and the end of the input ends the run", async () => {
  const run = await drive((_, round) => [{ say: `Answer ${round}.` }]);
  run.send(say("one"));
  await run.until('"type":"request-end"');
  run.send(say("two"));
  await run.until('"type":"request-end"');
  run.end();
  const { code, last } = await run.ended();
  expect(code).toBe(0);
  expect(run.ofType("request-end").map(({ text }) => text)).toEqual(["Answer 1.", "Answer 2."]);
  expect(last).toMatchObject({ type: "run-end", text: "Answer 2.", exit: 0, version: 1 });
  expect(run.ofType("session-start")).toHaveLength(1);
});

test("the end of the input waits for what runs, and for what is queued", async () => {
  const gate = Promise.withResolvers<void>();
  const run = await drive((_, round) => [{ wait: gate.promise }, { say: `Answer ${round}.` }]);
  run.send(say("one"));
  run.send(say("two", { when: "next" }));
  await run.until('"type":"message-queued"');
  run.end();
  gate.resolve();
  const { code } = await run.ended();
  expect([code, run.ofType("request-end").map(({ text }) => text)]).toEqual([0, ["Answer 1.", "Answer 2."]]);
});

test("a message steers the request that runs, and a first request may come with -p", async () => {
  const gate = Promise.withResolvers<void>();
  const look: ScriptedAnswer = [{ wait: gate.promise }, { call: "list_files", with: { path: "." } }];
  const run = await drive([look, [{ say: "As you say." }]], { first: "Begin" });
  await run.until('"type":"turn-start"');
  run.send(say("rather so"));
  await run.until('"type":"message-queued"');
  gate.resolve();
  await run.until('"type":"request-end"');
  run.end();
  expect(await run.ended()).toMatchObject({ code: 0, last: { text: "As you say." } });
  expect(run.ofType("steer")).toHaveLength(1);
});

const write: ScriptedAnswer = [{ call: "write_file", with: { path: "a.txt", content: "x" } }];

test("an approval and a question are answered by lines; the scope and the name need not be said", async () => {
  const ask: ScriptedAnswer = [
    { call: "ask_user", with: { question: "Which?", choices: [{ label: "a" }, { label: "b" }] } },
  ];
  const run = await drive([write, ask, [{ say: "Done." }]]);
  run.send(say("go"));
  await run.until('"type":"approval-asked"');
  const approval = () => run.ofType("approval-asked")[0]?.["callId"] ?? null;
  run.send({ type: "answer-approval", callId: approval(), answer: "allow", version: 1 });
  await run.until('"type":"question-asked"');
  run.send({
    type: "answer-question",
    callId: run.ofType("question-asked")[0]?.["callId"] ?? null,
    answer: "given",
    chosen: [1],
  });
  await run.until('"type":"request-end"');
  run.end();
  const { code, last } = await run.ended();
  expect(code).toBe(0);
  expect(run.ofType("approval-answered")).toMatchObject([{ by: "a program", scope: "once" }]);
  expect(last).toMatchObject({
    changed: ["a.txt"],
    waited: [
      { type: "approval", answer: "allow" },
      { type: "question", answer: "given" },
    ],
  });
});

test("a question that nobody can answer any more is declined when the input ends, and so are later ones", async () => {
  const again: ScriptedAnswer = [{ call: "write_file", with: { path: "b.txt", content: "x" } }];
  const run = await drive([write, again, [{ say: "I may not." }]]);
  run.send(say("go"));
  await run.until('"type":"approval-asked"');
  run.end();
  const { code, last } = await run.ended();
  expect([code, run.presence.isThere]).toEqual([3, false]);
  expect(last).toMatchObject({
    text: "I may not.",
    denied: [{ tool: "write_file" }, { tool: "write_file" }],
  });
});

test("an interruption stops the request at once, and another one may follow", async () => {
  const never = new Promise<void>(() => undefined);
  const run = await drive((_, round) =>
    round === 1 ? [{ say: "Long" }, { wait: never }] : [{ say: "Short." }],
  );
  run.send(say("one"));
  await run.until('"type":"turn-start"');
  run.send({ type: "interrupt" });
  await run.until('"type":"request-end"');
  run.send(say("two"));
  await run.until('"type":"request-end"');
  run.end();
  const { code, last } = await run.ended();
  expect(run.ofType("request-end")).toMatchObject([{ stopped: "interrupted", exit: 130 }, { exit: 0 }]);
  expect([code, last?.["exit"], last?.["text"]]).toEqual([130, 130, "Short."]);
});

test("broken and unknown lines are told by their number and lose nothing; the exit code says so", async () => {
  const run = await drive((_, round) => [{ say: `Answer ${round}.` }]);
  run.terminal.type("{\n\n");
  const wrong: Json[] = [
    { type: "jump" },
    {},
    { type: "send" },
    { type: "send", content: 3 },
    { type: "send", content: "x", wen: "next" },
    { type: "send", content: "x", version: 2 },
    { type: "send", content: [{ type: "audio" }] },
    { type: "interrupt", device: "x" },
    { type: "answer-limit", answer: "perhaps" },
  ];
  for (const line of wrong) run.send(line);
  run.send(say("one"));
  run.end();
  const { code, last } = await run.ended();
  const refused = run.ofType("input-refused");
  expect(refused.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(refused[1]).toMatchObject({ problem: expect.stringContaining('"type" must be one of "send"') });
  expect(refused[5]).toMatchObject({ problem: 'There is no field "wen" here.' });
  expect([code, last]).toEqual([2, expect.objectContaining({ text: "Answer 1.", exit: 2 })]);
});

test("what the session refuses is told by the line, and is no fault of the run", async () => {
  const run = await drive((_, round) => [{ say: `Answer ${round}.` }]);
  run.send({ type: "interrupt" });
  run.send({ type: "answer-approval", callId: "none", answer: "deny" });
  run.send({ type: "send", content: " " });
  run.send({ type: "set-mode", mode: "plan" });
  run.send(say("one"));
  run.end();
  const { code } = await run.ended();
  expect(run.ofType("input-refused")).toMatchObject([
    { line: 1, problem: "Nothing is running." },
    { line: 2, problem: "That question is not open any more." },
    { line: 3, problem: "The request is empty. Say what to do." },
  ]);
  expect([code, run.ofType("turn-start")]).toEqual([0, [expect.objectContaining({ mode: "plan" })]]);
});

test("an input without a request is a usage error", async () => {
  for (const lines of ["", "\n", '{"type":"interrupt"}\n']) {
    const run = await drive([]);
    run.terminal.type(lines);
    run.end();
    const ended = await run.ended();
    const [start] = run.ofType("session-start");
    expect(ended).toMatchObject({
      code: 2,
      last: { type: "run-end", exit: 2, stopped: "failed", session: start?.["session"] },
    });
    expect(run.terminal.reported()).toContain("No request came by standard input");
  }
});

test("what is done without a request, such as an undo or a new name, ends the run well", async () => {
  const run = await drive([]);
  run.send({ type: "rename", title: "Parser" });
  run.end();
  const ended = await run.ended();
  const [start] = run.ofType("session-start");
  expect(ended).toMatchObject({
    code: 0,
    last: { type: "run-end", session: start?.["session"], stopped: "done", model: null, exit: 0 },
  });
  expect(run.terminal.reported()).toBe("");
});

test("Ctrl-C ends the run though the input is still open", async () => {
  const never = new Promise<void>(() => undefined);
  const stuck: ScriptedAnswer[] = [[{ say: "Long" }, { wait: never }]];
  const run = await drive(stuck);
  run.send(say("one"));
  await run.until('"type":"turn-start"');
  run.terminal.raise("SIGINT");
  expect(await run.ended()).toMatchObject({ code: 130, last: { stopped: "interrupted", exit: 130 } });
  const idle = await drive([[{ say: "Done." }]]);
  idle.send(say("one"));
  await idle.until('"type":"request-end"');
  idle.terminal.raise("SIGINT");
  expect(await idle.ended()).toMatchObject({ code: 130, last: { text: "Done.", exit: 130 } });
});

test("a failing store ends the run instead of leaving it waiting for lines", async () => {
  const run = await drive([[{ say: "x" }]]);
  run.runtime.store.append = () => Promise.reject(new Error("The disk is full."));
  run.send(say("one"));
  await expect(run.ended()).rejects.toThrow("The disk is full.");
});

test("two thousand lines at once are all told, and none is lost", async () => {
  const run = await drive((_, round) => [{ say: `Answer ${round}.` }]);
  run.terminal.type('{"type":"rename","title":""}\n'.repeat(2_000));
  run.send(say("one"));
  run.end();
  const { code } = await run.ended();
  expect([code, run.ofType("input-refused").length]).toEqual([0, 2_000]);
});

const texts = (contents: readonly unknown[]): string[] =>
  contents.flatMap((content) =>
    Array.isArray(content) ? content.map((part: { text: string }) => part.text) : [],
  );

test("more messages at once than the queue holds are held back, in order, and none is refused", async () => {
  const gate = Promise.withResolvers<void>();
  const run = await drive((_, round) =>
    round === 1 ? [{ wait: gate.promise }, { say: "1" }] : [{ say: "2" }],
  );
  const all = Array.from({ length: 350 }, (_, index) => `message ${index}`);
  for (const text of all) run.send(say(text));
  run.end();
  await run.until('"text":"message 100"');
  gate.resolve();
  const { code } = await run.ended();
  expect([code, run.ofType("input-refused")]).toEqual([0, []]);
  expect(
    texts([...run.ofType("user-message"), ...run.ofType("steer")].map(({ content }) => content)).toSorted(),
  ).toEqual(all.toSorted());
  expect(texts(run.ofType("message-queued").map(({ content }) => content))).toEqual(all.slice(1));
});

test("an answer overtakes the messages that are held back", async () => {
  const gate = Promise.withResolvers<void>();
  const run = await drive([write, [{ say: "Written." }, { wait: gate.promise }], [{ say: "Again." }]]);
  for (let index = 0; index < 150; index += 1) run.send(say(`message ${index}`));
  await run.until('"type":"approval-asked"');
  const callId = run.ofType("approval-asked")[0]?.["callId"] ?? null;
  run.send({ type: "answer-approval", callId, answer: "allow" });
  await run.until('"type":"approval-answered"');
  run.end();
  gate.resolve();
  await run.ended();
  expect(run.ofType("input-refused")).toEqual([]);
  expect([...run.ofType("user-message"), ...run.ofType("steer")]).toHaveLength(150);
});

test("an interruption overtakes the messages that are held back, and loses none", async () => {
  const never = new Promise<void>(() => undefined);
  const run = await drive((_, round) =>
    round === 1 ? [{ say: "Long" }, { wait: never }] : [{ say: "Short." }],
  );
  for (let index = 0; index < 150; index += 1) run.send(say(`message ${index}`));
  await run.until('"text":"message 100"');
  run.send({ type: "interrupt" });
  await run.until('"exit":130');
  run.end();
  await run.ended();
  expect(run.ofType("input-refused")).toEqual([]);
  expect([...run.ofType("user-message"), ...run.ofType("steer")]).toHaveLength(150);
});

test("what is held back when the run is stopped is told, line by line", async () => {
  const never = new Promise<void>(() => undefined);
  const run = await drive([[{ say: "Long" }, { wait: never }]]);
  for (let index = 0; index < 103; index += 1) run.send(say(`message ${index}`));
  await run.until('"text":"message 100"');
  run.terminal.raise("SIGINT");
  const { code } = await run.ended();
  expect([code, run.ofType("input-refused").map(({ line }) => line)]).toEqual([130, [102, 103]]);
});

test("lines that a question holds back are refused beyond what is read ahead, so that its answer can come", async () => {
  const run = await drive([write, [{ say: "Done." }]], { first: "go" });
  await run.until('"type":"approval-asked"');
  const big = "x".repeat(20_000);
  for (let index = 0; index < 102; index += 1) run.send(say(`message ${index}`));
  for (let index = 0; index < 800; index += 1) run.send({ type: "rename", title: big });
  run.send({
    type: "answer-approval",
    callId: run.ofType("approval-asked")[0]?.["callId"] ?? null,
    answer: "allow",
  });
  await run.until('"type":"approval-answered"');
  run.end();
  await run.ended();
  const refused = run.ofType("input-refused");
  expect(refused.length).toBeGreaterThan(500);
  expect(refused[0]?.["problem"]).toContain("Answer the question first");
  expect([...run.ofType("user-message"), ...run.ofType("steer")]).toHaveLength(103);
});
