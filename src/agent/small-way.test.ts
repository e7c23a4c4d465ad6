/** How small models are asked: what they get of tools, results and requests, and when a call is demanded of them. */

import { expect, test } from "vitest";
import { textOf } from "../protocol/messages.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { smallModel } from "../providers/small-model.ts";
import { sessionForTest } from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";
import { tools } from "../tools/index.ts";
import { smallTools } from "./small-way.ts";

const request = "Replace helo with hello in a.txt.";

async function asked(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const model = scriptedModel(script);
  const files = { "a.txt": "helo\n", "long.txt": "word\n".repeat(2_000) };
  const opened = await sessionForTest(smallModel(model), { mode: "auto", tools, files, ...options });
  await opened.ask(request);
  return { prompts: model.prompts, read: (path: string) => opened.workspace.read(path) };
}

const edit = { call: "edit_file", with: { path: "a.txt", old: "helo", new: "hello" } };
const wrong = { call: "edit_file", with: { path: "a.txt", old: "nowhere", new: "x" } };
const lastWords = (prompt: Awaited<ReturnType<typeof asked>>["prompts"][number] | undefined): string => {
  const last = prompt?.messages.at(-1);
  return last?.role === "user" ? textOf(last.content) : "";
};

test("a small model is told of the basic tools and what they must be given, and of tools that a person added", async () => {
  const { prompts, read } = await asked([[edit], [{ say: "Done." }]]);
  const [first] = prompts;
  expect(first?.tools.map(({ name }) => name)).toEqual([
    "read_file",
    "list_files",
    "write_file",
    "edit_file",
    "run_command",
  ]);
  const told = first?.tools.find(({ name }) => name === "edit_file");
  expect(told?.schema).toMatchObject({ required: ["path", "old", "new"] });
  expect(Object.keys(told?.schema["properties"] ?? {})).toEqual(["path", "old", "new"]);
  expect(told?.description).toBe("Replace a passage of a text file.");
  expect(first).toMatchObject({ oneCall: true, temperature: 0.2 });
  expect(await read("a.txt")).toBe("hello\n");
  const [any] = tools;
  const own = any && { ...any, name: "own", definition: "of a server" };
  expect(smallTools(own ? [...tools, own] : []).map(({ name }) => name)).toContain("own");
  const others = tools.filter(({ basic }) => basic === undefined);
  expect(smallTools(others)).toBe(others);
});

test("the request stands behind each result, results are short, and each failure makes the next try more varied", async () => {
  const { prompts } = await asked([
    [{ call: "read_file", with: { path: "long.txt" } }],
    [wrong],
    [{ ...wrong, id: "again" }],
    [edit],
    [{ say: "Done." }],
  ]);
  expect(prompts.map(({ temperature }) => temperature)).toEqual([0.2, 0.2, 0.6, 0.9, 0.2]);
  expect(lastWords(prompts[1])).toBe(
    `The task was: ${request}\nIf it is done, say so. If not, make the next call.`,
  );
  const result = prompts[1]?.messages.find(({ role }) => role === "tool");
  const words = result?.role === "tool" ? textOf(result.content) : "";
  expect(words).toMatch(/\[The rest is left out\.\]$/u);
  expect(words.length).toBeLessThan(1_600);
});

test("a call is demanded where it only talked and was told that nothing was written, and only there", async () => {
  const { prompts } = await asked([[{ say: "I would." }], [edit], [{ say: "Done." }]], {
    completion: "writes",
  });
  expect(prompts.map(({ toolChoice }) => toolChoice)).toEqual([undefined, "required", undefined]);
});
