/**
 * Encodes facts as text and moves long strings into blobs, so that a store only handles texts and bytes. decode.ts does
 * the reverse.
 */

import { isObject, type Json } from "../base/json.ts";
import { mostFactTextBytes } from "./bounds.ts";
import type { Entry, Fact, Stamp, UnknownFact } from "./facts.ts";

/** One line of JSON. An unknown fact is written exactly as it was read. */
export function encodeEntry(entry: Entry): string {
  return JSON.stringify(asJson(entry));
}

type KeptBlob = { hash: string; bytes: Uint8Array };
type ExternalText = { text: string; blobs: KeptBlob[] };

/** Most UTF-8 bytes a string may have inside an entry; a longer one becomes a blob. */
const defaultBlobLimit = mostFactTextBytes;

/**
 * The entry as text, with its long strings moved to `blobs` and replaced by `{"$blob": hash}`. A string that UTF-8
 * cannot encode (a lone surrogate) stays inline.
 */
export function externalise(
  entry: Entry,
  hash: (bytes: Uint8Array) => string,
  limitBytes: number = defaultBlobLimit,
): ExternalText {
  const text = encodeEntry(entry);
  const isPlain = text.length * longestUnit <= limitBytes && !text.includes(blobWord);
  if (isPlain) return { text, blobs: [] };
  const blobs = new Map<string, Uint8Array>();
  const keep = (long: string): Json => {
    const bytes = new TextEncoder().encode(long);
    const name = hash(bytes);
    blobs.set(name, bytes);
    return { [blobKey]: name };
  };
  const short = JSON.stringify(shorten(asJson(entry), keep, limitBytes));
  return { text: short, blobs: [...blobs].map(([name, bytes]) => ({ hash: name, bytes })) };
}

function asJson(entry: Entry): (Fact & Stamp) | UnknownFact["original"] {
  return entry.type === "unknown" ? entry.original : entry;
}

export const blobKey = "$blob";
/** A substring of every text that contains a blob reference. */
export const blobWord = 'blob"';

/** The hashes of the long strings that were moved out of a stored text. */
export const blobsNamed = (text: string): string[] =>
  text.includes(blobWord) ? Array.from(text.matchAll(longString), ([, hash = ""]) => hash) : [];

const longString = /"\$blob":"([0-9a-f]{64})"/g;

/** No UTF-16 code unit needs more bytes in UTF-8. */
const longestUnit = 3;

/** Keys that look like a blob reference get one more `$` when encoded, and lose it when decoded. */
const ourKeys = /^\$+blob$/;

function shorten(value: unknown, keep: (long: string) => Json, limitBytes: number): unknown {
  if (typeof value === "string") return isLong(value, limitBytes) ? keep(value) : value;
  if (Array.isArray(value)) return value.map((item) => shorten(item, keep, limitBytes));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      ourKeys.test(key) ? `$${key}` : key,
      shorten(member, keep, limitBytes),
    ]),
  );
}

function isLong(text: string, limitBytes: number): boolean {
  if (text.length * longestUnit <= limitBytes) return false;
  const isLonger = text.length > limitBytes || new TextEncoder().encode(text).length > limitBytes;
  return isLonger && text.isWellFormed();
}
