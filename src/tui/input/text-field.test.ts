/** Tests what a person does to the text that they write: typing, moving, cutting, pastes, undo. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { processorMs } from "../../testing/processor-time.ts";
import { scale } from "../../testing/scale.ts";
import { graphemesOf } from "./graphemes.ts";
import { type FieldAction, fieldActions } from "./key-bindings.ts";
import { TextField } from "./text-field.ts";

/** A field in which this was typed, with the cursor at the bar. */
function fieldWith(marked: string): TextField {
  const field = new TextField();
  const [before = "", after = ""] = marked.split("|");
  field.type(before + after);
  const lines = before.split("\n");
  field.moveTo({ line: lines.length - 1, at: lines.at(-1)?.length ?? 0 });
  return field;
}

/** The text with a bar at the cursor. */
function shown(field: TextField): string {
  const { line, at } = field.cursor;
  return field.lines
    .map((text, row) => (row === line ? `${text.slice(0, at)}|${text.slice(at)}` : text))
    .join("\n");
}

const after = (marked: string, ...actions: FieldAction[]): string => {
  const field = fieldWith(marked);
  for (const action of actions) field.do(action);
  return shown(field);
};

test.for<[string, FieldAction, string]>([
  ["ab|c", "character-left", "a|bc"],
  ["a\n|b", "character-left", "a|\nb"],
  ["|", "character-left", "|"],
  ["a|\nb", "character-right", "a\n|b"],
  ["one two| x", "word-left", "one |two x"],
  ["one\n  |two", "word-left", "|one\n  two"],
  ["one|, two", "word-right", "one, two|"],
  ["one|\n\n two", "word-right", "one\n\n two|"],
  ["a\nbc|d", "line-start", "a\n|bcd"],
  ["a\nb|cd", "line-end", "a\nbcd|"],
  ["a\nb|cd", "text-start", "|a\nbcd"],
  ["a|\nbcd", "text-end", "a\nbcd|"],
  ["ab|c", "delete-left", "a|c"],
  ["a\n|b", "delete-left", "a|b"],
  ["|a", "delete-left", "|a"],
  ["a|b", "delete-right", "a|"],
  ["a|\nb", "delete-right", "a|b"],
  ["cat src/a.ts |", "cut-to-space", "cat |"],
  ["cat src/a.ts|", "cut-word-left", "cat src/a.|"],
  ["|cat src", "cut-word-right", "| src"],
  ["a b|c d\ne", "cut-to-end", "a b|\ne"],
  ["a|\ne", "cut-to-end", "a|e"],
  ["x\na b|c", "cut-to-start", "x\n|c"],
  ["x\n|c", "cut-to-start", "x|c"],
  ["👩‍👩‍👧|x", "delete-left", "|x"],
  ["|e\u0301x", "character-right", "e\u0301|x"],
  ["🇩🇪🇫🇷|", "delete-left", "🇩🇪|"],
  ["नमस्ते|", "delete-left", "नम|"],
])("in %j %s makes %j", ([marked, action, result]) => {
  expect(after(marked, action)).toBe(result);
});

test("cuts one after another are one, and can be inserted again, also the earlier ones", () => {
  const field = fieldWith("one two three|");
  field.do("cut-to-space");
  field.do("cut-to-space");
  field.do("line-start");
  field.do("insert-cut");
  expect(shown(field)).toBe("two three|one ");
  field.do("text-end");
  field.do("cut-to-space");
  field.do("insert-cut");
  field.do("insert-earlier-cut");
  expect(shown(field)).toBe("two two three|");
  field.do("insert-earlier-cut");
  expect(shown(field)).toBe("two threeone |");
  field.type("x");
  field.do("insert-earlier-cut");
  expect(shown(field)).toBe("two threeone x|");
});

test("a backslash at the end of a line continues it", () => {
  const field = fieldWith("one\\|");
  expect(field.continueLine()).toBe(true);
  expect(shown(field)).toBe("one\n|");
  expect(field.continueLine()).toBe(false);
  expect(fieldWith("a\\|b").continueLine()).toBe(false);
});

test("up and down keep their column over shorter rows, and say where the text ends", () => {
  const field = fieldWith("long line\nx\nanother| one");
  expect(field.do("up")).toBe(true);
  expect(shown(field)).toBe("long line\nx|\nanother one");
  field.do("up");
  expect(shown(field)).toBe("long li|ne\nx\nanother one");
  expect(field.do("up")).toBe(false);
  field.do("down");
  field.do("down");
  expect(field.do("down")).toBe(false);
  expect(shown(field)).toBe("long line\nx\nanother| one");
});

test("up and down follow the rows that are seen", () => {
  const field = fieldWith("aaa bbb ccc ddd|");
  field.layout(9);
  field.do("up");
  expect(shown(field)).toBe("aaa bbb| ccc ddd");
  expect(field.do("up")).toBe(false);
  field.do("down");
  expect(shown(field)).toBe("aaa bbb ccc ddd|");
});

test("what was typed is undone word by word, and everything else step by step", () => {
  const field = new TextField();
  for (const character of "one two") field.type(character);
  field.do("cut-to-space");
  field.paste({ text: "a\nb", isCut: false });
  field.do("undo");
  expect(shown(field)).toBe("one |");
  field.do("undo");
  expect(shown(field)).toBe("one two|");
  field.do("undo");
  field.do("undo");
  field.do("undo");
  expect(shown(field)).toBe("|");
  expect(field.do("undo")).toBe(false);
});

test("a paste of several lines is one character, which is sent in full", () => {
  const field = fieldWith("see |.");
  field.paste({ text: "a\nb\nc\n", isCut: false });
  expect(shown(field)).toBe("see [pasted #1: 3 lines]|.");
  expect(field.expanded()).toBe("see a\nb\nc\n.");
  field.do("character-left");
  expect(shown(field)).toBe("see |[pasted #1: 3 lines].");
  field.do("word-right");
  expect(shown(field)).toBe("see [pasted #1: 3 lines]|.");
  field.do("delete-left");
  expect(shown(field)).toBe("see |.");
  field.do("undo");
  field.do("cut-to-space");
  expect(shown(field)).toBe("see |.");
  field.do("insert-cut");
  expect(field.expanded()).toBe("see a\nb\nc\n.");
});

test("a short pasted line is text, and what only looks like a mark is too", () => {
  const field = new TextField();
  field.paste({ text: "ls -l\n", isCut: false });
  field.type(" [pasted #7: 3 lines]");
  field.do("delete-left");
  expect(shown(field)).toBe("ls -l [pasted #7: 3 lines|");
});

test("a message of 2,000 lines that is typed as text costs no more for each line", () => {
  const field = new TextField();
  const line = "const total = lines.reduce((sum, line) => sum + line.price, 0); // 合計 👩‍👩‍👧";
  const spent = processorMs(() => {
    for (let count = 0; count < 2_000; count++) {
      field.type(line);
      field.do("new-line");
      if (count % 10 === 0) field.layout(80);
    }
  });
  expect(field.lines).toHaveLength(2_001);
  expect(field.layout(80)).toMatchObject({ isMoreAbove: true, isMoreBelow: false });
  // Quadratic costs would take many seconds.
  expect(spent).toBeLessThan(2_000);
});

test("a line of 5,000 characters that arrive one by one is written without delay", () => {
  const field = new TextField();
  const spent = processorMs(() => {
    for (let count = 0; count < 5_000; count++) field.type(count % 7 === 0 ? " " : "字");
    field.layout(80);
  });
  expect(spent).toBeLessThan(1_500);
});

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.constantFrom(
    "👩",
    "\u200d",
    "👧",
    "\u0301",
    "🇩",
    "🇪",
    "\n",
    " ",
    "क",
    "्",
    "\u0600",
    "1",
    "각",
    "\u1100",
  ),
);
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("type" as const), text: texts }),
    fc.record({
      type: fc.constant("paste" as const),
      text: fc.constantFrom("a\nb", "short", "\u0301", "x\ty"),
    }),
    fc.record({
      type: fc.constant("do" as const),
      action: fc.constantFrom(...fieldActions.map(({ action }) => action)),
    }),
  ),
  { maxLength: 30 },
);

test("whatever is done, the cursor is never within a character or a mark, and undo leads back", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (all, columns) => {
      const field = new TextField();
      for (const step of all) {
        if (step.type === "type") field.type(step.text);
        else if (step.type === "paste") field.paste({ text: step.text, isCut: false });
        else field.do(step.action);
        field.layout(columns, 4);
        const { line, at } = field.cursor;
        const text = field.lines[line] ?? "";
        expect(boundariesOf(text)).toContain(at);
        expect(field.marksIn(text).some(({ from, to }) => from < at && at < to)).toBe(false);
      }
      const { text } = field;
      while (field.do("undo"));
      expect(field.text).toBe("");
      field.set(text);
      expect(field.text).toBe(text);
    }),
    { numRuns: 300 * scale },
  );
});

function boundariesOf(text: string): number[] {
  let at = 0;
  return [0, ...graphemesOf(text).map((grapheme) => (at += grapheme.length))];
}
