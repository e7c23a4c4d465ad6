/**
 * Text back to facts: old versions are lifted, what is not understood is kept. Loaded when there is something to read.
 */

import * as z from "zod/mini";
import { isJsonObject, isObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import { blobKey, blobWord } from "./codec.ts";
import { facts, factVersion, type Entry, type Fact, type Stamp } from "./facts.ts";

/** Takes an entry of version n to version n + 1. */
type Lift = (old: JsonObject) => JsonObject;

/** By the version they start from. */
const lifts: ReadonlyMap<number, Lift> = new Map();

const anyFact = z.discriminatedUnion("type", asOptions(Object.values(facts)));

/**
 * Reads any text without throwing: what is not a valid fact of a version we know becomes `unknown`.
 * Members that the schemas do not name are kept. Text that is not JSON is kept as a JSON string.
 */
export function decodeEntry(text: string): Entry {
  const parsed = parseJson(text);
  return decodeJson(parsed.ok ? parsed.value : text);
}

/** The entry that `externalise` made this text from. A blob that is gone or spoilt leaves a line which says so. */
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

/** Keys which were given one more `$`, so that they could not be taken for ours. */
const escapedKeys = /^\$\$+blob$/;

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
  return `[This text is missing from the store, or damaged there: ${hash}]`;
}

/** A discriminated union wants to know that there is at least one option. */
function asOptions<T>(options: readonly T[]): [T, ...T[]] {
  const [first, ...rest] = options;
  if (first === undefined) throw new Error("there are no facts");
  return [first, ...rest];
}
