/** The edits that take one hunk out of a text, and put back what was there before. */

import type { PresentPlace } from "./hunk-places.ts";
import type { ReviewHunk } from "./hunk.ts";

/** Line and character from 0, as an editor counts. */
type TextPosition = { line: number; character: number };

export type LineEdit = { start: TextPosition; end: TextPosition; text: string };

type FoundHunk = { hunk: ReviewHunk; place: Extract<PresentPlace, { type: "exact" }> };

/** `lines`: of the whole text, without a last empty one. */
export function removalOf(
  { hunk, place }: FoundHunk,
  { lines, lineEnd }: { lines: readonly string[]; lineEnd: string },
): LineEdit[] {
  return place.spans.flatMap(({ start, end }, at) => {
    const replacement = hunk.replacements[at];
    if (!replacement) return [];
    const { removed } = replacement;
    const isAtEnd = end === lines.length && start > 0;
    return isAtEnd
      ? [
          edit(
            endOf(start - 1, lines),
            endOf(end - 1, lines),
            removed.map((line) => lineEnd + line),
          ),
        ]
      : [
          edit(
            startOf(start),
            startOf(end),
            removed.map((line) => line + lineEnd),
          ),
        ];
  });
}

const edit = (start: TextPosition, end: TextPosition, lines: readonly string[]): LineEdit => ({
  start,
  end,
  text: lines.join(""),
});

const startOf = (line: number): TextPosition => ({ line, character: 0 });

/** The line end behind it is not touched: the text may end without one. */
const endOf = (line: number, lines: readonly string[]): TextPosition => ({
  line,
  character: lines[line]?.length ?? 0,
});
