/** Error messages for a hunk that does not fit: what was expected, and what comes nearest in the file. */

import { cutLine } from "../../base/cut-text.ts";
import { nearestWords } from "../edit/nearest-words.ts";
import type { PatchHunk } from "./patch.ts";

export const emptyHunk =
  "it only adds lines and does not tell where: give it lines of the file around them as context";

type Expectation = {
  passage: readonly string[];
  /** The hunk's result is already in the file. */
  isDone: boolean;
};

/** Ends with a line feed if lines of the file are shown. */
export function nowhere(file: readonly string[], { passage, isDone }: Expectation): string {
  const { difference, shown } = nearestWords(file, passage, "the hunk");
  const done = isDone ? ". What it would make stands there already: perhaps it was applied before" : "";
  const why = difference === undefined || isDone ? "" : `: ${difference}`;
  const said = `its lines stand nowhere in the file${why}${done}`;
  if (shown === undefined)
    return `${said}. Nothing in the file is like them: read the file, and copy them from it`;
  return `${said}. Copy them from the file as it is now. The nearest lines of the file are:\n${shown}\n`;
}

export function several(places: readonly number[]): string {
  const lines = places.slice(0, 10).map((line) => line + 1);
  const more = places.length > 10 ? ", …" : "";
  return `its lines stand at ${places.length} places (lines ${lines.join(", ")}${more}); add lines around them, or a \`@@\` header that names the function or class`;
}

export function wrongScope({ headers }: PatchHunk, found: { line: number; header: number }): string {
  const header = cutLine(headers.at(-1) ?? "", 100);
  return `its lines stand only at line ${found.line + 1}, above its header "${header}" at line ${found.header + 1}`;
}
