/** Parses unified diffs as git, `diff -u` and models write them: file headers, and hunks with line numbers. */

import { type Expected, refuse } from "../../base/expected.ts";
import {
  type PatchHunk,
  isNoNewlineMark,
  readHunkHeader,
  type Section,
  type HunkCounts,
  hunkLine,
  type PatchLine,
  withoutNewline,
} from "./patch.ts";
import { nameIn, type DiffNames, namesInGitLine, pathsIn } from "./unified-names.ts";
import { isFileHeader, closingFence, endMarker } from "./unwrap.ts";

/** The header above a file's hunks. */
type FileHeader = {
  at: number;
  names: DiffNames;
  /** The first line was `diff --git`. */
  git: boolean;
  does?: "add" | "delete" | "rename" | "copy";
  mode?: string;
  hunks: PatchHunk[];
};

type DiffState = { lines: readonly string[]; at: number; files: FileHeader[]; open: FileHeader | undefined };

export function readUnified(lines: readonly string[], from: number): Expected<Section[]> {
  const reading: DiffState = { lines, at: from, files: [], open: undefined };
  while (reading.at < lines.length) {
    const problem = readNext(reading);
    if (problem !== undefined)
      return refuse(`Line ${reading.at + 1} of the patch ${problem}; nothing was changed.`);
  }
  const sections: Section[] = [];
  for (const file of reading.files) {
    const section = sectionOf(file);
    if (!section.ok) return section;
    sections.push(section.value);
  }
  if (sections.length === 0) return refuse("The patch changes no file; nothing was changed.");
  return { ok: true, value: sections };
}

/** Consumes the construct at the reading position; the problem is the end of a sentence. */
function readNext(reading: DiffState): string | undefined {
  const line = (reading.lines[reading.at] ?? "").replace(/\r$/, "");
  if (line.startsWith("diff --git ")) {
    openHeader(reading, { git: true, names: namesInGitLine(line.slice("diff --git ".length)) });
    reading.at++;
    return undefined;
  }
  if (isFileHeader(reading.lines, reading.at)) return readNames(reading);
  if (line.startsWith("@@")) return readHunk(reading);
  if (isBetweenFiles(line)) reading.open = undefined;
  const { open } = reading;
  const problem = open?.git && open.hunks.length === 0 ? readExtended(open, line) : undefined;
  if (problem !== undefined) return problem;
  if (open && open.hunks.length > 0 && /^[+-]/.test(line)) return "belongs to no hunk";
  reading.at++;
  return undefined;
}

/** The end of an e-mail, the head of the next one, or the next file: free text may follow. */
const isBetweenFiles = (line: string): boolean =>
  /^(?:-- ?$|From [0-9a-f]{7,} |Index: |diff |Only in )/.test(line);

function openHeader(reading: DiffState, about: Pick<FileHeader, "git" | "names">): FileHeader {
  const file: FileHeader = { at: reading.at + 1, hunks: [], ...about };
  reading.files.push(file);
  reading.open = file;
  return file;
}

function readNames(reading: DiffState): undefined {
  const isOfOpen =
    reading.open?.git && reading.open.hunks.length === 0 && reading.open.names.before === undefined;
  const file = isOfOpen && reading.open ? reading.open : openHeader(reading, { git: false, names: {} });
  const [before = "", after = ""] = reading.lines.slice(reading.at, reading.at + 2);
  file.names = { ...file.names, before: nameIn(before.slice(4)), after: nameIn(after.slice(4)) };
  reading.at += 2;
  return undefined;
}

function readHunk(reading: DiffState): string | undefined {
  const { lines, at, open } = reading;
  const line = (lines[at] ?? "").replace(/\r$/, "");
  if (line.startsWith("@@@") && /^@@@+ -.* -/.test(line))
    return "is of a diff of a merge, which cannot be applied";
  if (!open) return "begins a hunk, but no file was named for it";
  const header = readHunkHeader(line);
  const body = readHunkBody(lines, at + 1, header.counts);
  const hunk: PatchHunk = { at: at + 1, ...header, lines: body.lines, atEnd: body.atEnd };
  if (hunk.lines.length > 0) open.hunks.push(hunk);
  reading.at = body.next;
  return isNoNewlineMark(lines[at + 1] ?? "") ? "speaks of a line that is not there" : undefined;
}

/** Parses a line that git writes between the names and the hunks. */
function readExtended(file: FileHeader, line: string): string | undefined {
  const found = /^(rename|copy) (from|to) (.+)$/.exec(line);
  if (found) {
    const [, does = "", way, name = ""] = found;
    file.does = does === "copy" ? "copy" : "rename";
    file.names[way === "from" ? "from" : "to"] = nameIn(name);
    return undefined;
  }
  const mode = /^(new file|deleted file|new|old) mode (\d+)$/.exec(line);
  const [, which, digits = ""] = mode ?? [];
  if (which === "new file") file.does = "add";
  if (which === "deleted file") file.does = "delete";
  if (which === "new" || which === "new file") file.mode = digits;
  const kind = mode ? digits : /^index [0-9a-f]+\.\.[0-9a-f]+ (\d+)$/.exec(line)?.[1];
  if (kind === "120000") return "changes a symbolic link, which is not done by patches";
  if (kind === "160000") return "changes a submodule, which is not done by patches";
  if (line.startsWith("GIT binary patch") || /^Binary files .* differ$/.test(line))
    return "is binary; only patches of text can be applied";
  return undefined;
}

function sectionOf(file: FileHeader): Expected<Section> {
  const paths = pathsIn(file.names, file.does);
  if (!paths) return refuse(`The patch names no file at its line ${file.at}; nothing was changed.`);
  const { path, otherPaths, to } = paths;
  const does = file.does ?? paths.does;
  if (does === "update" && file.hunks.length === 0 && file.mode === undefined)
    return refuse(`The patch says nothing of what to change in ${path}; nothing was changed.`);
  const mode = file.mode === undefined ? {} : { runs: (Number.parseInt(file.mode, 8) & 0o100) !== 0 };
  const moved = to === undefined ? {} : { to };
  const section = { at: file.at, path, otherPaths, ...moved, ...mode, hunks: file.hunks };
  return { ok: true, value: { ...section, does: does === "rename" ? "update" : does } };
}

/** `next`: the line (from 0) after the hunk. `atEnd`: it claims to reach the end of the old file. */
type HunkBody = { lines: PatchLine[]; next: number; atEnd: boolean };

/** Finds the end of a unified diff's hunk: by its counts, or by its lines if the counts are wrong. */
function readHunkBody(lines: readonly string[], from: number, counts: HunkCounts | undefined): HunkBody {
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
