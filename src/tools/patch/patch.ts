/** A patch as it was read: what is to happen to which files, whatever the format it was written in. */

/** How a line ends: the last one of a file may lack its line feed. */
export type Ending = "\n" | "\r\n" | "\r" | "";

/** `text` is without the sign in front of it and without its ending. */
export type PatchLine = { kind: "context" | "removed" | "added"; text: string; ending: Ending };

export type Counts = { old: number; new: number };

export type Hunk = {
  /** The line of the patch, from 1, that it begins at. */
  at: number;
  lines: PatchLine[];
  /** Lines of the file that stand somewhere above it, outermost first. */
  headers: string[];
  /** The line, from 1, that it begins at in the old and the new file, as the patch tells. */
  oldStart?: number;
  newStart?: number;
  /** How many lines it has in the old and the new file, as the patch tells. */
  counts?: Counts;
  /** It is said to end where the file ends. */
  atEnd: boolean;
};

export type Section = {
  /** The line of the patch, from 1, that it begins at. */
  at: number;
  does: "add" | "delete" | "update" | "copy";
  /** As it is written. */
  path: string;
  /** Other readings of the name: the one at which there is a file is meant. */
  otherPaths: string[];
  /** Where the file is moved or copied to. */
  to?: string;
  /** Whether it is made a program or made none: the only part of a mode that git keeps. */
  runs?: boolean;
  hunks: Hunk[];
};

/** Every path that the patch may touch, as it is written. */
export function pathsOf(sections: readonly Section[]): string[] {
  const all = sections.flatMap(({ path, otherPaths, to }) => [
    path,
    ...otherPaths,
    ...(to === undefined ? [] : [to]),
  ]);
  return [...new Set(all)];
}

/** What stands in the file before, or after, the hunk is applied. */
export const oldLines = ({ lines }: Hunk): PatchLine[] => lines.filter(({ kind }) => kind !== "added");
export const newLines = ({ lines }: Hunk): PatchLine[] => lines.filter(({ kind }) => kind !== "removed");

/** A line of a hunk as it is written there: its first character tells what happens to it. */
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
      // The space in front was forgotten: what is no context is not found in the file.
      return { kind: "context", text, ending };
  }
}

/** A line cut at the line feeds; a carriage return at its end is part of its ending. */
export function withEnding(raw: string): { text: string; ending: Ending } {
  return raw.endsWith("\r") ? { text: raw.slice(0, -1), ending: "\r\n" } : { text: raw, ending: "\n" };
}

/** What `\ No newline at end of file` says of the line above it. */
export function withoutNewline(line: PatchLine): PatchLine {
  return { ...line, ending: line.ending === "\r\n" || line.ending === "\r" ? "\r" : "" };
}

export const isNoNewlineMark = (raw: string): boolean => /^\\ ?no newline/i.test(raw);

type HunkHeader = Pick<Hunk, "oldStart" | "newStart" | "counts" | "headers">;

/** What a line beginning with `@@` says of the place of the hunk below it. */
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
