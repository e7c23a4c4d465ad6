/** Renders a range of a file's lines as one result, with a note on how to read on. */

import { countOf, sizeInWords } from "../../base/amounts.ts";
import { fileBounds } from "../../base/bounds.ts";
import { cutLine } from "../../base/cut-text.ts";
import { byteLength } from "../../base/text.ts";
import { toolBounds } from "../bounds.ts";
import { failedResult, ok, type ToolResult } from "../tool.ts";
import { withLineNumbers } from "./line-numbers.ts";

/** Line numbers from 1, both included. */
export type LineRange = { from?: number | undefined; to?: number | undefined };

/** An excerpt: `first` is the number of its first line, `more` whether lines follow it. */
type FileExcerpt = { first: number; more: boolean; size: number };

export const pageLines = toolBounds.readLines.most;
export const pageBytes = fileBounds.readBytes.most;
/** Longer lines are cut: their remainder is seldom of interest. */
const longestLine = 2000;

export function page(
  path: string,
  lines: readonly string[],
  range: LineRange,
  part?: FileExcerpt,
): ToolResult {
  const first = part?.first ?? 1;
  const from = range.from ?? 1;
  const wanted = lines.slice(from - first, range.to === undefined ? undefined : range.to - first + 1);
  if (wanted.length === 0) return failedResult(`${path} has only ${countOf(lines.length, "line")}.`);
  const shown = fitting(wanted.slice(0, pageLines).map((line) => cutLine(line, longestLine)));
  const last = from + shown.length - 1;
  const text = withLineNumbers(shown, from);
  const stopped = shown.length < wanted.length || (part?.more === true && last !== range.to);
  return ok(stopped ? `${text}\n${noteOf(path, { from, last, lines: lines.length, part })}` : text);
}

function noteOf(
  path: string,
  at: { from: number; last: number; lines: number; part: FileExcerpt | undefined },
): string {
  const whole = at.part ? sizeInWords(at.part.size) : `${at.lines} lines`;
  return `[Lines ${at.from}-${at.last} of ${path} (${whole}). Read on with from: ${at.last + 1}.]`;
}

function fitting(lines: string[]): string[] {
  let left = pageBytes;
  const count = lines.findIndex((line, at) => (left -= byteLength(line) + String(at).length + 2) < 0);
  return count === -1 ? lines : lines.slice(0, Math.max(1, count));
}
