/** Decodes text to facts: lifts old versions and keeps unknown entries. Loaded only when there is something to read. */

import * as z from "zod/mini";
import { attempt } from "../base/expected.ts";
import { isJsonObject, isObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import { blobKey, blobWord } from "./codec.ts";
import { facts, factVersion, type Entry, type Fact, type Stamp } from "./facts.ts";

/** Converts an entry of version n to version n + 1. */
type Lift = (old: JsonObject) => JsonObject;

/** Keyed by the version they convert from. */
const lifts: ReadonlyMap<number, Lift> = new Map();

const anyFact = z.discriminatedUnion("type", asOptions(Object.values(facts)));

/**
 * Reads any text without throwing: anything but a valid fact of a known version becomes `unknown`. Members that the
 * schemas do not name are kept. Text that is not JSON is kept as a JSON string.
 */
export function decodeEntry(text: string): Entry {
  const parsed = parseJson(text);
  return decodeJson(parsed.ok ? parsed.value : text);
}

/** Reverses `externalise`. A missing or damaged blob is replaced by a line that says so. */
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

/** Checks the value itself instead of using the schema's parsed copy, so members added by later versions survive. */
function isEntry(value: unknown): value is Fact & Stamp {
  return isObject(value) && value["v"] === factVersion && isStamped(value) && isFact(value);
}

/** What is nested deeper than the stack allows is none: the session must open all the same. */
const isFact = (value: unknown): boolean => attempt(() => anyFact.safeParse(value).success) ?? false;

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

/** Keys that `externalise` escaped with one more `$`, so they cannot be mistaken for blob references. */
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
  // Without `ignoreBOM`, a text that begins with U+FEFF would lose it.
  if (bytes) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return `[This text is missing from the store, or damaged there: ${hash}]`;
}

/** The type of a discriminated union requires at least one option. */
function asOptions<T>(options: readonly T[]): [T, ...T[]] {
  const [first, ...rest] = options;
  if (first === undefined) throw new Error("there are no facts");
  return [first, ...rest];
}
