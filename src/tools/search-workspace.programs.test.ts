import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { type SearchInput, searchWith, searchWorkspace } from "./search-workspace.ts";
import type { SearchEngine } from "./search/search-engine.ts";
import { searchFor, searchInJavaScript } from "./search/search-fallback.ts";
import { findRipgrep, ripgrepAt } from "./search/search-ripgrep.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";

let workspace: TemporaryWorkspace | undefined;
afterEach(async () => {
  await workspace?.remove();
  workspace = undefined;
});

async function ripgrep(): Promise<SearchEngine> {
  const program = await findRipgrep();
  if (program === undefined) throw new Error("ripgrep must be there for the comparison");
  return ripgrepAt(program);
}

/** The answer of both engines, which must be identical. */
async function search(root: string, input: SearchInput): Promise<{ outcome: string; words: string }> {
  const [one, other] = [await ripgrep(), searchInJavaScript];
  const first = wordsOf(await searchWith(one, input, testContext(root)));
  const second = wordsOf(await searchWith(other, input, testContext(root)));
  expect(second, JSON.stringify(input)).toEqual(first);
  return first;
}

async function found(files: Record<string, string>, input: SearchInput): Promise<string[]> {
  workspace = await temporaryWorkspace(files);
  return (await search(workspace.root, input)).words.split("\n");
}

test("matches have path, line and text, ordered by path and line", async () => {
  const files = { "b.txt": "foo\nbar\nfoo bar\n", "a/z.txt": "a foo", "a.txt": "foo", "B.txt": "foo\n" };
  expect(await found(files, { pattern: "foo" })).toEqual([
    "B.txt:1: foo",
    "a/z.txt:1: a foo",
    "a.txt:1: foo",
    "b.txt:1: foo",
    "b.txt:3: foo bar",
  ]);
});

test("the search_workspace tool finds the same matches", async () => {
  workspace = await temporaryWorkspace({ "a.txt": "x\nneedle\n" });
  const produced = await runTool(searchWorkspace, { query: "need.e" }, testContext(workspace.root));
  expect(wordsOf(produced)).toEqual({ outcome: "ok", words: "a.txt:2: needle" });
});

test("path and glob narrow the search, and path may name a file", async () => {
  const files = { "a.ts": "x", "a.js": "x", "src/b.ts": "x", "src/c.js": "x" };
  expect(await found(files, { pattern: "x", glob: "*.ts" })).toEqual(["a.ts:1: x", "src/b.ts:1: x"]);
  const root = workspace?.root ?? "";
  expect(await search(root, { pattern: "x", path: "src" })).toMatchObject({
    words: "src/b.ts:1: x\nsrc/c.js:1: x",
  });
  expect(await search(root, { pattern: "x", path: "src", glob: "b.*" })).toMatchObject({
    words: "src/b.ts:1: x",
  });
  expect(await search(root, { pattern: "x", path: "src/c.js" })).toMatchObject({ words: "src/c.js:1: x" });
  expect(await search(root, { pattern: "x", path: "none" })).toEqual({
    outcome: "failed",
    words: "There is no file or directory none.",
  });
  expect(await search(root, { pattern: "x", path: "../" })).toMatchObject({ outcome: "failed" });
});

test("ignored files, binary files, symlinks and special files are not searched", async () => {
  const files = {
    ".gitignore": "ignored\n",
    ignored: "x",
    "node_modules/m/a": "x",
    ".git/a": "x",
    ".hidden": "x",
    bin: "x\0x\n",
  };
  workspace = await temporaryWorkspace(files);
  await symlink(".hidden", join(workspace.root, "link"));
  await symlink("/etc", join(workspace.root, "etc"));
  execFileSync("mkfifo", [join(workspace.root, "fifo")]);
  expect(await search(workspace.root, { pattern: "x" })).toEqual({ outcome: "ok", words: ".hidden:1: x" });
});

test("case, literal text and context follow the options", async () => {
  const files = { a: "one\nTwo.\ntwo?\nfour\nfive\nsix\ntwo\n" };
  expect(await found(files, { pattern: "two", ignoreCase: true })).toEqual([
    "a:2: Two.",
    "a:3: two?",
    "a:7: two",
  ]);
  const root = workspace?.root ?? "";
  const words = async (input: SearchInput): Promise<string[]> =>
    (await search(root, input)).words.split("\n");
  expect(await words({ pattern: "(?i)TWO" })).toEqual(["a:2: Two.", "a:3: two?", "a:7: two"]);
  expect(await words({ pattern: "two?", literal: true })).toEqual(["a:3: two?"]);
  expect(await words({ pattern: "o\\.|^two", context: 1 })).toEqual([
    "a:1- one",
    "a:2: Two.",
    "a:3: two?",
    "a:4- four",
    "--",
    "a:6- six",
    "a:7: two",
  ]);
});

test("line endings and the byte order mark do not belong to a line", async () => {
  const files = { crlf: "foo\r\nbar\r\n", bom: "\uFEFFfoo\n" };
  expect(await found(files, { pattern: "^foo$" })).toEqual(["bom:1: foo", "crlf:1: foo"]);
});

test("file names that look like options or contain odd characters are searched like others", async () => {
  const files = { "-": "x", "-v": "x", "a b": "x", "a:b": "x", "new\nline": "x", "é😀": "x", "--files": "x" };
  const lines = await found(files, { pattern: "x" });
  expect(lines.join("\n")).toBe(
    "-:1: x\n--files:1: x\n-v:1: x\na b:1: x\na:b:1: x\nnew\nline:1: x\né😀:1: x",
  );
});

test("long lines and long lists of matches are cut, with a note", async () => {
  const lines = await found({ long: "y".repeat(1000) + "x", many: "x\n".repeat(500) }, { pattern: "x" });
  expect(lines[0]).toBe(`long:1: ${"y".repeat(225)}[701 characters cut]${"y".repeat(74)}x`);
  expect([lines.length, lines.at(-1)]).toEqual([
    201,
    "[Only the first 200 matches (at most 200); narrow the pattern, path or glob.]",
  ]);
});

test("results keep their order across several batches of files", async () => {
  const names = Array.from({ length: 700 }, (_, i) => `d${i % 7}/f${String(i).padStart(4, "0")}`).toSorted();
  const files = Object.fromEntries(names.map((name, i) => [name, i % 5 === 0 ? "needle" : "hay"]));
  expect(await found(files, { pattern: "needle" })).toEqual(
    names.filter((_, i) => i % 5 === 0).map((name) => `${name}:1: needle`),
  );
});

test("a search without matches says so, even in an empty workspace", async () => {
  expect(await found({}, { pattern: "x", glob: "*.ts" })).toEqual([
    "Nothing in files like *.ts in the workspace matches x.",
  ]);
});

test("both engines report an unusable pattern in one line", async () => {
  workspace = await temporaryWorkspace({ a: "x" });
  const bad = ["(", "a{", "[a", "x(?=y)", "(?<!a)b", "(a)\\1", "*", "\\", "foo() {", "a\\nb", "\\q"];
  for (const engine of [await ripgrep(), searchInJavaScript]) {
    for (const pattern of bad) {
      const { outcome, words } = wordsOf(await searchWith(engine, { pattern }, testContext(workspace.root)));
      expect({ pattern, outcome, words }).toEqual({
        pattern,
        outcome: "failed",
        words: expect.stringMatching(
          /^The pattern is not a valid regular expression: [^\n]+ Mend it, or set `literal` to search for the text itself\.$/,
        ),
      });
    }
  }
  expect(await search(workspace.root, { pattern: "a\nb" })).toMatchObject({
    outcome: "failed",
    words: expect.stringContaining("one by one"),
  });
  expect(await search(workspace.root, { pattern: "" })).toMatchObject({
    outcome: "failed",
    words: "The pattern is empty.",
  });
});

test("a catastrophic pattern ends: ripgrep takes linear time, our own engine is stopped", async () => {
  workspace = await temporaryWorkspace({ a: `${"a".repeat(50_000)}b\n` });
  const hostile = { pattern: "(a+)+$" };
  const context = testContext(workspace.root);
  expect(wordsOf(await searchWith(await ripgrep(), hostile, context))).toMatchObject({ outcome: "ok" });
  expect(wordsOf(await searchWith(searchFor(100), hostile, context))).toEqual({
    outcome: "failed",
    words: "The pattern takes too long on this text; make it simpler, or set `literal`.",
  });
});

test("SAFETY 4, huge file: a file over the limit is not searched, and is reported as too large if named", async () => {
  workspace = await temporaryWorkspace({ small: "x" });
  await writeFile(join(workspace.root, "big"), "x\n".repeat(9 * 1024 * 1024));
  expect(await search(workspace.root, { pattern: "x" })).toEqual({ outcome: "ok", words: "small:1: x" });
  expect(await search(workspace.root, { pattern: "x", path: "big" })).toEqual({
    outcome: "failed",
    words: "big is too large to be searched (18 MiB).",
  });
});

const word = fc.constantFrom(
  "a",
  "b",
  "ab",
  "A",
  "é",
  "É",
  "ß",
  "1",
  "٣",
  "_",
  "-",
  " ",
  "\t",
  "(",
  "x.y",
  "\u00a0",
  "😀",
  "日本",
  "]",
  "$",
);
const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(""));
const content = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last ? end : ""));
const names = ["a", "b.ts", "src/a.ts", "src/b.log", "src/deep/c.ts", "dist/x.ts", ".env"];
const rules = fc.array(
  fc.constantFrom("*.log", "dist/", "/a", "!b.log", "src/*", "deep", "**/c.ts", "# note", ""),
  { maxLength: 4 },
);
/** Without \B, which ripgrep also matches between the two characters of a CRLF. */
const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "\\w",
  "\\W",
  "\\d",
  "\\D",
  "\\s",
  "\\S",
  "[ab]",
  "[^a]",
  "[^\\w]",
  "[\\d_]",
  "[[:alpha:]]",
  "[]a]",
  "é",
  "\\.",
  "\\(",
  "\\-",
  "\\$",
  "]",
  "}",
  "日",
  "\\x41",
  "\\u{e9}",
  "(?:a|b)",
  "(a)",
  "(?P<n>b)",
  "(?i:A)",
  "\\b",
  "^",
  "$",
  "\\p{L}",
  "\\pN",
  "[a-c&]",
);
const pattern = fc
  .array(fc.tuple(atom, fc.constantFrom("", "", "", "+", "?", "{1,2}")), { minLength: 1, maxLength: 4 })
  // The engines differ in how they repeat an assertion of zero width.
  .map((parts) =>
    parts.map(([one, times]) => (["\\b", "^", "$"].includes(one) ? one : one + times)).join(""),
  );

test("both engines find the same, whatever the files, ignore rules and pattern", async () => {
  const input = fc.record(
    {
      pattern,
      glob: fc.constantFrom("*.ts", "src/**", "**/a*"),
      path: fc.constantFrom("src", "dist", "."),
      ignoreCase: fc.boolean(),
      context: fc.nat(2),
    },
    { requiredKeys: ["pattern"] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 7, maxLength: 7 }),
      rules,
      fc.array(input, { minLength: 3, maxLength: 3 }),
      async (contents, ignored, inputs) => {
        const files = Object.fromEntries(names.map((name, at) => [name, contents[at] ?? ""]));
        const tree = await temporaryWorkspace({
          ...files,
          "src/.gitignore": ignored.join("\n"),
          ".gitignore": ignored.toReversed().join("\n"),
        });
        try {
          for (const one of inputs) await search(tree.root, one);
        } finally {
          await tree.remove();
        }
      },
    ),
    { numRuns: 12 * scale },
  );
});
