/**
 * Parses the `*** Begin Patch` format: sections that add, update, delete and move files, with hunks located by content.
 */

import { type Expected, refuse } from "../../base/expected.ts";
import {
  type PatchHunk,
  hunkLine,
  isNoNewlineMark,
  type PatchLine,
  readHunkHeader,
  type Section,
  withEnding,
  withoutNewline,
} from "./patch.ts";
import { beginMarker, endMarker, fileMarker, isFileHeader } from "./unwrap.ts";

const moveMarker = /^\*\*\* ?(?:move|rename|copy) to:[ \t]*(.*)$/i;
const endOfFile = /^\*\*\* ?end of file\b/i;
const unknownMarker = /^\*\*\* ?[A-Za-z]/;

/** The section being read: `blank` counts blank lines whose meaning depends on what follows. */
type SectionState = { section: Section; hunk?: PatchHunk | undefined; blank: number; isUnsigned?: boolean };

export function readEnvelope(lines: readonly string[], from: number): Expected<Section[]> {
  const sections: Section[] = [];
  let reading: SectionState | undefined;
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? "").replace(/\r$/, "");
    const file = fileMarker.exec(line);
    if (beginMarker.test(line) || endMarker.test(line)) {
      reading = undefined;
    } else if (file) {
      const section = sectionOf(file[1] ?? "", file[2] ?? "", at);
      if (!section.ok) return section;
      sections.push(section.value);
      reading = { section: section.value, blank: 0 };
    } else if (reading && isFileHeader(lines, at) && reading.section.hunks.length === 0) {
      at++;
    } else if (reading) {
      const problem = readLine(reading, { raw: lines[at] ?? "", line, at });
      if (problem !== undefined)
        return refuse(`Line ${at + 1} of the patch ${problem}; nothing was changed.`);
    }
  }
  for (const section of sections)
    section.hunks = section.hunks.filter(({ lines: written }) => written.length > 0);
  const wrong = sections.map(problemOf).find((problem) => problem !== undefined);
  if (wrong !== undefined) return refuse(wrong);
  if (sections.length > 0) return { ok: true, value: sections };
  return refuse("The patch changes no file: between its marks there is none; nothing was changed.");
}

function sectionOf(verb: string, written: string, at: number): Expected<Section> {
  const name = withoutQuotes(written);
  if (name === "") return refuse(`Line ${at + 1} of the patch names no file; nothing was changed.`);
  const section = { at: at + 1, otherPaths: [], hunks: [] };
  switch (verb.toLowerCase()) {
    case "add":
    case "create":
    case "new":
      return { ok: true, value: { ...section, does: "add", path: name } };
    case "delete":
    case "remove":
      return { ok: true, value: { ...section, does: "delete", path: name } };
    case "move":
    case "rename":
    case "copy": {
      const [path = "", to] = name.split(/\s+(?:->|=>|→|to)\s+/).map(withoutQuotes);
      const does = verb.toLowerCase() === "copy" ? "copy" : "update";
      return { ok: true, value: { ...section, does, path, to } };
    }
    default:
      return { ok: true, value: { ...section, does: "update", path: name } };
  }
}

function withoutQuotes(written: string): string {
  const name = written.trim();
  return /^(["'`])(.+)\1$/.exec(name)?.[2] ?? name;
}

type EnvelopeLine = { raw: string; line: string; at: number };

/** Returns what is wrong with the line, as the end of a sentence. */
function readLine(reading: SectionState, here: EnvelopeLine): string | undefined {
  const { section } = reading;
  const target = moveMarker.exec(here.line);
  if (target) {
    if (section.does !== "update") return "moves a file that is not updated";
    section.to = withoutQuotes(target[1] ?? "");
    return section.to === "" ? "names no file" : undefined;
  }
  if (endOfFile.test(here.line)) {
    if (reading.hunk) reading.hunk.atEnd = true;
    reading.hunk = undefined;
    reading.blank = 0;
    return undefined;
  }
  if (unknownMarker.test(here.line)) return `has a mark that is not known: ${here.line.slice(0, 60)}`;
  return section.does === "add" ? readAdded(reading, here) : readHunkLine(reading, here);
}

/** A line of a new file. Blank lines at its end or inside may have lost their "+"; or all lines have. */
function readAdded(reading: SectionState, { raw, line, at }: EnvelopeLine): string | undefined {
  if (line.startsWith("@@") && reading.isUnsigned !== true) return undefined;
  const hunk = (reading.hunk ??= beginHunk(reading.section, { at: at + 1, headers: [] }));
  if (line.trim() === "") {
    reading.blank++;
    return undefined;
  }
  if (isNoNewlineMark(line)) return dropFinalNewline(hunk);
  const isFirst = hunk.lines.length === 0;
  if (isFirst) reading.isUnsigned = isPlainText(line);
  if (line.startsWith("+") === (reading.isUnsigned === true))
    return isFirst || reading.isUnsigned !== true
      ? `does not begin with "+", as every line of a new file must`
      : `begins with "+" and those before it do not: put "+" before every line of a new file`;
  const blanks = isFirst && reading.isUnsigned === true ? 0 : reading.blank;
  reading.blank = 0;
  for (let left = blanks; left > 0; left--) hunk.lines.push({ kind: "added", text: "", ending: "\n" });
  hunk.lines.push(reading.isUnsigned === true ? { kind: "added", ...withEnding(raw) } : hunkLine(raw));
  return undefined;
}

/** Whether the line can be neither part of a hunk nor a wrapper around one. */
const isPlainText = (line: string): boolean => /^[^\s+\\@-]/.test(line) && !/^(?:```|~~~)/.test(line);

/** Blank lines between hunks or sections are not context unless another hunk line follows. */
function readHunkLine(reading: SectionState, { raw, line, at }: EnvelopeLine): string | undefined {
  const { section } = reading;
  if (line.startsWith("@@")) {
    const { headers, ...starts } = readHunkHeader(line);
    const open = reading.hunk?.lines.length === 0 ? reading.hunk : undefined;
    reading.blank = 0;
    if (open) Object.assign(open, { ...starts, headers: [...open.headers, ...headers] });
    else reading.hunk = beginHunk(section, { at: at + 1, ...starts, headers });
    return undefined;
  }
  if (line === "") {
    reading.blank++;
    return undefined;
  }
  if (section.does === "delete" && !reading.hunk && !line.startsWith("-"))
    return "stands below a file that is deleted: nothing may follow there";
  if (!reading.hunk) reading.blank = 0;
  const hunk = (reading.hunk ??= beginHunk(section, { at: at + 1, headers: [] }));
  if (isNoNewlineMark(line)) return dropFinalNewline(hunk);
  for (; reading.blank > 0; reading.blank--) hunk.lines.push(blankLine(raw));
  hunk.lines.push(hunkLine(raw));
  return undefined;
}

const blankLine = (neighbour: string): PatchLine => ({
  kind: "context",
  text: "",
  ending: withEnding(neighbour).ending,
});

function beginHunk(section: Section, start: Omit<PatchHunk, "lines" | "atEnd">): PatchHunk {
  const hunk: PatchHunk = { ...start, lines: [], atEnd: false };
  section.hunks.push(hunk);
  return hunk;
}

function dropFinalNewline(hunk: PatchHunk): string | undefined {
  const last = hunk.lines.pop();
  if (!last) return "speaks of a line that is not there";
  hunk.lines.push(withoutNewline(last));
  hunk.atEnd = true;
  return undefined;
}

function problemOf({ does, path, to, hunks }: Section): string | undefined {
  if (does === "copy" && to === undefined)
    return `The patch does not say what ${path} is copied to; nothing was changed.`;
  if (does === "update" && to === undefined && hunks.length === 0)
    return `The patch says nothing of what to change in ${path}; nothing was changed.`;
  return undefined;
}
