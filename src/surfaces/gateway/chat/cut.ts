/** What a frame holds of a long text: 100 KB of what is read, 50 KB of what a shell printed. */

import { bounds } from "../../../base/bounds.ts";
import type { Json, JsonObject } from "../../../base/json.ts";

type Shortened = { text: string; isCut: boolean };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** At most so many bytes with the note: its start and its end, and in between how much is left out. */
export function shortened(text: string, most: number): Shortened {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return { text, isCut: false };
  const bytes = encoder.encode(text);
  const room = most - longestNote;
  const [head, tail] = [
    bytes.subarray(0, atCharacter(bytes, Math.floor(room * 0.6))),
    Math.floor(room * 0.4),
  ];
  const end = bytes.subarray(afterCharacter(bytes, bytes.length - tail));
  const left = bytes.length - head.length - end.length;
  const note = `\n[${left} bytes are left out here; the session has them.]\n`;
  return { text: decoder.decode(head) + note + decoder.decode(end), isCut: true };
}

/** Bytes of the note with any number in it. */
const longestNote = 80;

const isWithin = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of the character that this byte belongs to. */
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

/** Characters of one text of a call's input, where the whole is too long. */
const shownOfText = 4_000;

/** A call's arguments, with long texts shortened where all of it is too much for a frame. */
export function shortInput(input: JsonObject): { input: JsonObject; isCut: boolean } {
  const most = bounds.tools.readBytes.most;
  if (bytesOf(input) <= most) return { input, isCut: false };
  const shorter = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortValue(value)]));
  return { input: bytesOf(shorter) <= most ? shorter : {}, isCut: true };
}

function shortValue(value: Json): Json {
  if (typeof value === "string") return shortened(value, shownOfText).text;
  if (Array.isArray(value)) return value.map(shortValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortValue(each)]));
}

/** What is too long for a frame is not told. */
export function shortMetadata(metadata: JsonObject | undefined): { metadata?: JsonObject } {
  return metadata && bytesOf(metadata) <= bounds.tools.readBytes.most ? { metadata } : {};
}

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));
