/** Formats a turn's changes as lines: what it did to each file, the current status, and what prevents an undo. */

import { visibleLine, visiblePreview } from "../base/visible-text.ts";
import type { OnConflict, UndoConflict } from "../protocol/commands.ts";
import type { Checkpoint, CheckpointFile, Status } from "../protocol/fold-changes.ts";
import type { Badge } from "./blocks.ts";
import { diffLine } from "./diff-card.ts";
import { badgeText, type Style } from "./plain.ts";

/** A checkpoint with the visible hunks of each file. */
export type ReviewedChanges = Omit<Checkpoint, "files"> & {
  files: readonly (CheckpointFile & {
    hunks: readonly { number: number; text: string }[];
    /** Why there are no hunks. */
    problem?: string;
    conflict?: UndoConflict;
  })[];
};

/** `said` is the person's request, `uncovered` the other changes, which cannot be undone. */
export type ReviewContext = { said?: string; uncovered?: readonly string[] };

export function reviewLines(review: ReviewedChanges, style: Style, about: ReviewContext = {}): string[] {
  const { turn, id, directories } = review;
  const files = review.files.map((file) => ({ ...file, ...linesIn(file) }));
  const badge = {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
  const facts = [
    style.bold(`Request ${turn}`),
    statusWords(review),
    ...(files.length > 1 ? [`${files.length} files`] : []),
    badgeText(badge, style),
    style.dim(id),
  ];
  const { said = "", uncovered = [] } = about;
  const request = said === "" ? [] : [style.dim(`> ${visibleLine(said)}`)];
  return [
    facts.join(" · "),
    ...request,
    ...uncovered.map((words) => style.yellow(`! undo does not cover: ${visibleLine(words)}`)),
    ...(directories.length > 0 ? [""] : []),
    ...directories.map((directory) => fileHeading(directory, review.status, style)),
    ...files.flatMap((file) => ["", ...fileLines(file, review.status, style)]),
  ];
}

/** Counts the lines of the shown hunks: a line that was changed twice counts once. */
function linesIn({ hunks, added, removed }: ReviewedChanges["files"][number]): Badge {
  if (hunks.length === 0) return { added, removed };
  const lines = hunks.flatMap(({ text }) => text.split("\n").slice(1));
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

/** "applied", or what a person has done with the change since. */
export function statusWords({
  status,
  files,
}: {
  status: Status;
  files: readonly { status: Status }[];
}): string {
  const isTouched = files.some((file) => file.status === "undone" || file.status === "partial");
  if (status === "partial" && files.length > 0 && !isTouched) return "partly kept";
  return words[status];
}

const words: Readonly<Record<Status, string>> = {
  pending: "applied",
  kept: "kept",
  undone: "undone",
  partial: "partly undone",
};

function fileLines(file: ReviewedChanges["files"][number], whole: Status, style: Style): string[] {
  const { conflict, problem, hunks } = file;
  const since = conflict && `! ${visibleLine(sinceWords(conflict))}: undo will ask what becomes of that`;
  return [
    fileHeading(file, whole, style),
    ...(since === undefined ? [] : [style.yellow(`  ${since}`)]),
    ...(problem === undefined ? [] : [style.dim(`  ${withoutHunks({ ...file, problem })}`)]),
    ...hunks.flatMap((hunk) => hunkLines(hunk, style)),
  ];
}

/** Why a file is shown without hunks. */
export const withoutHunks = ({ status, problem }: { status: Status | "none"; problem: string }): string =>
  status === "kept" ? "kept: nothing left to undo" : `no hunks: ${visibleLine(problem)}`;

/** Shows the file's status only where it differs from that of the whole request. */
export function fileHeading(
  { path, kind, action, mode, status, ...badge }: CheckpointFile,
  whole: Status,
  style: Style,
): string {
  const name = kind === "directory" ? `${path}/` : path;
  const parts = [
    style.bold(visibleLine(name)),
    kind === "link" ? `${action} link` : action,
    ...(mode ? [`mode ${octal(mode.before)} → ${octal(mode.after)}`] : []),
    ...(status === whole ? [] : [words[status]]),
    ...(kind === "file" && badge.added + badge.removed > 0 ? [badgeText(badge, style)] : []),
  ];
  return parts.join(" · ");
}

export const octal = (mode: number): string => mode.toString(8).padStart(3, "0");

export function hunkLines({ number, text }: { number: number; text: string }, style: Style): string[] {
  const [header = "", ...lines] = visiblePreview(text).replace(/\n$/u, "").split("\n");
  return [
    style.cyan(`  hunk ${number}  ${header}`),
    // A line of the file may look like a diff header.
    ...lines.map((line) => `  ${/^[-+]/u.test(line) ? colourLine(line, style) : diffLine(line, style)}`),
  ];
}

const colourLine = (line: string, style: Style): string =>
  line.startsWith("+") ? style.green(line) : style.red(line);

/** What changed the file since, as far as known: "request 5 has changed it since (+1 −0)". */
export function sinceWords(conflict: UndoConflict): string {
  const since = conflict.kind === "later-work" ? " since" : "";
  return `${conflict.because}${since}${sinceBadge(conflict)}`;
}

const sinceBadge = ({ since }: UndoConflict): string =>
  since === undefined ? "" : ` (+${since.added} −${since.removed})`;

/** The undo that was requested, and how to repeat it with a choice. */
type Retry = {
  turn: number;
  files: readonly CheckpointFile[];
  /** Absent where the surface asks the person interactively. */
  again?: (way: OnConflict, turn: number) => string;
};

/** The three-way choice: what the turn did to each file, what changed since, and how to proceed. */
export function conflictLines(
  conflicts: readonly UndoConflict[],
  { turn, files: changed, again }: Retry,
  style: Style,
): string[] {
  const files = inTheWay(conflicts);
  const ways = choicesOf(conflicts);
  const commands = ways.map((way) => again?.(way, turn) ?? way);
  const width = Math.max(0, ...commands.map(({ length }) => length));
  return [
    style.yellow(
      again ? `! Nothing was changed: ${files}.` : `! ${capital(files)}; nothing was changed yet.`,
    ),
    ...conflicts
      .slice(0, shownConflicts)
      .flatMap((conflict) => [
        style.bold(`  ${visibleLine(conflict.path)}`),
        `    request ${turn}: ${didWords(changed.find(({ path }) => path === conflict.path))}`,
        `    ${inTheWayLine(conflict)}`,
      ]),
    ...(conflicts.length > shownConflicts ? [`  and ${conflicts.length - shownConflicts} more`] : []),
    ...ways.map((way, at) => `  ${visibleLine((commands[at] ?? "").padEnd(width))}  ${wayWords[way]}`),
  ];
}

/** Undoing a formatter's run can conflict in very many files. */
const shownConflicts = 10;

/** The choices that are valid for all of the conflicts. */
export const choicesOf = (conflicts: readonly UndoConflict[]): OnConflict[] =>
  (["skip", "restore", "merge"] as const).filter((way) =>
    conflicts.every(({ choices }) => choices.includes(way)),
  );

export const wayWords: Readonly<Record<OnConflict, string>> = {
  skip: "leave it, undo the rest",
  restore: "bring back what was before, without the later work",
  merge: "take out only the request's lines, keep the later ones",
};

function inTheWayLine(conflict: UndoConflict): string {
  const words = visibleLine(conflict.because + sinceBadge(conflict));
  return conflict.kind === "later-work" ? `since then: ${words}` : `but: ${words}`;
}

function inTheWay(conflicts: readonly UndoConflict[]): string {
  const isOne = conflicts.length === 1;
  const files = isOne ? "a file" : `${conflicts.length} files`;
  const isLaterWork = conflicts.every(({ kind }) => kind === "later-work");
  return isLaterWork ? `${files} ${isOne ? "has" : "have"} later work` : `${files} cannot simply be restored`;
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Describes what a request did to a file. */
export function didWords(
  file: Pick<CheckpointFile, "action" | "kind" | "added" | "removed"> | undefined,
): string {
  if (!file) return "changed it";
  return `${file.action} it${file.kind === "file" ? ` (${plainBadge(file)})` : ""}`;
}

const plainBadge = ({ added, removed }: Badge): string => `+${added} −${removed}`;

/** What remains applied of a partly undone turn; empty if all or nothing remains. */
export function leftLines({ turn, files }: { turn: number; files: readonly CheckpointFile[] }): string[] {
  const left = files.filter(({ status }) => status === "pending" || status === "partial");
  if (left.length === 0 || (left.every(({ status }) => status === "pending") && left.length === files.length))
    return [];
  const names = left
    .slice(0, shownConflicts)
    .map(({ path, status }) => (status === "partial" ? `${visibleLine(path)} (in part)` : visibleLine(path)));
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : "";
  return [`Request ${turn} is partly undone; still applied: ${names.join(", ")}${more}.`];
}
