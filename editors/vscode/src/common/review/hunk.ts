/** A hunk of a review, read into its lines and the replacements it stands for. */

/** `mark`: in both versions, only before, or only after. The text has no line end. */
type HunkLine = { mark: " " | "-" | "+"; text: string };

/** `removed` was replaced by `added`, `at` lines after the first line of the hunk's new version. */
type HunkReplacement = { at: number; removed: readonly string[]; added: readonly string[] };

export type ReviewHunk = {
  turn: number;
  path: string;
  /** As `undo` expects it; other hunks get other numbers once one is undone. */
  number: number;
  /** Stays the same while the hunk's lines do. */
  key: string;
  /** The first line of its new version, from 0, in the text that the request left. */
  nowAt: number;
  /** The lines of its new version: what was added, with the lines around it. */
  now: readonly string[];
  /** How many of them come before the first replacement, and after the last one. */
  lead: number;
  trail: number;
  replacements: readonly HunkReplacement[];
  /** Whether the old text ended with a line end, where the hunk changes that. */
  oldEnd?: "line-end" | "open";
};

type HunkSource = { turn: number; path: string; hunks: readonly { number: number; text: string }[] };

/** The hunks of one request's change to one file. */
export function readHunks({ turn, path, hunks }: HunkSource): ReviewHunk[] {
  const seen = new Map<string, number>();
  return hunks.map(({ number, text }) => {
    const [header = "", ...body] = text.split("\n");
    const same = body.join("\n");
    const before = seen.get(same) ?? 0;
    seen.set(same, before + 1);
    const key = JSON.stringify([turn, path, digest(same), before]);
    return { turn, path, number, key, ...placeIn(header), ...linesIn(body) };
  });
}

export const addedIn = ({ replacements }: ReviewHunk): number =>
  sum(replacements.map(({ added }) => added.length));
export const removedIn = ({ replacements }: ReviewHunk): number =>
  sum(replacements.map(({ removed }) => removed.length));

function placeIn(header: string): { nowAt: number } {
  const [, start = "1", length = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(header) ?? [];
  return { nowAt: length === "0" ? Number(start) : Number(start) - 1 };
}

function linesIn(body: readonly string[]): Omit<ReviewHunk, "turn" | "path" | "number" | "key" | "nowAt"> {
  const lines = body.flatMap(lineOf);
  const now = lines.flatMap(({ mark, text }) => (mark === "-" ? [] : [text]));
  const oldEnd = oldEndOf(body);
  return {
    now,
    lead: sameAtStart(lines),
    trail: sameAtStart(lines.toReversed()),
    replacements: replacementsIn(lines),
    ...(oldEnd === undefined ? {} : { oldEnd }),
  };
}

function lineOf(line: string): HunkLine[] {
  const mark = line[0];
  return mark === " " || mark === "-" || mark === "+" ? [{ mark, text: plainLine(line.slice(1)) }] : [];
}

/** As an editor has it: without the rest of a line end, and without a byte order mark. */
export const plainLine = (line: string): string => line.replace(/\r$/u, "").replace(/^\uFEFF/u, "");

function replacementsIn(lines: readonly HunkLine[]): HunkReplacement[] {
  const found: { at: number; removed: string[]; added: string[] }[] = [];
  let [at, isOpen] = [0, false];
  for (const { mark, text } of lines) {
    if (mark !== " " && !isOpen) found.push({ at, removed: [], added: [] });
    isOpen = mark !== " ";
    if (mark === "-") found.at(-1)?.removed.push(text);
    if (mark === "+") found.at(-1)?.added.push(text);
    if (mark !== "-") at += 1;
  }
  return found;
}

function sameAtStart(lines: readonly HunkLine[]): number {
  const first = lines.findIndex(({ mark }) => mark !== " ");
  return first === -1 ? lines.length : first;
}

/** The note "No newline at end of file" is about the line before it. */
function oldEndOf(body: readonly string[]): ReviewHunk["oldEnd"] {
  const noted = body.flatMap((line, at) => (line.startsWith("\\") ? [body[at - 1]?.[0] ?? ""] : []));
  if (noted.includes(" ") || noted.length === 0) return undefined;
  const isOpen = { old: noted.includes("-"), now: noted.includes("+") };
  if (isOpen.old === isOpen.now) return undefined;
  return isOpen.old ? "open" : "line-end";
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** FNV-1a over UTF-16 units, with the length: enough to tell the hunks of one file apart. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(16)}`;
}
