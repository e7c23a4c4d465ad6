/** Extracts a patch from whatever models wrap around it, and detects its format. */

import { mib } from "../../base/bound.ts";
import { type Expected, refuse } from "../../base/expected.ts";

type PatchFormat = "envelope" | "unified";

/** `lines` have no line feeds; they are numbered as in the given patch. `from`: where the patch begins. */
type BarePatch = { shape: PatchFormat; lines: string[]; from: number };

export const fileMarker =
  /^\*\*\* ?(add|create|new|update|modify|edit|delete|remove|move|rename|copy) file:[ \t]*(.*)$/i;
export const beginMarker = /^\*\*\* ?begin (?:of )?patch\b/i;
export const endMarker = /^\*\*\* ?end (?:of )?patch\b/i;

export function unwrap(patch: string): Expected<BarePatch> {
  if (patch.trim() === "") return refuse("The patch is empty; nothing was changed.");
  if (patch.length > longestPatch || linesIn(patch) > mostLines)
    return refuse("The patch is too long; split it into several. Nothing was changed.");
  if (!patch.isWellFormed())
    return refuse(
      "The patch holds half of a character (a lone surrogate) and was refused; nothing was changed.",
    );
  const lines = withoutIndent(linesOf(patch));
  const from = lines.findIndex((_, at) => shapeAt(lines, at) !== undefined);
  const shape = shapeAt(lines, from);
  if (shape === undefined) return refuse(noPatch(lines));
  return { ok: true, value: { shape, lines: withoutWrapper(lines, from), from } };
}

/** A patch, in characters. */
const longestPatch = 32 * mib;
const mostLines = 2_000_000;

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** If every line ends in CRLF, that comes from transport; a single carriage return belongs to the file. */
function linesOf(patch: string): string[] {
  const lines = patch.replace(/^\uFEFF/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const isCarriedSo = lines.every((line, at) => line.endsWith("\r") || at === lines.length - 1);
  return isCarriedSo ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}

/** Removes indentation of the whole patch, as inside a code block or list. */
function withoutIndent(lines: string[]): string[] {
  const first = lines.findIndex((line) => shapeOfIndented.test(line));
  const indent = /^[ \t]*/.exec(lines[first] ?? "")?.[0] ?? "";
  if (indent === "" || lines.some((_, at) => shapeAt(lines, at) !== undefined)) return lines;
  const isWhole = lines.slice(first).every((line) => line.startsWith(indent) || line.trim() === "");
  return isWhole ? lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)) : lines;
}

const shapeOfIndented = /^[ \t]+(?:\*\*\* (?:begin patch|\w+ file:)|diff --git |--- \S)/i;

function shapeAt(lines: readonly string[], at: number): PatchFormat | undefined {
  const line = lines[at] ?? "";
  if (beginMarker.test(line) || fileMarker.test(line)) return "envelope";
  if (line.startsWith("diff --git ")) return "unified";
  return isFileHeader(lines, at) ? "unified" : undefined;
}

/** A pair of `---` and `+++` lines. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? "") && /^\+\+\+ \S/.test(lines[at + 1] ?? "");
}

/** Cuts the lines at the end of the code fence or here-document around the patch. */
function withoutWrapper(lines: string[], from: number): string[] {
  const above = lines.slice(Math.max(0, from - 20), from);
  const word = above.map((line) => /<<-?\s*\\?(["']?)([A-Za-z_]\w*)\1/.exec(line)?.[2]).findLast(Boolean);
  const closing = word === undefined ? -1 : lines.findIndex((line, at) => at > from && line.trim() === word);
  const within = closing === -1 ? lines : lines.slice(0, closing);
  if (!above.some((line) => fence.test(line))) return within;
  const last = within.findLastIndex((line) => closingFence.test(line));
  return last > from ? within.slice(0, last) : within;
}

const fence = /^\s*(?:```|~~~)/;
export const closingFence = /^(?:```|~~~)\s*$/;

function noPatch(lines: readonly string[]): string {
  const forms =
    "Begin with `*** Begin Patch` and `*** Update File: path`, or with `--- a/path` and `+++ b/path`";
  if (lines.some((line) => line.startsWith("***************")))
    return `This is a context diff, which is not understood. ${forms}; nothing was changed.`;
  if (lines.some((line) => line.startsWith("@@")))
    return `The patch names no file. ${forms}; nothing was changed.`;
  if (lines.length === 1 && lines[0]?.includes("\\n"))
    return `The patch is one line with "\\n" spelled out. Send it with real line breaks; nothing was changed.`;
  return `This is no patch. ${forms}; nothing was changed.`;
}
