/** Facts as text and back: old versions are lifted, what is not understood is kept, long strings become blobs. */
import * as z from "zod/mini";
import { isJsonObject, isObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import { facts, factVersion, type Entry, type Fact, type Stamp, type UnknownFact } from "./facts.ts";

/** Takes an entry of version n to version n + 1. */
type Lift = (old: JsonObject) => JsonObject;

/** By the version they start from. */
const lifts: ReadonlyMap<number, Lift> = new Map();

const anyFact = z.discriminatedUnion("type", asOptions(Object.values(facts)));

/** One line of JSON. A fact that was not understood is written as it was read. */
export function encodeEntry(entry: Entry): string {
  return JSON.stringify(asJson(entry));
}

/**
 * Reads any text without throwing: what is not a valid fact of a version we know becomes `unknown`.
 * Members that the schemas do not name are kept. Text that is not JSON is kept as a JSON string.
 */
export function decodeEntry(text: string): Entry {
  const parsed = parseJson(text);
  return decodeJson(parsed.ok ? parsed.value : text);
}

export type KeptBlob = { hash: string; bytes: Uint8Array };
export type Externalised = { text: string; blobs: KeptBlob[] };

/** UTF-8 bytes that a string may have inside an entry; a longer one is a blob. */
export const defaultBlobLimit = 16 * 1024;

/**
 * The entry as text whose long strings stand in `blobs`, each replaced by `{"$blob": hash}`.
 * A string that UTF-8 cannot hold (a lone surrogate) stays where it is.
 */
export function externalise(
  entry: Entry,
  hash: (bytes: Uint8Array) => string,
  limitBytes: number = defaultBlobLimit,
): Externalised {
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

/** The entry that `externalise` made this text from. A blob that is gone leaves a line which says so. */
export function internalise(text: string, getBlob: (hash: string) => Uint8Array | undefined): Entry {
  if (!text.includes(blobWord)) return decodeEntry(text);
  const parsed = parseJson(text);
  return parsed.ok ? decodeJson(restore(parsed.value, getBlob)) : decodeEntry(text);
}

function decodeJson(original: Json): Entry {
  const current = lift(original);
  if (isEntry(current)) return current;
  return { type: "unknown", original, ...stampOf(original) };
}

function lift(original: Json): Json {
  if (!isJsonObject(original)) return original;
  let current = original;
  for (;;) {
    const next = typeof current["v"] === "number" ? lifts.get(current["v"]) : undefined;
    if (!next) return current;
    current = next(current);
  }
}

/** The value itself is kept, not the copy that the schema makes: members of later versions survive. */
function isEntry(value: unknown): value is Fact & Stamp {
  return isObject(value) && value["v"] === factVersion && isStamped(value) && isFact(value);
}

function isFact(value: unknown): boolean {
  try {
    return anyFact.safeParse(value).success;
  } catch {
    return false; // nested deeper than the stack: a session must open all the same
  }
}

function isStamped(value: Record<string, unknown>): boolean {
  return [value["seq"], value["at"], value["turn"]].every((member) => Number.isFinite(member));
}

function stampOf(original: Json): Stamp {
  const members = isJsonObject(original) ? original : {};
  const number = (name: string): number => {
    const member = members[name];
    return typeof member === "number" ? member : 0;
  };
  return { v: number("v"), seq: number("seq"), at: number("at"), turn: number("turn") };
}

function asJson(entry: Entry): (Fact & Stamp) | UnknownFact["original"] {
  return entry.type === "unknown" ? entry.original : entry;
}

const blobKey = "$blob";
const blobWord = 'blob"';
/** No UTF-16 unit needs more bytes in UTF-8. */
const longestUnit = 3;

/** Keys that could be taken for ours get one more `$`, and lose it on the way back. */
const ourKeys = /^\$+blob$/;
const escapedKeys = /^\$\$+blob$/;

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

function restore(value: Json, getBlob: (hash: string) => Uint8Array | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => restore(item, getBlob));
  if (value === null || typeof value !== "object") return value;
  const hash = value[blobKey];
  if (typeof hash === "string") return blobText(hash, getBlob(hash));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      escapedKeys.test(key) ? key.slice(1) : key,
      restore(member, getBlob),
    ]),
  );
}

function blobText(hash: string, bytes: Uint8Array | undefined): string {
  // Without `ignoreBOM` a text that begins with U+FEFF would lose it.
  if (bytes) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return `[This text is missing from the store: ${hash}]`;
}

/** A discriminated union wants to know that there is at least one option. */
function asOptions<T>(options: readonly T[]): [T, ...T[]] {
  const [first, ...rest] = options;
  if (first === undefined) throw new Error("there are no facts");
  return [first, ...rest];
}
