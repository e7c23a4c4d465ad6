/** Finds the end of a unified diff's hunk: by its counts, or by its lines if the counts are wrong. */

import { type HunkCounts, hunkLine, isNoNewlineMark, type PatchLine, withoutNewline } from "./patch.ts";
import { closingFence, endMarker, isFileHeader } from "./unwrap.ts";

/** `next`: the line (from 0) after the hunk. `atEnd`: it claims to reach the end of the old file. */
type HunkBody = { lines: PatchLine[]; next: number; atEnd: boolean };

export function readHunkBody(
  lines: readonly string[],
  from: number,
  counts: HunkCounts | undefined,
): HunkBody {
  const next = (counts && endByCounts(lines, from, counts)) ?? endByShape(lines, from);
  const read: PatchLine[] = [];
  let atEnd = false;
  for (const raw of lines.slice(from, next)) {
    const last = read.at(-1);
    if (!isNoNewlineMark(raw)) read.push(hunkLine(raw));
    else if (last) {
      read[read.length - 1] = withoutNewline(last);
      atEnd = true;
    }
  }
  return { lines: read, next, atEnd };
}

/** Undefined if the counts disagree with the lines. */
function endByCounts(lines: readonly string[], from: number, counts: HunkCounts): number | undefined {
  let [old, made, at] = [counts.old, counts.new, from];
  for (; old > 0 || made > 0; at++) {
    const raw = lines[at];
    const sign = raw === undefined ? "none" : raw === "" || raw === "\r" ? " " : (raw[0] ?? "");
    if (sign === "\\") continue;
    if (!" +-".includes(sign)) return undefined;
    if (sign !== "+") old--;
    if (sign !== "-") made--;
    if (old < 0 || made < 0) return undefined;
  }
  while (isNoNewlineMark(lines[at] ?? "")) at++;
  return isBehindHunk(lines, at) ? at : undefined;
}

/** Whether the hunk has ended here, possibly after blank lines. */
function isBehindHunk(lines: readonly string[], from: number): boolean {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === "") at++;
  const line = lines[at];
  return line === undefined || !/^[ +-]/.test(line) || isFileHeader(lines, at) || isSignature(lines, at);
}

function endByShape(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !isHeader(lines, end)) end++;
  // Blank lines before the next header are not context.
  while (end > from && /^\r?$/.test(lines[end - 1] ?? "")) end--;
  return end;
}

function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (/^(?:@@|diff |Index: |Only in |From [0-9a-f]{7,} )/.test(line)) return true;
  if (closingFence.test(line) || endMarker.test(line) || isSignature(lines, at)) return true;
  return isFileHeader(lines, at) && (lines[at + 2] ?? "").startsWith("@@");
}

/** The end of an e-mail: two dashes, and git's version. */
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?\r?$/.test(lines[at] ?? "") && /^\d+\.\d+/.test(lines[at + 1] ?? "");
}
