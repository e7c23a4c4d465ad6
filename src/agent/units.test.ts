import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { collect } from "../base/async.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { scriptedSession } from "../testing/scripted-session.ts";
import { tools } from "../tools/index.ts";
import { defineTool, describeTool, text } from "../tools/tool.ts";

const source = join(import.meta.dirname, "..");

/** Every source file below a directory, with its text; no tests. */
async function filesOf(folder: string): Promise<{ path: string; text: string }[]> {
  const names = await readdir(join(source, folder), { recursive: true });
  const paths = names.filter((name) => /(?<!\.test|-arbitrary|-contract)\.ts$/u.test(name));
  return Promise.all(
    paths.map(async (name) => ({
      path: join(folder, name),
      text: await readFile(join(source, folder, name), "utf8"),
    })),
  );
}

const pathsWith = (files: readonly { path: string; text: string }[], words: RegExp): string[] =>
  files.flatMap(({ path, text }) => (words.test(text) ? [path] : []));

test("A1: no agent file imports the loop, model code imports no tools, and one place answers approvals", async () => {
  expect(pathsWith(await filesOf("agent"), /from "\.\/loop\.ts"/u)).toEqual([]);
  for (const folder of ["providers", "wires", "dialects"])
    expect(
      pathsWith(await filesOf(folder), /from "(?:\.\.\/)+(?:agent|tools|session|safety|runtime)\//u),
    ).toEqual([]);
  const makers = pathsWith(await filesOf("."), /type: "approval-answered",/u);
  expect(makers).toEqual(["runtime/messages/answering.ts"]);
});

test("A2: a session is given its store, model, tools and workspace, and stores under its own id", async () => {
  const { session, store, ask } = await scriptedSession([[{ say: "Hello." }]], { tools: [] });
  await ask("Hello?");
  const [summary] = await store.list();
  expect(summary?.id).toBe(session.id);
  expect(await store.read(session.id, 0)).toEqual(session.log.entries);
});

test("A3: reading a model's answer runs nothing and stores nothing", async () => {
  const { workspace, store } = await scriptedSession([]);
  const model = scriptedModel([
    [{ think: "Now." }, { say: "I write." }, { call: "write_file", with: { path: "a", content: "x" } }],
  ]);
  const prompt = { system: "", messages: [], tools: tools.map(describeTool) };
  const events = await collect(model.ask(prompt, new AbortController().signal));
  expect(events.map(({ type }) => type)).toEqual([
    "answer-start",
    "reasoning-delta",
    "reasoning-end",
    "text-delta",
    "call-start",
    "call-delta",
    "call-end",
    "answer-end",
  ]);
  expect(await workspace.files()).toEqual([]);
  for (const { id } of await store.list()) expect((await store.read(id, 0)).length).toBe(1);
});

test("A4: only written files count as changed, not failed or previewed ones", async () => {
  const { ask, facts } = await scriptedSession(
    [
      [
        { call: "write_file", with: { path: "made.txt", content: "x\n" } },
        { call: "edit_file", with: { path: "made.txt", old: "nowhere", new: "y" } },
        { call: "preview_write_file", with: { path: "shown.txt", content: "z\n" } },
      ],
      [{ say: "Written." }],
    ],
    { mode: "accept-edits" },
  );
  await ask("Write.");
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", changed: ["made.txt"] });
});

test("A4: a change that a person denied does not count as changed", async () => {
  const { ask, facts } = await scriptedSession([
    [{ call: "write_file", with: { path: "made.txt", content: "x\n" } }],
    [{ say: "Then not." }],
  ]);
  await ask("Write.", "deny");
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", changed: [] });
});

test("A9: a round is stored as reasoning, text, calls and the answer's end, followed by the calls' results", async () => {
  const { ask, facts } = await scriptedSession(
    [
      [
        { think: "I look." },
        { say: "Reading [TASK_COMPLETE]." },
        { call: "read_file", with: { path: "a" } },
        { say: "And on." },
      ],
      [{ say: "It says one." }],
    ],
    { mode: "accept-edits", files: { a: "one\n" } },
  );
  await ask("What does it say?");
  const round = facts().slice(3);
  const order = round.flatMap((fact) =>
    fact.type === "text" || fact.type === "reasoning" ? [fact.text] : [fact.type],
  );
  const inOrder = (words: string[]): string[] => order.filter((word) => words.includes(word));
  const said = [
    "I look.",
    "Reading .",
    "call",
    "And on.",
    "answer-end",
    "It says one.",
    "answer-end",
    "turn-end",
  ];
  expect(inOrder(said)).toEqual(said);
  const ran = ["call", "decision", "call-start", "result", "It says one."];
  expect(inOrder(ran)).toEqual(ran);
});

test("A10: an answer enters the history with its reasoning, text and calls, followed by their results", async () => {
  const { ask, model } = await scriptedSession(
    [
      [{ think: "I look." }, { say: "Reading." }, { call: "read_file", with: { path: "a" } }],
      [{ say: "It says one." }],
    ],
    { files: { a: "one\n" } },
  );
  await ask("What does it say?");
  const [, assistant, result] = model.prompts[1]?.messages ?? [];
  expect(assistant).toMatchObject({
    role: "assistant",
    content: [
      { type: "reasoning", text: "I look." },
      { type: "text", text: "Reading." },
      { type: "call", call: { name: "read_file" } },
    ],
  });
  expect(result).toMatchObject({ role: "tool", name: "read_file", isError: false });
});

test("A39: a call is logged as pending, asked about, answered, started and ended, in this order", async () => {
  const { ask, facts } = await scriptedSession([
    [{ call: "write_file", with: { path: "a", content: "x\n" } }],
    [{ say: "Done." }],
  ]);
  await ask("Write.");
  // The answer may end before or after the question.
  const told = facts().flatMap(({ type }) => (type === "answer-end" ? [] : [type]));
  expect(told).toEqual([
    "session-start",
    "user-message",
    "turn-start",
    "call",
    "decision",
    "approval-asked",
    "approval-answered",
    "call-start",
    "change-applied",
    "result",
    "text",
    "turn-end",
  ]);
});

test("C9: a new tool is one entry in the list: offered, validated and run like all others", async () => {
  const double = defineTool({
    name: "double",
    aliases: ["twice"],
    summary: "Says a word twice.",
    does: "read",
    input: { word: z.string() },
    title: ({ word }) => `Double ${word}`,
    run: async ({ word }) => ({ outcome: "ok", content: text(`${word} ${word}`) }),
  });
  const { ask, facts, model } = await scriptedSession(
    [
      [
        { call: "twice", with: { word: "tea" } },
        { call: "double", with: {} },
      ],
      [{ say: "Done." }],
    ],
    { tools: [...tools, double] },
  );
  await ask("Double it.");
  expect(model.prompts[0]?.tools.at(-1)).toEqual(describeTool(double));
  const results = facts().flatMap((fact) => (fact.type === "result" ? [fact] : []));
  expect(new Map(results.map(({ outcome, content }) => [outcome, content]))).toEqual(
    new Map([
      ["ok", text("tea tea")],
      ["invalid", text(expect.stringContaining("word"))],
    ]),
  );
  expect(facts()).toContainEqual(
    expect.objectContaining({ type: "call-start", title: "Double tea", does: "read" }),
  );
});

test("B1: a model gets the same prompt with a person or without one", async () => {
  const asked = await Promise.all(
    [true, false].map(async (interactive) => {
      const { ask, model, workspace } = await scriptedSession([[{ say: "Hello." }]], { interactive });
      await ask("Hello?");
      const [{ system, messages, tools: told } = { system: "", messages: [], tools: [] }] = model.prompts;
      return JSON.stringify({ system, messages, told }).replaceAll(workspace.root, "");
    }),
  );
  expect(asked[0]).toBe(asked[1]);
});

test("D2: a model is asked with messages and tools, and its text deltas add up to its text", async () => {
  const { session, ask, model } = await scriptedSession([[{ say: "One and two and three." }]]);
  let text = "";
  session.log.listen((event) => {
    if (event.type === "text-delta") text = text.slice(0, event.offset) + event.text;
  });
  await ask("Count.");
  expect(text).toBe("One and two and three.");
  const [prompt] = model.prompts;
  expect(prompt?.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Count." }] }]);
  expect(prompt?.tools.map(({ name }) => name)).toContain("read_file");
});
