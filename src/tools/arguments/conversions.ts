/** Converts a value to another type, if that is lossless and unambiguous. */

import { type JsonType, ownValue, typeOf } from "../../base/json-schema.ts";
import { isDeeperThan, isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json.ts";
import { maxDepth, readLoose } from "../../base/loose-json.ts";

/** `guess`: there was more than one possible reading. */
export type Conversion = { code: string; value: Json; guess?: true };

/** `items`: the types that list items may have; empty if unspecified. */
type ExpectedTypes = { types: ReadonlySet<JsonType>; items: ReadonlySet<JsonType>; isItem: boolean };

/**
 * One conversion step towards a wanted type, for a value that has none of them. Undefined if no lossless step exists.
 */
export function convert(value: Json, wanted: ExpectedTypes): Conversion | undefined {
  if (typeof value === "string") return fromText(value, wanted.types) ?? asItem(value, wanted);
  if (typeof value === "number" || typeof value === "boolean")
    return asItem(value, wanted) ?? asPlainText(value, wanted);
  if (value === null || !isJsonObject(value)) return undefined;
  return withoutSchema(value, wanted) ?? asItem(value, wanted) ?? asJsonText(value, wanted);
}

/** Whether the text spells "no value" in some programming language. */
export const isNothing = (words: string): boolean =>
  words.length < 40 && /^\s*(?:null|none|undefined)\s*$/i.test(words);

function fromText(words: string, types: ReadonlySet<JsonType>): Conversion | undefined {
  const trimmed = words.trim();
  if (types.has("boolean") && /^(?:true|false)$/i.test(trimmed))
    return { code: "text-to-boolean", value: trimmed.toLowerCase() === "true" };
  const number = types.has("integer") ? numberFrom(trimmed) : undefined;
  if (number !== undefined && types.has(typeOf(number))) return { code: "text-to-number", value: number };
  if (types.has("null") && isNothing(trimmed)) return { code: "text-to-null", value: null };
  if ((types.has("object") && trimmed.startsWith("{")) || (types.has("array") && trimmed.startsWith("["))) {
    const read = readJson(trimmed);
    if (read !== undefined && types.has(typeOf(read))) return { code: "text-to-json", value: read };
  }
  if (!trimmed.startsWith('"')) return undefined;
  const unquoted = parseJson(trimmed);
  return unquoted.ok && typeof unquoted.value === "string" && fromText(unquoted.value, types)
    ? { code: "quotes-dropped", value: unquoted.value }
    : undefined;
}

/** The number with exactly these digits, or undefined if a JavaScript number would lose one. */
function numberFrom(words: string): number | undefined {
  if (words.length > 400 || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(words)) return undefined;
  const number = Number(words);
  if (!Number.isFinite(number) || decimal(String(number)) !== decimal(words)) return undefined;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number + 0;
}

/** A canonical form, equal for all spellings of the same number. */
function decimal(words: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(words) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${exponent}`;
}

/** Parses JSON or Python literals. Refuses text that could be read in two ways. */
function readJson(words: string): Json | undefined {
  const strict = parseJson(words);
  if (strict.ok) return isDeeperThan(maxDepth, strict.value) ? undefined : strict.value;
  // Python escapes that JSON lacks would otherwise be taken literally.
  if (/\\[xUN0-7av]/.test(words)) return undefined;
  const loose = readLoose(words, { closed: true });
  if (!loose.ok || loose.end !== words.length) return undefined;
  const isDoubtful = loose.repairs.some(({ code, guess }) => guess === true || code === "number");
  return isDoubtful || /\b(?:NaN|undefined)\b/.test(words) ? undefined : loose.value;
}

function asItem(value: Json, { types, items, isItem }: ExpectedTypes): Conversion | undefined {
  if (!types.has("array") || isItem) return undefined;
  const fits = items.size === 0 || items.has(typeOf(value)) || isConvertible(value, items);
  return fits && !isBrokenList(value) ? { code: "item-to-list", value: [value] } : undefined;
}

const isConvertible = (value: Json, types: ReadonlySet<JsonType>): boolean =>
  typeof value !== "object" && convert(value, { types, items: new Set(), isItem: true }) !== undefined;

/** Text that looks like a list or null is not accepted as a list item; `[id].tsx` is. */
const isBrokenList = (value: Json): boolean =>
  typeof value === "string" && /^(?:\[\s*["'[{].*|\[.*\])?$/s.test(value.trim());

/** Digits beyond the precision of JavaScript numbers are already lost, so the original text is unknown. */
function asPlainText(value: number | boolean, { types }: ExpectedTypes): Conversion | undefined {
  const words = String(value);
  const isWhole = typeof value === "boolean" || !Number.isInteger(value) || Number.isSafeInteger(value);
  return types.has("string") && isWhole && !words.includes("e+") && !words.includes("e-")
    ? { code: "value-to-text", value: words }
    : undefined;
}

/** Small models copy the schema and put the value inside: `{"type": "string", "value": "x"}`. */
function withoutSchema(value: JsonObject, { types, items }: ExpectedTypes): Conversion | undefined {
  if (!isSchemaLike(value) || (types.has("array") && items.has("object"))) return undefined;
  const inner = ownValue(value, "value");
  return inner === undefined ? undefined : { code: "schema-dropped", value: inner };
}

/** A guess, because the whitespace of the intended text is unknown. A copied schema is never taken as text. */
function asJsonText(value: JsonObject, { types }: ExpectedTypes): Conversion | undefined {
  return types.has("string") && !isSchemaLike(value)
    ? { code: "object-to-text", value: JSON.stringify(value), guess: true }
    : undefined;
}

const isSchemaLike = (value: JsonObject): boolean =>
  typeNames.includes(ownValue(value, "type") ?? "") &&
  Object.keys(value).every((name) => schemaWords.includes(name));

const typeNames: readonly Json[] = ["string", "number", "integer", "boolean", "array", "object", "null"];
const schemaWords: readonly string[] =
  "type value title description default enum const items format examples nullable minimum maximum".split(" ");
