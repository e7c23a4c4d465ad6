/** Shortens long texts for frames: to 100 KB in general, 50 KB for shell output. */

import { fileBounds } from "../../base/bounds.ts";
import type { Json, JsonObject } from "../../base/json.ts";

type ShortText = { text: string; isCut: boolean };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** At most `most` bytes including the note: the start, a note of how much is left out, and the end. */
export function shortenText(text: string, most: number): ShortText {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return { text, isCut: false };
  const bytes = encoder.encode(text);
  const space = most - longestNote;
  const [head, tail] = [
    bytes.subarray(0, atCharacter(bytes, Math.floor(space * 0.6))),
    Math.floor(space * 0.4),
  ];
  const end = bytes.subarray(afterCharacter(bytes, bytes.length - tail));
  const left = bytes.length - head.length - end.length;
  const note = `\n[${left} bytes are left out here; the session has them.]\n`;
  return { text: decoder.decode(head) + note + decoder.decode(end), isCut: true };
}

/** The note's length in bytes with the largest possible number. */
const longestNote = 80;

const isWithin = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The index where the character containing this byte starts. */
function atCharacter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && isWithin(bytes[start])) start -= 1;
  return start;
}

function afterCharacter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start < bytes.length && isWithin(bytes[start])) start += 1;
  return start;
}

/** Characters shown of each text in a call's input, if the whole is too long. */
const shownOfText = 4_000;

/** A call's arguments, with long texts shortened if the whole is too large for a frame. */
export function shortInput(input: JsonObject): { input: JsonObject; isCut: boolean } {
  const most = fileBounds.readBytes.most;
  if (bytesOf(input) <= most) return { input, isCut: false };
  const shorter = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortValue(value)]));
  return { input: bytesOf(shorter) <= most ? shorter : {}, isCut: true };
}

function shortValue(value: Json): Json {
  if (typeof value === "string") return shortenText(value, shownOfText).text;
  if (Array.isArray(value)) return value.map(shortValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortValue(each)]));
}

/** Metadata too large for a frame is left out. */
export function shortMetadata(metadata: JsonObject | undefined): { metadata?: JsonObject } {
  return metadata && bytesOf(metadata) <= fileBounds.readBytes.most ? { metadata } : {};
}

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));
