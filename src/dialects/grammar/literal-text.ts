/** Parses the strings in calls: Python and JSON quoting, and delimiters in which nothing is escaped. */

import { guessedEnd, spaceEnd, takeMatch } from "../../base/loose-json.ts";
import { fail, goesOn, note, type LiteralScan } from "./literal-scan.ts";

const opening = /[rRbBuUfF]{0,2}(?=["'])/y;

export function isTextNext({ text, at, form }: LiteralScan): boolean {
  if (form.delimiter !== undefined && text.startsWith(form.delimiter, at)) return true;
  opening.lastIndex = at;
  return opening.test(text);
}

/** Reads a string, or several separated only by white space, which Python joins. */
export function readText(scan: LiteralScan, { isKey } = { isKey: false }): string | undefined {
  const { text } = scan;
  const pieces: string[] = [];
  for (;;) {
    const piece = readPiece(scan, isKey);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    const next = spaceEnd(text, scan.at);
    opening.lastIndex = next;
    if (isKey || scan.form.isBare === true || !opening.test(text)) return pieces.join("");
    if (next === scan.at) return fail(scan, { cut: false, problem: "a quotation mark follows a text" });
    note(scan, { code: "adjacent", detail: "Texts that stood side by side were joined." });
    scan.at = next;
  }
}

type QuoteMark = { prefix: string; quote: string; isRaw: boolean };

function readPiece(scan: LiteralScan, isKey: boolean): string | undefined {
  const { text, form } = scan;
  if (form.delimiter !== undefined && text.startsWith(form.delimiter, scan.at))
    return readDelimited(scan, form.delimiter, isKey);
  const prefix = (takeMatch(scan, opening) ?? "").toLowerCase();
  const one = text.charAt(scan.at);
  const quote = text.startsWith(one.repeat(3), scan.at) ? one.repeat(3) : one;
  const start = scan.at + quote.length;
  const mark = { prefix, quote, isRaw: prefix.includes("r") };
  const isWindowsPath = quote.length === 1 && !mark.isRaw && isPathAt(text, start, quote);
  const end =
    quote.length === 3 ? tripleEnd(text, start, one) : endOf(scan, { start, mark, isWindowsPath, isKey });
  if (end === undefined) {
    scan.at = text.length;
    return fail(scan, { cut: true, problem: "a text was cut open" });
  }
  const isDoubled =
    form.delimiter !== undefined && text.startsWith(quote + form.delimiter, end.at - quote.length);
  // Closed twice, by its own mark and by the format's.
  const body = text.slice(start, isDoubled && end.at > start ? end.at - quote.length : end.at);
  scan.at = end.at + end.length;
  if (prefix.includes("f") && /[{}]/.test(body))
    return fail(scan, { cut: false, problem: "a formatted text is not a plain value", isCode: true });
  if (isWindowsPath) return keptPath(scan, body);
  if (mark.isRaw) return body;
  // A string with raw line breaks may not use escapes at all.
  if (quote.length === 1 && body.includes("\n") && /\\[nrtbf]/.test(body)) note(scan, doubtfulEscapes);
  return unescapeText(scan, body);
}

const doubtfulEscapes = {
  code: "escapes",
  detail: "A text had line breaks both escaped and not; the escapes were read as such.",
  guess: true,
};

type TextEnd = { at: number; length: number };

function endOf(
  scan: LiteralScan,
  {
    start,
    mark,
    isWindowsPath,
    isKey,
  }: { start: number; mark: QuoteMark; isWindowsPath: boolean; isKey: boolean },
): TextEnd | undefined {
  const { text, loose, form } = scan;
  const { quote } = mark;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\" && !isWindowsPath) at += 1;
    else if (character === quote && (!loose || goesOn(scan, at + 1, isKey))) return { at, length: 1 };
    else if (character === quote) note(scan, innerQuote);
    else if (character === "\n")
      note(scan, { code: "control", detail: "Line breaks inside texts were accepted unescaped." });
    else if (loose && scan.closed && form.delimiter !== undefined && text.startsWith(form.delimiter, at)) {
      const { length } = form.delimiter;
      if (!goesOn(scan, at + length, isKey)) continue;
      note(scan, {
        code: "closing-mark",
        detail: "A text was closed by another mark than it was opened by.",
        guess: true,
      });
      return { at, length };
    }
  }
  return undefined;
}

const innerQuote = {
  code: guessedEnd,
  detail: "Quotation marks inside a text were not escaped; where it ends is a guess.",
  guess: true,
};

/** The end of a triple-quoted string; one or two quotation marks before it belong to the text. */
function tripleEnd(text: string, start: number, quote: string): TextEnd | undefined {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote.repeat(3), at)) {
      let more = 0;
      while (more < 2 && text[at + 3 + more] === quote) more += 1;
      return { at: at + more, length: 3 };
    }
  }
  return undefined;
}

/** An unescaped, delimited text ends where the structure continues. */
function readDelimited(scan: LiteralScan, delimiter: string, isKey: boolean): string | undefined {
  const { text, loose } = scan;
  const start = scan.at + delimiter.length;
  for (let at = text.indexOf(delimiter, start); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    if (!loose || goesOn(scan, at + delimiter.length, isKey)) {
      scan.at = at + delimiter.length;
      return text.slice(start, at);
    }
    note(scan, innerQuote);
  }
  const end = loose && scan.closed ? unclosedEnd(scan, start) : undefined;
  if (end === undefined) {
    scan.at = text.length;
    return fail(scan, { cut: true, problem: "a text was cut open" });
  }
  note(scan, { code: "unclosed-text", detail: "The last text lacked its closing mark.", guess: true });
  scan.at = end;
  return text.slice(start, end);
}

/** The end of an unclosed string followed only by closing brackets; undefined if it may contain another item. */
function unclosedEnd({ text, open, form }: LiteralScan, start: number): number | undefined {
  let end = text.trimEnd().length;
  let level = 0;
  for (; level < open.length && end > start && text[end - 1] === open[level]?.closer; level += 1)
    end = text.slice(start, end - 1).trimEnd().length + start;
  if (level === 0 || (form.delimiter !== undefined && text.indexOf(form.delimiter, start) !== -1))
    return undefined;
  const bracket = open.at(-1);
  for (let at = text.indexOf(",", start); at !== -1 && at < end; at = text.indexOf(",", at + 1))
    if (bracket?.follows(text, spaceEnd(text, at + 1))) return undefined;
  return end;
}

/** `C:\new` without doubled backslashes: its `\n` begins a folder name and is not a line break. */
function isPathAt(text: string, start: number, quote: string): boolean {
  const beginning = text.slice(start, start + maxPath);
  const body = beginning.slice(0, Math.max(0, beginning.indexOf(quote)));
  if (!/^[A-Za-z]:\\[^\\]/.test(body) || body.includes("\\\\")) return false;
  return !isEscaped.test(body) || path.test(body);
}

/** Longest path recognised. */
const maxPath = 300;
/** Every backslash begins an escape that Python and JSON know. */
const isEscaped = /^(?:[^\\]|\\(?:[abfnrtv0-7'"]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}))*$/;
/** Only folder names, and no escapes that only a JSON writer would use. */
const path = /^[A-Za-z]:(?:\\(?![ux][\dA-Fa-f])[\w .$()+#@~-]+)+\\?$/;

function keptPath(scan: LiteralScan, body: string): string {
  const guess = isEscaped.test(body);
  note(scan, { ...keptBackslash, ...(guess ? { guess } : {}) });
  return body;
}

const keptBackslash = { code: "backslash", detail: "Backslashes that were not doubled were kept." };

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escape = /\\(?:([0-7]{1,3})|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U(00[\dA-Fa-f]{6})|([^]))/g;

function unescapeText(scan: LiteralScan, body: string): string {
  if (!body.includes("\\")) return body;
  return body.replace(
    escape,
    (all, octal?: string, x?: string, u?: string, long?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const hex = x ?? u;
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      const code = long === undefined ? Number.NaN : Number.parseInt(long, 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      const known = other === undefined ? undefined : escapes[other];
      if (known === undefined) note(scan, keptBackslash);
      return known ?? all;
    },
  );
}
