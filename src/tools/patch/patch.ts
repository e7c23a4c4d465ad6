/** A parsed patch: what happens to which files, independent of the patch format. */

/** How a line ends: the last one of a file may lack its line feed. */
export type LineEnding = "\n" | "\r\n" | "\r" | "";

/** `text` excludes the leading sign and the ending. */
export type PatchLine = { kind: "context" | "removed" | "added"; text: string; ending: LineEnding };

export type HunkCounts = { old: number; new: number };

export type PatchHunk = {
  /** The patch line, from 1, where it begins. */
  at: number;
  lines: PatchLine[];
  /** Lines of the file that precede the hunk at any distance, outermost first. */
  headers: string[];
  /** Its first line, from 1, in the old and the new file, according to the patch. */
  oldStart?: number;
  newStart?: number;
  /** Its line counts in the old and the new file, according to the patch. */
  counts?: HunkCounts;
  /** Whether it is marked as ending at the end of the file. */
  atEnd: boolean;
};

export type Section = {
  /** The patch line, from 1, where it begins. */
  at: number;
  does: "add" | "delete" | "update" | "copy";
  /** The path as written. */
  path: string;
  /** Other readings of the name; the one that exists is meant. */
  otherPaths: string[];
  /** Where the file is moved or copied to. */
  to?: string;
  /** Whether the file becomes executable or stops being so: the only part of a mode that git stores. */
  runs?: boolean;
  hunks: PatchHunk[];
};

/** Every path the patch may touch, as written. */
export function pathsOf(sections: readonly Section[]): string[] {
  const all = sections.flatMap(({ path, otherPaths, to }) => [
    path,
    ...otherPaths,
    ...(to === undefined ? [] : [to]),
  ]);
  return [...new Set(all)];
}

/** The lines of the file before, or after, the hunk is applied. */
export const oldLines = ({ lines }: PatchHunk): PatchLine[] => lines.filter(({ kind }) => kind !== "added");
export const newLines = ({ lines }: PatchHunk): PatchLine[] => lines.filter(({ kind }) => kind !== "removed");

/** Parses a hunk line: its first character is the operation. */
export function hunkLine(raw: string): PatchLine {
  const { text, ending } = withEnding(raw);
  switch (text[0]) {
    case "+":
      return { kind: "added", text: text.slice(1), ending };
    case "-":
      return { kind: "removed", text: text.slice(1), ending };
    case " ":
      return { kind: "context", text: text.slice(1), ending };
    default:
      // The leading space was forgotten. If this is not context, it will not be found in the file.
      return { kind: "context", text, ending };
  }
}

/** A line split at line feeds; a trailing carriage return is part of its ending. */
export function withEnding(raw: string): { text: string; ending: LineEnding } {
  return raw.endsWith("\r") ? { text: raw.slice(0, -1), ending: "\r\n" } : { text: raw, ending: "\n" };
}

/** Applies `\ No newline at end of file` to the line above it. */
export function withoutNewline(line: PatchLine): PatchLine {
  return { ...line, ending: line.ending === "\r\n" || line.ending === "\r" ? "\r" : "" };
}

export const isNoNewlineMark = (raw: string): boolean => /^\\ ?no newline/i.test(raw);

type HunkHeader = Pick<PatchHunk, "oldStart" | "newStart" | "counts" | "headers">;

/** Parses a line beginning with `@@`: where the following hunk belongs. */
export function readHunkHeader(raw: string): HunkHeader {
  const words = raw.replace(/^@@+/, "").trim();
  const ranges = /^-(\d+)(?:,(\d+))?(?:\s+\+(\d+)(?:,(\d+))?)?\s*(?:@@+|$)(.*)$/.exec(words);
  if (ranges) {
    const [, old = "", oldCount = "1", made, madeCount = "1", heading = ""] = ranges;
    const start = { oldStart: Number(old), headers: headersIn(heading) };
    if (made === undefined) return start;
    return { ...start, newStart: Number(made), counts: { old: Number(oldCount), new: Number(madeCount) } };
  }
  const bare = words.replace(/\s*@@+$/, "");
  const line = /^(?:lines?\s+|L)?(\d+)(?:\s*[-,:]\s*\d+)?:?$/i.exec(bare);
  return line ? { oldStart: Number(line[1]), headers: [] } : { headers: headersIn(bare) };
}

function headersIn(words: string): string[] {
  const header = words.trim();
  return /[\p{L}\p{N}]/u.test(header) ? [header] : [];
}
