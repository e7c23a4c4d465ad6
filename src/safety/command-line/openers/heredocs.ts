/** How the second scanner reads heredocs: delimiters, and bodies after the end of the line. */

import { afterContinuations, type Commands, giveUp, type Heredoc, isWary, type Scan } from "./scan.ts";

/** Reads the delimiter after `<<`. The body follows when the line ends. */
export function readDelimiter(scan: Scan, frame: Commands): void {
  const { text } = scan;
  const isIndented = text[scan.at] === "-";
  let start = isIndented ? scan.at + 1 : scan.at;
  for (let before = -1; before !== start;) {
    before = start;
    while (text[start] === " " || text[start] === "\t") start += 1;
    start = afterContinuations(text, start);
  }
  const end = delimiterEnd(text, start);
  const raw = text.slice(start, end);
  scan.at = end;
  // What a substitution or a line break in a delimiter means differs from shell to shell.
  if (isWary(frame) || /[`\n]|\$(?:\{|$)/u.test(raw.replaceAll("\\\n", ""))) return giveUp(scan);
  if (raw === "") return;
  const delimiter = withoutQuotes(raw);
  if (delimiter === undefined || frame.heredocs.length >= mostHeredocs) return giveUp(scan);
  frame.hadHeredoc = true;
  frame.heredocs.push({ delimiter, isQuoted: /[\\'"]/u.test(raw.replaceAll("\\\n", "")), isIndented });
}

/** The limit for heredocs on one line. */
const mostHeredocs = 64;

function delimiterEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !" \t\n;&|<>()".includes(text[at] ?? "")) {
    const character = text[at];
    if (character === "\\") at += 2;
    else if (character === "'" || character === '"') {
      const close = text.indexOf(character, at + 1);
      at = close < 0 ? text.length : close + 1;
    } else at += 1;
  }
  return Math.min(at, text.length);
}

/** Undefined if the delimiter is unclear. */
function withoutQuotes(raw: string): string | undefined {
  if (/["'][^"']*\\/u.test(raw)) return undefined;
  return raw
    .replaceAll("\\\n", "")
    .replaceAll(/\$(?=["'])/gu, "")
    .replaceAll(
      /"([^"]*)"|'([^']*)'|\\(.)/gsu,
      (_, double?: string, single?: string, escaped?: string) => double ?? single ?? escaped ?? "",
    );
}

/** Reads the bodies, which begin after the line's end, at the current position. */
export function readBodies(scan: Scan, frame: Commands): void {
  const isInArray = frame.groups.some(({ kind }) => kind === "array");
  if (isInArray && frame.heredocs.length > 0) return giveUp(scan);
  for (const heredoc of frame.heredocs.splice(0)) {
    const start = scan.at;
    const end = bodyEnd(scan, heredoc, frame.isNested);
    if (!heredoc.isQuoted) scan.count += scan.inside(scan.text.slice(start, end), "body");
  }
}

/** Advances past the body and its delimiter. Without a delimiter, the body ends with the text. */
function bodyEnd(scan: Scan, { delimiter, isQuoted, isIndented }: Heredoc, isNested: boolean): number {
  const { text } = scan;
  while (scan.at < text.length) {
    const start = scan.at;
    const end = isQuoted ? lineEnd(text, start) : logicalLineEnd(text, start);
    const line = isQuoted ? text.slice(start, end) : text.slice(start, end).replaceAll("\\\n", "");
    scan.at = end + 1;
    const candidates = isIndented ? [line, line.replace(/^\t+/u, "")] : [line];
    if (candidates.includes(delimiter)) return start;
    // Whether `EOF)` ends a body in a substitution differs from shell to shell.
    if (isNested && candidates.some((candidate) => endsInSubstitution(candidate, delimiter))) giveUp(scan);
  }
  return text.length;
}

const endsInSubstitution = (line: string, delimiter: string): boolean =>
  line.startsWith(delimiter) && line.includes(")", delimiter.length);

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** A backslash at the end of a line joins the next line to it. */
function logicalLineEnd(text: string, start: number): number {
  let end = lineEnd(text, start);
  while (end < text.length && backslashesBefore(text, end) % 2 === 1) end = lineEnd(text, end + 1);
  return end;
}

function backslashesBefore(text: string, end: number): number {
  let at = end;
  while (text[at - 1] === "\\") at -= 1;
  return end - at;
}
