import fc from "fast-check";
import { expect, test } from "vitest";
import { placeHunks } from "./hunk-places.ts";
import { type LineEdit, removalOf } from "./hunk-removal.ts";
import { presentText } from "./present-text.ts";
import { hunksBetween } from "./testing/review.ts";

/** As an editor applies them: all positions are those of the text before any of them. */
function edited(text: string, edits: readonly LineEdit[]): string {
  const starts = text.split("\n").reduce((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);
  const offset = ({ line, character }: LineEdit["start"]): number =>
    Math.min((starts[line] ?? text.length) + character, text.length);
  return edits
    .toReversed()
    .reduce(
      (all, { start, end, text: put }) => all.slice(0, offset(start)) + put + all.slice(offset(end)),
      text,
    );
}

function withoutHunk(old: string, now: string, at: number): string {
  const present = presentText(now);
  const found = placeHunks(hunksBetween(old, now), present.lines)[at];
  if (found?.place.type !== "exact") throw new Error("The hunk is not there.");
  return edited(now, removalOf({ hunk: found.hunk, place: found.place }, present));
}

test("one hunk is taken out, and others stay", () => {
  const lines = (changed: Readonly<Record<number, string>> = {}): string =>
    Array.from({ length: 30 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");
  const now = lines({ 2: "two\nmore", 5: "five", 20: "twenty" });
  expect(withoutHunk(lines(), now, 0)).toBe(lines({ 20: "twenty" }));
  expect(withoutHunk(lines(), now, 1)).toBe(lines({ 2: "two\nmore", 5: "five" }));
});

const anyLines = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 });

test("a text with one hunk is without it as it was before, wherever the hunk is", () => {
  fc.assert(
    fc.property(anyLines, anyLines, (before, after) => {
      const [old, now] = [`first\n${before.join("\n")}\n`, `first\n${after.join("\n")}\n`];
      const hunks = hunksBetween(old, now);
      fc.pre(hunks.length === 1);
      expect(withoutHunk(old, now, 0)).toBe(old);
    }),
  );
});
