/** Front matter as people write it, well-formed and malformed. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { scale } from "../../testing/scale.ts";
import { listIn, readHead, textIn } from "./front-matter.ts";

const head = (text: string) => `---\n${text}\n---\nThe body.\n`;

test("simple lines, quotes, and colons within values are parsed without the YAML library", async () => {
  const text = head(
    `name: code-reviewer\ndescription: Use this when: code was written. Example: <example>x</example>\ntools: Read, Grep\ncolor: "red"\ntitle: 'it is'`,
  );
  const read = await readHead(text);
  expect(read).toEqual({
    head: {
      name: "code-reviewer",
      description: "Use this when: code was written. Example: <example>x</example>",
      tools: "Read, Grep",
      color: "red",
      title: "it is",
    },
    body: "The body.\n",
  });
});

test("lists, blocks, comments and nested values are parsed as YAML", async () => {
  const read = await readHead(
    head(
      `# what it is\nname: x # mine\ndescription: >\n  two\n  lines\ntools:\n  - Read\n  - "Bash(git *)"\nmeta:\n  a: 1`,
    ),
  );
  expect(read.head).toEqual({
    name: "x",
    description: "two lines\n",
    tools: ["Read", "Bash(git *)"],
    meta: { a: 1 },
  });
  expect(read.problem).toBeUndefined();
  expect(textIn(read.head, "meta")).toBeUndefined();
  expect(listIn(read.head, "tools")).toEqual(["Read", "Bash(git *)"]);
});

test("globs need no quotes, commas within braces do not split them, and a key may have no value", async () => {
  const read = await readHead(head(`globs: **/*.ts, src/{a,b}/*.{js,jsx}\npaths:\nalwaysApply: false`));
  expect(read).toEqual({
    head: { globs: "**/*.ts, src/{a,b}/*.{js,jsx}", paths: null, alwaysApply: "false" },
    body: "The body.\n",
  });
  expect(listIn(read.head, "globs")).toEqual(["**/*.ts", "src/{a,b}/*.{js,jsx}"]);
  expect(listIn(read.head, "paths")).toBeUndefined();
});

test("malformed YAML is read as far as possible and reported", async () => {
  const read = await readHead(head(`name: x\ndescription: [not closed\ntools: Read`));
  expect(read.head).toMatchObject({ name: "x", tools: "Read" });
  expect(read.problem).toContain("not well-formed YAML");
  expect(read.body).toBe("The body.\n");
});

test("blank lines before the front matter are skipped", async () => {
  expect(await readHead("\n \t\n\n---\nname: x\n---\nbody")).toEqual({ head: { name: "x" }, body: "body" });
  expect((await readHead("\n---\nname: x\n\nbody")).head).toEqual({ name: "x" });
  const blank = " \n".repeat(30_000);
  expect(await readHead(blank)).toEqual({ head: {}, body: blank });
});

test("a byte order mark, Windows line ends, and empty or absent front matter are handled", async () => {
  expect(await readHead("\uFEFF---\r\nname: x\r\n---\r\nbody\r\n")).toEqual({
    head: { name: "x" },
    body: "body\r\n",
  });
  expect(await readHead("---\n---\nbody")).toEqual({ head: {}, body: "body" });
  expect(await readHead("# Title\n---\nname: x\n---\n")).toEqual({
    head: {},
    body: "# Title\n---\nname: x\n---\n",
  });
  expect(await readHead("---\nno head")).toEqual({ head: {}, body: "---\nno head" });
});

test("front matter without a closing delimiter is read as far as possible and reported", async () => {
  const read = await readHead("---\r\nname: x\r\ndescription: two\r\n  lines\r\n\r\n# Title\r\n");
  expect(read.head).toEqual({ name: "x", description: "two lines" });
  expect(read.body.trim()).toBe("# Title");
  expect(read.problem).toContain("no end");
  expect(await readHead("---\nname: x")).toMatchObject({ head: { name: "x" }, body: "" });
});

test("names from Object.prototype are treated as ordinary keys", async () => {
  const { head: read } = await readHead(head("__proto__: x\nconstructor: y"));
  expect(textIn(read, "toString")).toBeUndefined();
  expect(textIn(read, "constructor")).toBe("y");
});

test("a YAML alias bomb is reported instead of expanded", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `k${at}: &k${at} [${`*k${at - 1}, `.repeat(9)}x]`);
  const { problem } = await readHead(head(rows.join("\n").replaceAll("*k-1, ", "y, ")));
  expect(problem).toContain("not well-formed");
});

test("arbitrary front matter neither throws nor consumes any of the body", async () => {
  const pieces = fc.array(
    fc.constantFrom(
      "name: x",
      "- a",
      "  b: |",
      "{",
      "]",
      "&a",
      "*a",
      '"',
      "'",
      "!!js",
      "? x",
      "%TAG",
      "\t",
      "---x",
      "a: b: c",
      ": ",
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        pieces.map((lines) => lines.join("\n")),
      ),
      async (written) => {
        fc.pre(!/^---[ \t]*\r?$/mu.test(written));
        const read = await readHead(`---\n${written}\n---\nthe body`);
        expect(read.body).toBe("the body");
        expect(typeof read.head).toBe("object");
      },
    ),
    { numRuns: 300 * scale },
  );
});

test("arbitrary text is read without an exception, and the body is always a suffix of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
      const read = await readHead(text);
      expect(text.endsWith(read.body)).toBe(true);
    }),
  );
});
