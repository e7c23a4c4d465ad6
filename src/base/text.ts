/** Converts file content between bytes and text, and splits it into lines. */

import { otherEncoding, sniffType } from "./media-type.ts";

type Eol = "\n" | "\r\n" | "mixed";
type DecodedText = { kind: "text"; text: string; bom: boolean; eol: Eol } | { kind: "binary"; type: string };

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A NUL in the first 8 KiB or invalid UTF-8 means binary. `text` keeps its line endings but not its byte order mark.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
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

/** Encodes a text, restoring its byte order mark if it had one. */
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

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function eolOf(text: string): Eol {
  const crlf = text.split("\r\n").length - 1;
  if (crlf === 0) return "\n";
  return text.split("\n").length - 1 === crlf ? "\r\n" : "mixed";
}

/** How many characters two texts begin with alike. */
export function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** How many lines or characters two texts begin with alike, and how many of the rest they end with. */
export function sameEnds(one: ArrayLike<string>, other: ArrayLike<string>): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < most && one[start] === other[start]) start += 1;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return { start, end };
}

/** The first line of a text that may be pages long, for titles. */
export function firstLine(text: string, most = 80): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
