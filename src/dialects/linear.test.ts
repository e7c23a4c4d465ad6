import { describe, expect, test } from "vitest";
import type { Dialect } from "./dialect.ts";
import { allDialects } from "./index.ts";
import { dialectsUnderTest } from "./testing/all.ts";
import { readAnswer, tool } from "./testing/reading.ts";

const tools = [tool("write_file", { path: "string", content: "string" }, ["path"]), tool("ping", {})];

/** The cost of one message: characters looked at, counting repeats. */
const work = (text: string, chunk: number, known: Dialect | undefined): number =>
  readAnswer(text, { known, dialects: known ? [known] : allDialects, tools, chunk }).looked;

/** Inputs that tempt a reader to rescan, as functions of their size. */
const hostile: Readonly<Record<string, (size: number) => string>> = {
  prose: (size) => "It's a < b, with `code` and [brackets] (3.2).\n\n".repeat(size / 47),
  "openings that never close": (size) => "<tool_call>".repeat(size / 11),
  "openings of every dialect": (size) => {
    const marks = allDialects.flatMap(({ openers }) => openers.map(({ mark }) => `${mark} `));
    // Mixed, so that a part of it is like the whole.
    const all = marks.map((_, at) => marks[(at * 101) % marks.length] ?? "").join("\n");
    return all.repeat(Math.ceil(size / all.length)).slice(0, size);
  },
  "half marks": (size) => "<tool_cal <|tool_cal [TOOL_CAL <func ".repeat(size / 37),
  "deep nesting": (size) => `<tool_call>{"name": "ping", "arguments": ${'{"a": ['.repeat(size / 7)}`,
  "one long string": (size) =>
    `<tool_call>{"name": "write_file", "arguments": {"content": "${"x".repeat(size)}"}}</tool_call>`,
  "closers in a string that never ends": (size) =>
    `<tool_call>{"name": "write_file", "arguments": {"content": "${"</tool_call>\n".repeat(size / 13)}`,
  "closing tags in a value": (size) =>
    `<tool_call>\n<function=write_file>\n<parameter=content>\n${"</parameter> \n<parameter=x> ".repeat(size / 28)}`,
  "white space behind a closing tag": (size) =>
    `<tool_call>\n<function=write_file>\n<parameter=content>\n${`</parameter>${" ".repeat(150)}`.repeat(size / 162)}`,
  "thoughts that never close": (size) => '<think>\n<tool_call>{"name": "ping"}\n'.repeat(size / 36),
  "one thought full of openings": (size) => `<think>${"<tool_call>{".repeat(size / 12)}`,
  "JSON that is no call": (size) => `[${'{"name": "ping", "arguments": {"a": 1}}, '.repeat(size / 41)}`,
  "lines that look like calls": (size) => '{"name": "ping", "arguments": {}} or\n'.repeat(size / 37),
  // Nested too deeply at either size: a message that is no call costs one extra pass.
  "lines that open calls": (size) =>
    `{"name": "ping", "arguments": ${"[".repeat(130)}${'{"name": "ping", "arguments": {\n'.repeat(size / 32)}`,
  "unescaped quotation marks": (size) =>
    `<tool_call>{"name": "write_file", "arguments": {"content": "${'say "hi", "'.repeat(size / 11)}"}}</tool_call>`,
  "back-ticks": (size) => "`".repeat(size),
  fences: (size) => "```json\n".repeat(size / 8),
  Python: (size) => `[write_file(content="${"a', ".repeat(size / 4)}`,
};

/** Differences between the two sizes that do not grow, such as checking the end of a block. */
const fixed = 4000;

/** `size`: characters of the smaller text, at least two of the longest pieces above. */
const auto = { size: 4000, chunks: [16, 4096] };
/** A known dialect runs the same reader: a shorter text suffices, in pieces that show what is looked at again. */
const known = { size: 330, chunks: [512] };

describe.each([{ name: "auto", dialect: undefined }, ...dialectsUnderTest])("$name", ({ dialect }) => {
  const { size, chunks } = dialect ? known : auto;
  test.each(chunks)("ten times the text costs at most eleven times the work, in chunks of %i", (chunk) => {
    for (const [what, make] of Object.entries(hostile)) {
      const [small, large] = [make(size), make(10 * size)];
      expect(work(large, chunk, dialect), what).toBeLessThanOrEqual(11 * work(small, chunk, dialect) + fixed);
    }
  });
});

test("ten thousand unclosed openings and a string of 1 MB are read in linear work", () => {
  const openings = "<tool_call>".repeat(10_000);
  expect(work(openings, 4096, undefined)).toBeLessThan(200 * openings.length);
  const long = `<tool_call>{"name": "write_file", "arguments": {"content": "${"x".repeat(1_000_000)}"}}</tool_call>`;
  const answer = readAnswer(long, { tools, chunk: 4096 });
  expect(answer.calls).toMatchObject([{ name: "write_file" }]);
  expect(answer.looked).toBeLessThan(10 * long.length);
});
