/** Cuts long text to size: keeps its first and last lines, and the start and end of each long line. */

import { outputBounds } from "./bounds.ts";
import { byteLength } from "./text.ts";

/**
 * How much of an output is retained: all of it up to `head + tail` lines and `bytes`; each line up to `line`
 * characters.
 */
type OutputLimits = { head: number; tail: number; bytes: number; line: number };

/** Requirement A33: of each output stream of a shell, the first 15 and the last 85 lines, and 50 KB. */
export const shellLimits: OutputLimits = {
  head: 15,
  tail: 85,
  bytes: outputBounds.shown.most,
  line: 4000,
};

/**
 * Over the limits, returns the first lines, a note and the last lines (A33). `cut`: whether anything was left out;
 * `left`: how many whole lines were.
 */
export function headAndTail(
  text: string,
  limits: OutputLimits = shellLimits,
): { text: string; cut: boolean; left: number } {
  const all = text.split("\n");
  const endsWithBreak = text.endsWith("\n");
  if (endsWithBreak) all.pop();
  const ending = endsWithBreak ? "\n" : "";
  const lines = all.map((line) => cutLine(line, limits.line));
  const shortened = lines.some((line, at) => line !== all[at]);
  const fits = lines.length <= limits.head + limits.tail && byteLength(lines.join("\n")) <= limits.bytes;
  if (fits) return { text: shortened ? lines.join("\n") + ending : text, cut: shortened, left: 0 };
  const share = limits.head / (limits.head + limits.tail);
  const head = fitting(lines.slice(0, limits.head), limits.bytes * share);
  const rest = lines.slice(head.length).toReversed().slice(0, limits.tail);
  const tail = fitting(rest, limits.bytes * (1 - share)).toReversed();
  const left = lines.length - head.length - tail.length;
  return { text: [...head, `[${left} lines truncated]`, ...tail].join("\n") + ending, cut: true, left };
}

/**
 * Shortens a line over `limit` characters: three quarters of the limit come from its start, one quarter from its end.
 */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = sliceWhole(line, 0, Math.floor(limit * 0.75));
  const end = sliceWhole(line, line.length - Math.floor(limit * 0.25), line.length);
  return `${start}[${line.length - start.length - end.length} characters cut]${end}`;
}

/** Like `slice`, but drops a surrogate pair at either edge instead of splitting it. */
function sliceWhole(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text.charCodeAt(from)) && from > 0 ? from + 1 : from;
  const end = isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function fitting(lines: string[], bytes: number): string[] {
  let left = bytes;
  const count = lines.findIndex((line) => (left -= byteLength(line) + 1) < 0);
  return count === -1 ? lines : lines.slice(0, count);
}
