/** Parses a unified diff into blocks of lines for side-by-side or unified display. Nothing is left out. */

import { sameEnds } from "../base/text.ts";
import { visibleLine, visiblePreview } from "../base/visible-text.ts";

/**
 * `number` counts from 1 in the old file (removed) or the new file (added, same); absent if the diff does not give it.
 * `before`: an unchanged line's number in the old file.
 */
export type DiffLine = {
  number?: number;
  before?: number;
  text: string;
  marked?: LineDifference;
  note?: string;
};

/** The part of a line that differs from its counterpart, in UTF-16 units. */
type LineDifference = { from: number; to: number };

/** `heading`: file names and any other text outside hunks. */
export type DiffBlock =
  | { type: "heading"; text: string }
  | { type: "hunk"; text: string }
  | { type: "same"; lines: DiffLine[] }
  | { type: "change"; removed: DiffLine[]; added: DiffLine[] };

/** How many lines of the hunk are left; `loose`: a replacement of a whole file, given without hunks. */
type DiffParserState =
  | { in: "heading"; afterNames: boolean }
  | { in: "hunk"; old: number; now: number; oldLeft: number; nowLeft: number }
  | { in: "loose" };

/**
 * Relies on each hunk's line counts, so that a file's line that looks like a diff header is shown as a normal line.
 * Every line of the text appears in exactly one block, except empty lines between files; the two that name a file are
 * one heading.
 */
export function diffBlocks(text: string): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let reading: DiffParserState = { in: "heading", afterNames: false };
  for (const line of linesOf(text)) reading = readLine(line, reading, blocks);
  for (const block of blocks) if (block.type === "change") mark(block);
  return blocks;
}

/** Lines added and removed. */
export function badgeOf(blocks: readonly DiffBlock[]): { added: number; removed: number } {
  const changes = blocks.filter((block) => block.type === "change");
  return {
    added: changes.reduce((sum, { added }) => sum + added.length, 0),
    removed: changes.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function readLine(line: string, reading: DiffParserState, blocks: DiffBlock[]): DiffParserState {
  if (reading.in === "hunk" && (reading.oldLeft > 0 || reading.nowLeft > 0))
    return readCounted(line, reading, blocks);
  if (reading.in === "hunk" && line.startsWith("\\")) return addLineNote(line, blocks, reading);
  const isChange = line.startsWith("-") || line.startsWith("+");
  if ((reading.in === "loose" || (reading.in === "heading" && reading.afterNames)) && isChange) {
    push(blocks, line, {});
    return { in: "loose" };
  }
  return readHeading(line, blocks);
}

function readHeading(line: string, blocks: DiffBlock[]): DiffParserState {
  const [, old, oldCount = "1", now, nowCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(line) ?? [];
  if (old !== undefined && now !== undefined) {
    blocks.push({ type: "hunk", text: visibleLine(line) });
    return {
      in: "hunk",
      old: Number(old),
      now: Number(now),
      oldLeft: Number(oldCount),
      nowLeft: Number(nowCount),
    };
  }
  const before = blocks.at(-1);
  const named = before?.type === "heading" ? fileNamed(before.text, visibleLine(line)) : undefined;
  if (named !== undefined) blocks[blocks.length - 1] = { type: "heading", text: named };
  else if (line !== "") blocks.push({ type: "heading", text: visibleLine(line) });
  return { in: "heading", afterNames: line.startsWith("+++ ") };
}

/** The file that two lines name, if they name one. */
function fileNamed(before: string, after: string): string | undefined {
  const nowhere = "/dev/null";
  const old = /^--- (a\/.+|\/dev\/null)$/u.exec(before)?.[1];
  const now = /^\+\+\+ (b\/.+|\/dev\/null)$/u.exec(after)?.[1];
  if (old === undefined || now === undefined) return undefined;
  if (old === nowhere) return now === nowhere ? undefined : `${now.slice(2)} (new)`;
  if (now === nowhere) return `${old.slice(2)} (deleted)`;
  return old.slice(2) === now.slice(2) ? now.slice(2) : undefined;
}

function readCounted(
  line: string,
  reading: Extract<DiffParserState, { in: "hunk" }>,
  blocks: DiffBlock[],
): DiffParserState {
  const { old, now, oldLeft, nowLeft } = reading;
  switch (line[0]) {
    case "-":
      push(blocks, line, { number: old });
      return { ...reading, old: old + 1, oldLeft: oldLeft - 1 };
    case "+":
      push(blocks, line, { number: now });
      return { ...reading, now: now + 1, nowLeft: nowLeft - 1 };
    case " ":
    case undefined:
      push(blocks, line, { number: now, before: old });
      return { ...reading, old: old + 1, now: now + 1, oldLeft: oldLeft - 1, nowLeft: nowLeft - 1 };
    case "\\":
      return addLineNote(line, blocks, reading);
    default:
      // The diff was truncated here, as the following text says.
      return readHeading(line, blocks);
  }
}

function push(blocks: DiffBlock[], line: string, numbers: Pick<DiffLine, "number" | "before">): void {
  const shown: DiffLine = { ...numbers, text: visiblePreview(line.slice(1)) };
  const last = blocks.at(-1);
  if (line.startsWith("-") || line.startsWith("+")) {
    const change = last?.type === "change" ? last : { type: "change" as const, removed: [], added: [] };
    if (change !== last) blocks.push(change);
    (line.startsWith("-") ? change.removed : change.added).push(shown);
  } else if (last?.type === "same") last.lines.push(shown);
  else blocks.push({ type: "same", lines: [shown] });
}

/** "\ No newline at end of file" refers to the line before it. */
function addLineNote(line: string, blocks: DiffBlock[], reading: DiffParserState): DiffParserState {
  const last = blocks.at(-1);
  const lines = last?.type === "same" ? last.lines : last?.type === "change" ? lastSide(last) : undefined;
  const about = lines?.at(-1);
  const words = visibleLine(line.replace(/^\\ */u, ""));
  if (about) about.note = words;
  else blocks.push({ type: "heading", text: words });
  return reading;
}

const lastSide = ({ removed, added }: Extract<DiffBlock, { type: "change" }>): DiffLine[] =>
  added.length > 0 ? added : removed;

/** If equally many lines were removed and added, compares them in pairs. */
function mark({ removed, added }: Extract<DiffBlock, { type: "change" }>): void {
  if (removed.length !== added.length) return;
  for (const [at, old] of removed.entries()) {
    const now = added[at];
    if (now) markPair(old, now);
  }
}

/** Lines with little in common get no inner marks: their sign and colour suffice. */
function markPair(old: DiffLine, now: DiffLine): void {
  let { start, end } = sameEnds(old.text, now.text);
  if (isInsidePair(old.text, start)) start -= 1;
  if (isInsidePair(old.text, old.text.length - end)) end -= 1;
  if (start + end < Math.min(old.text.length, now.text.length) / 2) return;
  old.marked = { from: start, to: old.text.length - end };
  now.marked = { from: start, to: now.text.length - end };
}

/** A mark must not split a surrogate pair. */
const isInsidePair = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
};
