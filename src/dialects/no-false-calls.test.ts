/** Answers that are not calls: documents, programs and configurations, with tools of the most common names. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { expect, test } from "vitest";
import type { ToolDescription } from "../protocol/messages.ts";
import { scale } from "../testing/scale.ts";
import { allDialects } from "./index.ts";
import { readAnswer } from "./testing/reading.ts";

const root = join(import.meta.dirname, "..", "..");

const skipped = new Set(["node_modules", "dist", ".git", "coverage"]);
const ownFiles: readonly string[] = readdirSync(root)
  .filter((place) => !skipped.has(place))
  .flatMap(filesAt);
const foreignFiles: readonly string[] = readdirSync(join(root, "node_modules"))
  .filter((place) => place !== ".cache")
  .flatMap((place) => filesAt(join("node_modules", place)));

/** Names that documents are full of, and schemas that take anything. */
const tools = (
  "read_file write_file edit_file list_files search find get set add run exec shell print open close play test check " +
  "call name help create delete update build install start stop fetch format config log python"
)
  .split(" ")
  .map((name): ToolDescription => ({ name, description: "", schema: { type: "object", properties: {} } }));

test("N1–N10: documents of this repository and of its dependencies contain no calls", () => {
  expect(falseCalls(sample(new Set([".md", ".markdown", ".txt"]), 1_500_000))).toEqual([]);
});

test("N7, N8: a configuration file as the whole answer is text", () => {
  expect(falseCalls(sample(new Set([".json"]), 500_000))).toEqual([]);
});

test("a program as the whole answer is text", () => {
  const programs = new Set([".ts", ".js", ".mjs", ".cjs", ".py", ".sh"]);
  // Our own programs are full of the markers that they parse.
  expect(falseCalls(sample(programs, 500_000, []))).toEqual([]);
});

test.each([
  [
    "a package named like a tool",
    '{"name": "search", "version": "1.0.0", "scripts": {"test": "run"}, "main": "open"}',
  ],
  ["a list of names", '["read_file", "search", "run"]'],
  ["records", '[{"name": "run", "type": "object"}, {"name": "test", "type": "object"}]'],
  [
    "a definition",
    '{"name": "get", "description": "Gets.", "parameters": {"type": "object", "properties": {}}}',
  ],
  ["a signature", "[search(query: str, limit: int = 10)]"],
  ["an expression", "[run(x) for x in list]"],
  ["a call of a function", 'print("hello")'],
  ["a program", 'import os\n\nprint(open("a.txt").read())\nrun(test(1))'],
  ["a link", "[open](https://example.org)"],
  ["a task", "- [ ] run(test)\n- [x] search(find)"],
  ["a transcript", "User: run the tests\nAssistant: Action: run\nAction Input: none"],
])("%s as the whole answer is text", (_, text) => {
  expect(readAnswer(text, { tools })).toMatchObject({ calls: [], text });
});

test("real calls of an offered tool are read in every dialect that needs no teaching", () => {
  for (const dialect of allDialects.filter(({ tier }) => tier !== "taught")) {
    const text = dialect.writeCalls([{ id: "call_1", name: "run", input: { path: "a" } }]);
    expect(readAnswer(text, { tools }).calls, dialect.name).toMatchObject([{ name: "run" }]);
  }
});

const openers = allDialects.flatMap(({ name, tier, openers: marks }) =>
  marks.filter(({ mark }) => tier !== "taught" && mark.length > 3).map(({ mark }) => ({ name, mark })),
);

test.each(openers)("N4: $mark ($name) in a sentence is no call", ({ mark }) => {
  const sentences = [
    `The mark ${mark} opens a call.`,
    `A call begins with ${mark}, and then comes its name.`,
    `It looks for ${mark} (and nothing else).`,
    `| ${mark} | opens a call |`,
    `- ${mark}: opens a call\n- get: reads`,
    `It writes "${mark}" and \`${mark}\`.`,
    `What it writes is ${mark}`,
  ];
  for (const text of sentences)
    expect(readAnswer(text, { tools, chunk: 3 }), text).toMatchObject({ calls: [], notices: [] });
});

type Found = { path: string; source: string; name: string; raw: string };

function falseCalls(paths: readonly string[]): Found[] {
  expect(paths.length).toBeGreaterThan(10);
  return paths.flatMap((path) => {
    const { calls } = readAnswer(readFileSync(join(root, path), "utf8"), { tools });
    return calls.map(({ source, name, rawArguments, input }) => {
      const raw = rawArguments ?? JSON.stringify(input);
      return { path, source, name, raw: raw.slice(0, 200) };
    });
  });
}

/** Files of the repository, then of its dependencies in a random but lasting order, up to a number of characters. */
function sample(kinds: ReadonlySet<string>, size: number, own = ownFiles): string[] {
  const isOfKind = (path: string): boolean => kinds.has(extname(path));
  const foreign = foreignFiles.filter(isOfKind).toSorted((one, other) => hash(one) - hash(other));
  let left = size * scale;
  return [...own.filter(isOfKind), ...foreign].filter((path) => {
    if (left <= 0) return false;
    const length = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? Infinity;
    const fits = length < 500_000;
    if (fits) left -= length;
    return fits;
  });
}

function filesAt(entry: string): string[] {
  if (!statSync(join(root, entry)).isDirectory()) return [entry];
  return readdirSync(join(root, entry), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

function hash(text: string): number {
  let sum = 7;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) % 1_000_003;
  return sum;
}
