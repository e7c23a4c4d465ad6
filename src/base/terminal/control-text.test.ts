import fc from "fast-check";
import { expect, test } from "vitest";
import { ControlReader } from "./control-text.ts";

/** The calls that the handler received, with runs of text joined. */
function told(pieces: readonly string[]): string[] {
  const all: string[] = [];
  const add = (kind: string, words: string): void => {
    if (kind === "text" && all.at(-1)?.startsWith("text ")) all.push(`${all.pop()}${words}`);
    else all.push(`${kind} ${words}`);
  };
  const reader = new ControlReader();
  for (const piece of pieces)
    reader.read(piece, {
      text: (run) => add("text", run),
      control: (character) => add("control", JSON.stringify(character)),
      sequence: ({ prefix, numbers, between, final }) =>
        add("sequence", `${prefix}${numbers.join(";")}${between}${final}`),
      escape: (between, final) => add("escape", between + final),
    });
  return all;
}

test("text, control characters and sequences are distinguished", () => {
  expect(told(["a\r\nb\x1b[31mred\x1b[0m\x1b[?25l\x1b[2;5H\x1b7\x1b(0q\x1b[!p"])).toEqual([
    "text a",
    'control "\\r"',
    'control "\\n"',
    "text b",
    "sequence 31m",
    "text red",
    "sequence 0m",
    "sequence ?25l",
    "sequence 2;5H",
    "escape 7",
    "escape (0",
    "text q",
    "sequence !p",
  ]);
});

test("A33: titles, pictures and ]633; markers are skipped, with and without their ESC", () => {
  expect(told(["a\x1b]0;title\x07b\x1b]633;D;0\x1b\\c\x1bPq#1~~\x1b\\d\x1b_x\x1b\\e]633;A\x07f"])).toEqual([
    "text abcdef",
  ]);
});

test("an unterminated sequence does not swallow all later output", () => {
  expect(told(["\x1b]0;no end\nnext"])).toEqual(['control "\\n"', "text next"]);
  expect(told([`\x1bP${"x".repeat(70_000)}`, "seen"])).toEqual(["text seen"]);
  expect(told([`\x1b[${"1;".repeat(500)}`]).join("")).toContain("1;1;");
  expect(told(["\x1b]0;a\x1b[31mred"])).toEqual(["sequence 31m", "text red"]);
});

const parts = fc.constantFrom(
  "ab",
  "\r\n",
  "\x1b",
  "[",
  "31",
  ";",
  "m",
  "?25h",
  "]",
  "0;t",
  "\x07",
  "\\",
  "P",
  "é",
  "日",
);

test("however the output is split into chunks, the reader reports the same", () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 8 }), (words, cuts) => {
      const whole = words.join("").replaceAll("]633;", "");
      const places = cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b);
      const pieces = [0, ...places].map((from, at) => whole.slice(from, places[at] ?? whole.length));
      expect(told(pieces)).toEqual(told([whole]));
    }),
  );
});
