/** Tests thirty ordinary sessions: no model that is merely working may be reported as stuck (E9, B11). */

import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import type { Entry } from "../protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { sessionForTest } from "../testing/scripted-session.ts";
import { tools } from "../tools/index.ts";
import { defineTool, failedResult, ok } from "../tools/tool.ts";

type Step = ScriptedAnswer[number];
type Round = Step | ScriptedAnswer;

const read = (path: string, more: JsonObject = {}): Step => ({ call: "read_file", with: { path, ...more } });
const list = (path = "."): Step => ({ call: "list_files", with: { path } });
const search = (query: string): Step => ({ call: "search_workspace", with: { query } });
const write = (path: string, content: string): Step => ({ call: "write_file", with: { path, content } });
const edit = (path: string, old: string, now: string): Step => ({
  call: "edit_file",
  with: { path, old, new: now },
});
/**
 * Runs the tests, the build, a server's health check: each call returns the next answer of its list, the last one
 * forever.
 */
const check = (name: string): Step => ({ call: "check", with: { name } });
const again = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const answers: Readonly<Record<string, readonly string[]>> = {
  fine: ["0 errors, 12 passed"],
  red: ["!1 failed: a", "!1 failed: b", "12 passed"],
  rarelyRed: ["12 passed", "!1 failed", "12 passed"],
  server: ["not yet, 1 s", "not yet, 2 s", "not yet, 3 s", "not yet, 4 s", "ready"],
  twice: ["not yet", "not yet", "ready"],
  build: ["!cannot find x", "built"],
  status: ["a.ts modified"],
};

function checker() {
  const counts = new Map<string, number>();
  return defineTool({
    name: "check",
    does: "execute",
    summary: "Runs a check.",
    input: { name: z.string() },
    title: ({ name }) => `Check ${name}`,
    command: ({ name }) => `./check ${name}`,
    run: async ({ name }) => {
      const all = answers[name] ?? ["nothing"];
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const words = all[Math.min(count, all.length - 1)] ?? "";
      return words.startsWith("!") ? failedResult(words.slice(1)) : ok(words);
    },
  });
}

const files: Record<string, string> = {
  "a.ts": "export const a = 1;\n",
  "b.ts": "export const b = 2;\n",
  "c.ts": "export const c = 3;\n",
  "src/d.ts": "export const d = 4;\n",
  "README.md": "# Project\n",
  "package.json": "{}\n",
  "big.txt": again(2_000, (at) => `line ${at}`).join("\n"),
};

const sessions: readonly [string, readonly Round[]][] = [
  ["looks around", [list(), read("package.json"), read("README.md"), search("export")]],
  ["reads several files at once", [again(3, (at) => read(["a.ts", "b.ts", "c.ts"][at] ?? "")), list("src")]],
  ["pages a file", again(15, (at) => read("big.txt", { from: at * 100 + 1, to: at * 100 + 100 }))],
  ["edits and reads back", [read("a.ts"), edit("a.ts", "= 1", "= 5"), read("a.ts")]],
  [
    "edits and tests, again and again",
    again(6, (at) => [write("a.ts", `export const a = ${at};\n`), check("fine")]).flat(),
  ],
  [
    "edits and tests, one after the other",
    again(12, (at) => (at % 2 ? check("fine") : write("a.ts", `${at}`))),
  ],
  [
    "finds a red test, fixes it in two steps",
    [
      check("red"),
      read("a.ts"),
      edit("a.ts", "= 1", "= 2"),
      check("red"),
      edit("a.ts", "= 2", "= 3"),
      check("red"),
    ],
  ],
  [
    "makes the same failing test pass at the third try",
    again(3, (at): Round[] => [check("red"), write("b.ts", `${at}`)]).flat(),
  ],
  ["waits for a server", again(5, () => check("server"))],
  ["waits for a server that says the same twice", again(3, () => check("twice"))],
  ["builds, fixes and builds", [check("build"), read("a.ts"), write("x.ts", "x"), check("build")]],
  ["misses a file and finds it by a search", [read("lib/d.ts"), search("const d"), read("src/d.ts")]],
  [
    "looks for one of three files that are not there, at once",
    [["x", "y", "z"].map((path) => read(path)), list(), read("a.ts")],
  ],
  [
    "an edit that does not fit, then reads and edits",
    [edit("a.ts", "= 9", "= 2"), read("a.ts"), edit("a.ts", "= 1", "= 2")],
  ],
  [
    "two edits that do not fit, with a look in between",
    [
      edit("a.ts", "= 9", "= 2"),
      read("a.ts"),
      edit("a.ts", "=  1", "= 2"),
      read("a.ts"),
      edit("a.ts", "= 1", "= 2"),
    ],
  ],
  ["writes many files", again(12, (at) => write(`new-${at}.ts`, `${at}`))],
  ["writes many files in one answer", [again(12, (at) => write(`new-${at}.ts`, `${at}`)), check("fine")]],
  [
    "reads a file before and after each of three edits",
    again(3, (at): Round[] => [
      read("c.ts"),
      edit("c.ts", `= ${at + 3}`, `= ${at + 4}`),
      read("c.ts"),
    ]).flat(),
  ],
  [
    "looks at the status between changes",
    again(5, (at): Round[] => [write("a.ts", `${at}`), check("status")]).flat(),
  ],
  [
    "looks at the status twice without a change",
    [check("status"), read("a.ts"), check("status"), read("b.ts")],
  ],
  [
    "reads the same file again after others",
    [read("a.ts"), read("b.ts"), read("a.ts"), read("c.ts"), read("a.ts"), read("src/d.ts"), read("a.ts")],
  ],
  ["searches for many words", again(12, (at) => search(`word${at}`))],
  ["searches in vain, then lists", [search("nowhere"), search("nothing"), list(), list("src")]],
  [
    "a test that is red now and then",
    again(4, (at): Round[] => [check("rarelyRed"), write("a.ts", `${at}`)]).flat(),
  ],
  [
    "talks while it works",
    [
      [{ say: "I look." }, list()],
      [{ say: "I read." }, read("a.ts")],
      [{ think: "Hm." }, read("b.ts")],
    ],
  ],
  [
    "one call of several fails in each round",
    again(5, (at) => [read(`none-${at}`), read("a.ts", { from: 1, to: at + 1 })]),
  ],
  [
    "a wrong argument, then the corrected one",
    [{ call: "read_file", with: { file_name: 1 } }, read("a.ts"), edit("a.ts", "= 1", "= 2")],
  ],
  ["a tool that does not exist, then the right one", [{ call: "view", with: {} }, list(), read("a.ts")]],
  [
    "a long refactoring",
    again(7, (at): Round[] => [
      search(`const ${"abcdefg"[at]}`),
      read("a.ts", { from: 1, to: at + 1 }),
      write(`part-${at}.ts`, `${at}`),
    ]).flat(),
  ],
  ["nothing to do", []],
];

const detected = (facts: readonly Entry[]) =>
  facts.flatMap((fact) => (fact.type === "failure-detected" ? [fact.text] : []));

test("there are thirty ordinary sessions", () => {
  expect(sessions).toHaveLength(30);
});

test.each(sessions)("no false alarm: %s", async (_, rounds) => {
  const script = [
    ...rounds.map((round): ScriptedAnswer => ("length" in round ? round : [round])),
    [{ say: "Done." }],
  ];
  const rules = [{ name: "user", rules: [{ tool: "*", decision: "allow" as const }] }];
  const opened = await sessionForTest(scriptedModel(script), {
    files,
    rules,
    mode: "auto",
    tools: [...tools, checker()],
  });
  await opened.ask("Do it.");
  expect(detected(opened.facts())).toEqual([]);
  expect(opened.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "Done." });
});
