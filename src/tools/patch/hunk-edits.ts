/** Turns a located hunk into line edits; kept lines stay the file's own, to the byte. */

import { type Expected, refuse } from "../../base/expected.ts";
import { frameOf } from "../edit/frame.ts";
import { hunksOf } from "../edit/hunks.ts";
import { noShift } from "../edit/indentation.ts";
import { correctLine, mergedLine, type CopyErrors, findCopyErrors } from "../edit/merge-line.ts";
import { isTogether } from "../edit/passage.ts";
import { endingNear, type FileLine, type FileText, isUnfinished } from "./file-text.ts";
import type { HunkPlace } from "./locate.ts";
import { type LineEnding, type PatchHunk, newLines, oldLines, type PatchLine } from "./patch.ts";

/** Removes `removed` lines at `line` (from 0) and inserts `added`. `hunk`: its number, from 1. */
export type LineEdit = { line: number; removed: number; added: AddedLine[]; hunk: number };

/** `exact`: the patch states whether the line has a line feed; otherwise it follows the file's last line. */
export type AddedLine = FileLine & { exact: boolean };

/** Adjacent removed and added lines. `at`: the index of the first removed one among the old lines. */
type ChangeGroup = { at: number; removed: PatchLine[]; added: PatchLine[] };

export function editsOf(
  file: FileText,
  { hunk, number }: { hunk: PatchHunk; number: number },
  place: HunkPlace,
): Expected<LineEdit[]> {
  const faith = faithOf(file, hunk, place);
  if (!faith.isAtEnd && hunk.lines.some(isUnfinished))
    return refuse("it has lines without a line feed, but does not reach the end of the file");
  if (!isShiftedToo(file, hunk, place)) return refuse(unclearIndentation);
  const edits: LineEdit[] = [];
  const groups = groupsOf(hunk);
  const isLiteral = place.tolerance === "exact" && faith.isReturned && (faith.isFinished || !faith.isAtEnd);
  const wrong = place.tolerance === "exact" ? findCopyErrors([]) : miscopiedIn(file, hunk, place);
  for (const group of isLiteral ? groups : groups.flatMap(onlyChanged)) {
    const line = lineOf(place, group);
    if (line === undefined) return refuse("the lines around what it adds do not stand together in the file");
    const texts = textsOf(file, { group, line, place, wrong });
    if (texts === undefined) return refuse(unclearIndentation);
    const removed = group.removed.length;
    const added = texts.map((text, at) => {
      const near = removed > 0 ? line + Math.min(at, removed - 1) : line - 1;
      return { text, ...endingOf(file, near, { faith, written: group.added[at] }) };
    });
    edits.push({ line, removed, added, hunk: number });
  }
  return { ok: true, value: edits };
}

const unclearIndentation =
  "it is indented differently from the file, and how to indent what it adds is not plain: indent all of its lines as the file is";

/** Whether added lines share the wrong indentation of the rest, rather than having the file's already. */
function isShiftedToo({ texts }: FileText, hunk: PatchHunk, { shift, places }: HunkPlace): boolean {
  if (shift === noShift) return true;
  const [old, fresh] = [oldLines(hunk), newLines(hunk)].map((lines) => lines.map(({ text }) => text));
  const stands = places.map((line) => (line === undefined ? undefined : texts[line]));
  return frameOf({ old: old ?? [], stands, fresh: fresh ?? [] }) === "old";
}

function groupsOf({ lines }: PatchHunk): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  let [at, open] = [0, false];
  for (const line of lines) {
    if (line.kind === "context") {
      at++;
      open = false;
      continue;
    }
    if (!open) groups.push({ at, removed: [], added: [] });
    open = true;
    groups.at(-1)?.[line.kind].push(line);
    if (line.kind === "removed") at++;
  }
  return groups;
}

const wordsOf = (lines: readonly PatchLine[]): string[] => lines.map(({ text }) => text);

/** Drops lines that are removed and added again: the file keeps its own. */
function onlyChanged({ at, removed, added }: ChangeGroup): ChangeGroup[] {
  let grown = 0;
  return hunksOf(wordsOf(removed), wordsOf(added)).map(({ from, to, lines }) => {
    const start = from + grown;
    grown += lines.length - (to - from);
    return {
      at: at + from,
      removed: removed.slice(from, to),
      added: added.slice(start, start + lines.length),
    };
  });
}

type GroupPlacement = { group: ChangeGroup; line: number; place: HunkPlace; wrong: CopyErrors };

/** The added lines in the file's indentation, with the file's own characters in partly changed lines. */
function textsOf(
  file: FileText,
  { group, line, place, wrong }: GroupPlacement,
): readonly string[] | undefined {
  const fresh = place.shift(wordsOf(group.added));
  const old = place.shift(wordsOf(group.removed));
  if (place.tolerance === "exact") return fresh;
  const isPaired = fresh?.length === old?.length;
  return fresh?.map((text, at) => {
    if (!isPaired) return correctLine(text, wrong);
    const wrote = old?.[at] ?? "";
    // Trailing white space follows the patch, not the line being replaced.
    const stands = (file.texts[line + at] ?? "").trimEnd() + wrote.slice(wrote.trimEnd().length);
    return mergedLine({ stands, old: wrote, fresh: text }, wrong);
  });
}

/** How the model miscopied characters of the file. */
function miscopiedIn(file: FileText, hunk: PatchHunk, { places }: HunkPlace): CopyErrors {
  const pairs = oldLines(hunk).flatMap(({ text }, at) => {
    const stands = file.texts[places[at] ?? -1];
    return stands === undefined ? [] : [{ stands: stands.trim(), old: text.trim() }];
  });
  return findCopyErrors(pairs);
}

/** Where the group applies: at the lines it removes, or between two adjacent lines. */
function lineOf({ line, places }: HunkPlace, { at, removed }: ChangeGroup): number | undefined {
  if (places.length === 0) return line;
  if (removed.length > 0) return places[at];
  if (!isTogether(places, at)) return undefined;
  const above = places[at - 1];
  return above === undefined ? places[at] : above + 1;
}

/** How far the hunk's line endings match the file's, so that those of new lines can be trusted. */
type Faith = {
  /** The hunk reaches the last line of the file. */
  isAtEnd: boolean;
  /** Its carriage returns match the file's. */
  isReturned: boolean;
  /** It reaches the last line, and states whether that has a line feed. */
  isFinished: boolean;
};

function faithOf({ lines }: FileText, hunk: PatchHunk, { places }: HunkPlace): Faith {
  const old = oldLines(hunk);
  const isAtEnd = lines.length === 0 || places.at(-1) === lines.length - 1;
  const isReturned =
    (old.length > 0 || lines.length === 0) &&
    old.every(({ ending }, at) => hasReturn(ending) === hasReturn(lines[places[at] ?? -1]?.ending ?? "\n"));
  const isFinished =
    isAtEnd &&
    (old.length > 0 || lines.length === 0) &&
    isUnfinished(old.at(-1)) === isUnfinished(lines.at(-1));
  return { isAtEnd, isReturned, isFinished };
}

const hasReturn = (ending: LineEnding): boolean => ending === "\r\n" || ending === "\r";

function endingOf(
  { lines }: FileText,
  near: number,
  { faith, written }: { faith: Faith; written: PatchLine | undefined },
): Omit<AddedLine, "text"> {
  const spelled = written?.ending ?? "\n";
  const isBare = isUnfinished(written) && faith.isFinished;
  const hasOne = faith.isReturned ? hasReturn(spelled) : hasReturn(endingNear(lines, near));
  const ending = isBare ? (hasOne && faith.isReturned ? "\r" : "") : hasOne ? "\r\n" : "\n";
  return { ending, exact: faith.isFinished };
}
