/**
 * Tests patterns of a stuck model as whole sessions (E9, B11). patterns-reference.test.ts checks the verdict itself.
 */

import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import type { Entry, FactOf } from "../../protocol/facts.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { endOf, sessionForTest } from "../../testing/scripted-session.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { defineTool, failedResult, ok } from "../../tools/tool.ts";

async function start(script: ModelScript, options: TestSessionOptions = {}) {
  const model = scriptedModel(script);
  const opened = await sessionForTest(model, { mode: "auto", ...options });
  return { ...opened, model };
}

const detectedIn = (facts: readonly Entry[]): FactOf<"failure-detected">[] =>
  facts.flatMap((fact) => (fact.type === "failure-detected" ? [fact] : []));
const found = (facts: readonly Entry[]): string[] =>
  detectedIn(facts).map(({ pattern, count }) => `${pattern} ${count}`);
const done: ScriptedAnswer = [{ say: "Done." }];
const read = (path: string): ScriptedAnswer => [{ call: "read_file", with: { path } }];
const wrongEdit = (old: string): ScriptedAnswer => [
  { call: "edit_file", with: { path: "a.txt", old, new: "x" } },
];

/** The patterns a script shows, with the rounds before which the model was told. */
async function patternsOf(script: readonly ScriptedAnswer[], options?: TestSessionOptions, answer?: "deny") {
  const { ask, facts } = await start([...script, done], { files: { "a.txt": "a\n" }, ...options });
  await ask("go", answer);
  return found(facts());
}

test("E9: a tool that fails three times in a row is reported to the model before its next answer", async () => {
  const { ask, facts, model } = await start(
    [wrongEdit("1"), wrongEdit("2"), wrongEdit("3"), read("a.txt"), done],
    { files: { "a.txt": "a\n" } },
  );
  await ask("go");
  expect(found(facts())).toEqual(["all-failed 2", "repeated-tool-error 3"]);
  const [, told] = detectedIn(facts());
  expect(told?.text).toMatch(/^edit_file has failed 3 times in a row\. /);
  expect(JSON.stringify(model.prompts[3]?.messages.at(-1))).toContain(told?.text);
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("B11: two rounds in which every call failed are reported, and the count then restarts", async () => {
  const failing = (at: number): ScriptedAnswer => [
    { call: "read_file", with: { path: `none-${at}` } },
    { call: "list_files", with: { path: `none-${at}` } },
  ];
  const rounds = [1, 2, 3, 4].map(failing);
  expect(await patternsOf(rounds)).toEqual(["all-failed 2", "all-failed 2"]);
  const half: ScriptedAnswer = [...failing(9), ...read("a.txt")];
  expect(await patternsOf([failing(1), half, failing(2), half])).toEqual([]);
});

test("E9: three refusals in a turn are reported, whatever was read in between", async () => {
  const write = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "x" } }];
  const script = [write("1"), read("a.txt"), write("2"), read("a.txt"), write("3")];
  expect(await patternsOf(script, { mode: "ask" }, "deny")).toEqual(["tool-rejection-loop 3"]);
});

test("E9: an answer with many calls is one round, and what it repeats is reported like a single call", async () => {
  const many = (path: (at: number) => string): ScriptedAnswer =>
    Array.from({ length: 70 }, (_, at) => ({ call: "read_file", with: { path: path(at) } }));
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`${at}.txt`, `${at}\n`]));
  const same = many((at) => `${at}.txt`);
  expect(await patternsOf([same, same, same], { files })).toEqual(["no-progress 3"]);
  const failing = many((at) => `none-${at}`);
  expect(await patternsOf([failing, failing])).toEqual(["repeated-tool-error 140"]);
});

test("E9: the same call with the same result is reported the third time, and ends the turn if it goes on", async () => {
  const { ask, facts } = await start(() => read("a.txt"), { files: { "a.txt": "a\n" } });
  await ask("go");
  expect(found(facts())).toEqual(["no-progress 3", "no-progress 3", "no-progress 3"]);
  expect(endOf(facts())).toMatchObject({
    stopped: "failed",
    because: expect.stringMatching(
      /^the model made the same call 10 times with the same result.*Read a\.txt/,
    ),
  });
});

test("repeating a cycle of calls counts as no progress", async () => {
  const circle = [read("a.txt"), read("b.txt"), [{ call: "list_files", with: {} }]];
  const files = { "a.txt": "a\n", "b.txt": "b\n" };
  expect(await patternsOf([...circle, ...circle, ...circle], { files })).toEqual(["no-progress 3"]);
});

test("a turn in which every call of twenty rounds failed or was refused ends, however they differ", async () => {
  const script: ModelScript = (_, round) => read(`missing-${round}.txt`);
  const { ask, facts, model } = await start(script);
  await ask("go");
  expect(model.prompts).toHaveLength(20);
  expect(endOf(facts())).toMatchObject({
    stopped: "failed",
    because: "every call of the last 20 rounds failed or was refused.",
  });
});

test("one call that succeeds begins the count of failed rounds anew", async () => {
  const script: ModelScript = (_, round) =>
    round > 40 ? done : round % 19 === 0 ? read("a.txt") : read(`missing-${round}.txt`);
  const { ask, facts } = await start(script, { files: { "a.txt": "a" } });
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("E9: before its last answer the model is told once to finish", async () => {
  const { ask, facts, model } = await start((_, round) => read(`${round}.txt`), {
    maxRounds: 5,
    files: Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}.txt`, `${at}`])),
  });
  await ask("go");
  expect(found(facts())).toEqual(["max-steps-approaching 4"]);
  expect(JSON.stringify(model.prompts[4]?.messages.at(-1))).toContain("Only one more answer");
});

test("the model is not told to finish while the turn extends itself", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.txt`, `${at}`]));
  const script: ModelScript = (_, round) => (round < 8 ? read(`${round}.txt`) : done);
  const { ask, facts } = await start(script, { files, limits: { maxRounds: 5, onLimit: "extend" } });
  await ask("go");
  expect(found(facts())).toEqual([]);
});

test("the trap of E9: output that mentions errors is no failure, and output that mentions success is no success", async () => {
  const say = (words: string, code: number): ScriptedAnswer => [
    { call: "run_command", with: { command: `echo '${words}'; exit ${code}` } },
  ];
  const fine = [1, 2, 3, 4].map((at) => say(`${at} errors, FAILED, denied, Error: timed out`, 0));
  expect(await patternsOf(fine)).toEqual([]);
  const broken = [1, 2, 3].map((at) => say(`0 errors, ${at} passed, success`, 1));
  expect(await patternsOf(broken)).toEqual(["all-failed 2", "repeated-tool-error 3"]);
});

/** A tool with scripted answers at scripted times. */
function polled(answers: (at: number) => string, options: { does: "read" | "execute"; lasting?: true }) {
  let at = 0;
  return defineTool({
    name: "poll",
    ...options,
    summary: "Looks.",
    input: { id: z.string() },
    title: ({ id }) => `Look at ${id}`,
    ...(options.does === "execute" ? { command: () => "curl -s localhost:3000" } : {}),
    run: async () => {
      const words = answers(at++);
      return words.startsWith("!") ? failedResult(words) : ok(words);
    },
  });
}

const allowed = [{ name: "user", rules: [{ tool: "*", decision: "allow" as const }] }];
const poll: ScriptedAnswer = [{ call: "poll", with: { id: "server" } }];

test("polling a read whose result changes counts as progress", async () => {
  const tool = polled((at) => `${at} % done`, { does: "read" });
  expect(
    await patternsOf(
      Array.from({ length: 15 }, () => poll),
      { tools: [tool] },
    ),
  ).toEqual([]);
});

test("waiting calls get more patience when time passes in between, but not without end", async () => {
  const rounds = (count: number) => Array.from({ length: count }, () => poll);
  const during = async (does: "read" | "execute", lasting: boolean, pauseMs: number) => {
    let clock = 1_000_000;
    const answers = () => {
      clock += pauseMs;
      return "not yet";
    };
    const tool = polled(answers, { does, ...(lasting ? { lasting } : {}) });
    const limits = { maxRounds: 100 };
    const { ask, facts } = await start([...rounds(99), done], {
      tools: [tool],
      rules: allowed,
      limits,
      now: () => clock,
    });
    await ask("go");
    const seen = facts().slice(
      0,
      facts().findIndex(({ type }) => type === "failure-detected"),
    );
    return [
      seen.filter(({ type }) => type === "answer-end").length,
      facts().filter(({ type }) => type === "answer-end").length,
    ];
  };
  expect(await during("execute", false, 0)).toEqual([3, 10]);
  expect(await during("execute", false, 5_000)).toEqual([7, 28]);
  expect(await during("read", true, 0)).toEqual([3, 10]);
  expect(await during("read", true, 5_000)).toEqual([13, 55]);
  expect(await during("read", false, 5_000)).toEqual([3, 10]);
});

test("a file change resets the count: running the tests after each edit is progress", async () => {
  const edits = [1, 2, 3, 4, 5, 6, 7].flatMap((at): ScriptedAnswer[] => [
    [{ call: "write_file", with: { path: "a.txt", content: `${at}\n` } }],
    [{ call: "run_command", with: { command: "echo 0 errors, 12 passed" } }],
    read("b.txt"),
  ]);
  expect(await patternsOf(edits, { files: { "b.txt": "b" }, rules: allowed })).toEqual([]);
});

test("detected patterns survive a restart during the turn, since they come from the log", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({ "a.txt": "a\n" });
  onTestFinished(() => workspace.remove());
  const options = { store, workspace, limits: { maxRounds: 40 } };
  const whole = await start(() => read("a.txt"), { files: { "a.txt": "a\n" } });
  await whole.ask("go");
  const shapeOf = (facts: readonly Entry[]) =>
    facts.map(({ type }) => type).filter((type) => type !== "warning");

  const [gate, isAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = await start((_, round) => {
    if (round < 5) return read("a.txt");
    isAsked.resolve();
    return [{ wait: gate.promise }];
  }, options);
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await isAsked.promise;
  const second = await start(() => read("a.txt"), { ...options, resume: first.session.id });
  await second.session.command({ type: "go-on" });
  await second.session.idle();
  expect(found(second.facts())).toEqual(["no-progress 3", "no-progress 3", "no-progress 3"]);
  expect(shapeOf(second.facts())).toEqual(shapeOf(whole.facts()));
  gate.resolve();
});
