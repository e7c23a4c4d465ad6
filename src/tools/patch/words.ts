/** What the model is told of a hunk that does not fit: what was expected, and what stands nearest. */
import { cutLine } from "../../base/text.ts";
import { likeness } from "../edit/nearest.ts";
import type { Region } from "../edit/passage.ts";
import { numbered } from "../line-numbers.ts";
import type { Hunk } from "./patch.ts";

const shownLines = 20;
const shownWidth = 300;

export const emptyHunk =
  "it only adds lines and does not tell where: give it lines of the file around them as context";

type Expectation = {
  hunk: Hunk;
  passage: readonly string[];
  near: Region | undefined;
  /** What the hunk makes stands in the file. */
  isDone: boolean;
};

/** Ends with a line feed. */
export function nowhere(file: readonly string[], { passage, near, isDone }: Expectation): string {
  const done = isDone ? " What it would make stands there already: perhaps it was applied before." : "";
  const expected = `its lines stand nowhere in the file.${done} Expected:\n${cut(passage).join("\n")}\n`;
  const region = near ?? similarLine(file, passage);
  if (region === undefined) return `${expected}No part of the file is like that.\n`;
  const from = Math.max(0, region.line - 2);
  const shown = file.slice(from, region.line + region.lines + 2);
  return `${expected}The nearest lines of the file are:\n${numbered(cut(shown), from + 1)}\n`;
}

const comparedLines = 10_000;
const leastLikeness = 0.3;

/** Where no line is the same: the one most like the longest that was expected. */
function similarLine(file: readonly string[], passage: readonly string[]): Region | undefined {
  const [longest = ""] = passage
    .slice(0, 100)
    .toSorted((one, other) => other.trim().length - one.trim().length);
  let best: Region | undefined;
  for (const [line, text] of file.slice(0, comparedLines).entries()) {
    const similarity = likeness(longest.trim(), text.trim());
    if (similarity > (best?.similarity ?? leastLikeness)) best = { line, lines: 1, similarity };
  }
  return best;
}

function cut(lines: readonly string[]): string[] {
  const shown = lines.slice(0, shownLines).map((line) => cutLine(line, shownWidth));
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `[and ${left} more lines]`] : shown;
}

export function several(places: readonly number[]): string {
  const lines = places.slice(0, 10).map((line) => line + 1);
  const more = places.length > 10 ? ", …" : "";
  return `its lines stand at ${places.length} places (lines ${lines.join(", ")}${more}); add lines around them, or a \`@@\` header that names the function or class`;
}

export function wrongScope({ headers }: Hunk, found: { line: number; header: number }): string {
  const header = cutLine(headers.at(-1) ?? "", 100);
  return `its lines stand only at line ${found.line + 1}, above its header "${header}" at line ${found.header + 1}`;
}
