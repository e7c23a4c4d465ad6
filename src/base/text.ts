/** Text as people, programs and files have it: decoding, line endings, terminal output, cutting to size. */

import { bounds } from "./bounds.ts";

type Eol = "\n" | "\r\n" | "mixed";
type Decoded = { kind: "text"; text: string; bom: boolean; eol: Eol } | { kind: "binary"; type: string };

/** The `type` of bytes that look like text in another encoding. */
export const otherEncoding = "text that is not UTF-8";

/** How much of an output is kept: whole up to `head + tail` lines and `bytes`; each line up to `line` characters. */
type OutputLimits = { head: number; tail: number; bytes: number; line: number };

/** Requirement A33: of a shell's output the first 15 and the last 85 lines, and 50 KB, for each stream. */
export const shellLimits: OutputLimits = {
  head: 15,
  tail: 85,
  bytes: bounds.tools.shownOutput.most,
  line: 4000,
};

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A NUL in the first 8 KiB or invalid UTF-8 is binary. Line endings stay in `text` as they are; a byte order mark does
 * not.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  if (hasNul(bytes)) return { kind: "binary", type: sniffType(bytes) };
  try {
    const whole = strictDecoder.decode(bytes);
    const bom = whole.startsWith("\uFEFF");
    const text = bom ? whole.slice(1) : whole;
    return { kind: "text", text, bom, eol: eolOf(text) };
  } catch {
    const type = sniffType(bytes);
    return { kind: "binary", type: type === "application/octet-stream" ? otherEncoding : type };
  }
}

/** The bytes of a text, with its byte order mark again if it had one. */
export function encodeText(text: string, { bom }: { bom: boolean }): Uint8Array {
  return encoder.encode(bom ? "\uFEFF" + text : text);
}

export function hasNul(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** The lines of a text without their endings; a final line ending opens no further line. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (text.endsWith("\n")) lines.pop();
  return lines;
}

/** A word as a POSIX shell has to read it to get this word. */
export const shellQuoted = (word: string): string =>
  /^[A-Za-z0-9_./:@%+,=-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Sizes as people say them: "812 bytes", "1.4 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/* eslint-disable no-control-regex -- control characters are what this is about */
const escapes = new RegExp(
  [
    // OSC, which VS Code's shell integration (`]633;`) uses too, and the other strings: up to BEL or ST.
    "(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?",
    "(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x9c]*(?:\\x1b\\\\|\\x9c)?",
    // CSI: colours, cursor movements.
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?",
    // Two- and three-character escapes.
    "\\x1b[ -/]*[0-~]?",
    // A `]633;` marker whose ESC is already gone.
    "\\]633;[A-Z](?:;[^\\x07\\n]*)?\\x07",
  ].join("|"),
  "g",
);

/** Text without terminal escapes: CSI, OSC (and the `]633;` markers), DCS and the like. */
export function stripAnsi(text: string): string {
  return text.replace(escapes, "");
}

/** `stripAnsi` for text that comes in pieces: an escape that is not complete waits for the rest of it. */
export function ansiStripper(): (piece: string) => string {
  let held = "";
  return (piece) => {
    const text = held + piece;
    const start = text.lastIndexOf("\x1b");
    const open =
      start !== -1 && text.length - start < longestEscape && unfinishedEscape.test(text.slice(start));
    held = open ? text.slice(start) : "";
    return stripAnsi(open ? text.slice(0, start) : text);
  };
}

const longestEscape = 4096;
const unfinishedEscape = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c\n]*|[ -/]*)$/;

/** What a terminal would show in the end: no escapes, overwritten parts of lines gone, no other control characters. */
export function plainOutput(text: string): string {
  const lines = stripAnsi(text).split("\n").map(lastWritten);
  return lines.join("\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
/* eslint-enable no-control-regex */

/** What follows the last carriage return, not counting those at the end: progress bars write over their line. */
function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** Over the limits, the first lines, a note and the last lines (A33). `cut` tells whether anything was left out. */
export function headAndTail(
  text: string,
  limits: OutputLimits = shellLimits,
): { text: string; cut: boolean } {
  const all = text.split("\n");
  const endsWithBreak = text.endsWith("\n");
  if (endsWithBreak) all.pop();
  const ending = endsWithBreak ? "\n" : "";
  const lines = all.map((line) => cutLine(line, limits.line));
  const shortened = lines.some((line, at) => line !== all[at]);
  const fits = lines.length <= limits.head + limits.tail && byteLength(lines.join("\n")) <= limits.bytes;
  if (fits) return { text: shortened ? lines.join("\n") + ending : text, cut: shortened };
  const share = limits.head / (limits.head + limits.tail);
  const head = fitting(lines.slice(0, limits.head), limits.bytes * share);
  const rest = lines.slice(head.length).toReversed().slice(0, limits.tail);
  const tail = fitting(rest, limits.bytes * (1 - share)).toReversed();
  const left = lines.length - head.length - tail.length;
  return { text: [...head, `[${left} lines truncated]`, ...tail].join("\n") + ending, cut: true };
}

/** A line over `limit` characters keeps three quarters of them from its start and one from its end. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const start = sliceWhole(line, 0, Math.floor(limit * 0.75));
  const end = sliceWhole(line, line.length - Math.floor(limit * 0.25), line.length);
  return `${start}[${line.length - start.length - end.length} characters cut]${end}`;
}

/** Like `slice`, but a surrogate pair at either edge is left out rather than split. */
function sliceWhole(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text.charCodeAt(from)) && from > 0 ? from + 1 : from;
  const end = isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function fitting(lines: string[], bytes: number): string[] {
  let left = bytes;
  const count = lines.findIndex((line) => (left -= byteLength(line) + 1) < 0);
  return count === -1 ? lines : lines.slice(0, count);
}

function eolOf(text: string): Eol {
  const crlf = text.split("\r\n").length - 1;
  if (crlf === 0) return "\n";
  return text.split("\n").length - 1 === crlf ? "\r\n" : "mixed";
}

const signatures: readonly { type: string; bytes: readonly number[]; at?: number }[] = [
  { type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", bytes: [0x57, 0x45, 0x42, 0x50], at: 8 },
  { type: "application/pdf", bytes: [0x25, 0x50, 0x44, 0x46] },
  { type: "application/zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: "application/gzip", bytes: [0x1f, 0x8b] },
  { type: "application/x-elf", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { type: "text in UTF-16", bytes: [0xff, 0xfe] },
  { type: "text in UTF-16", bytes: [0xfe, 0xff] },
];

/** By how the content begins: a media type, or words. */
export function sniffType(bytes: Uint8Array): string {
  const found = signatures.find(({ bytes: magic, at = 0 }) =>
    magic.every((byte, i) => bytes[at + i] === byte),
  );
  return found?.type ?? "application/octet-stream";
}
