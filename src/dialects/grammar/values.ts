/** Values in formats where everything is text: converted by the schema of their parameter. */

import { typeOf, typesAllowed, type JsonType } from "../../base/json-schema.ts";
import { parseJson, type Json, type JsonObject } from "../../base/json.ts";
import { readLoose } from "../../base/loose-json.ts";
import { decodeBlock } from "../../protocol/call-arguments.ts";
import { newScan } from "./literal-scan.ts";
import { readLiteral } from "./literal.ts";

/** Keeps the text if the schema wants text; else reads it as a JSON or Python value. */
export function valueFromText(text: string, schema: Json | undefined, root: JsonObject): Json {
  if (isPlainText(schema, root)) return text;
  const types = typesAllowed(schema, root);
  const read = readPlain(text.trim(), types);
  return read === undefined ? text : read;
}

/** A text that is marked as JSON. */
export function valueFromJson(text: string, schema: Json | undefined, root: JsonObject): Json {
  const parsed = parseJson(text);
  if (!parsed.ok || !isExact(parsed.value, text)) return valueFromText(text, schema, root);
  const types = typesAllowed(schema, root);
  const { value } = parsed;
  return typeof value === "string" || !types.has("string") || types.has(typeOf(value)) ? value : text;
}

/** Whether the value is the text itself: such a value can be shown while it arrives. */
export function isPlainText(schema: Json | undefined, root: JsonObject): boolean {
  const types = typesAllowed(schema, root);
  return types.size === 1 && types.has("string");
}

/** Whether a value is text although the schema wants none, and looks like a fragment of another value. */
export function isFragment(value: Json, schema: Json | undefined, root: JsonObject): boolean {
  const types = typesAllowed(schema, root);
  if (types.size === 0 || types.has("string") || typeof value !== "string") return false;
  return /^[[\]{}'"<>]|[[\]{}'"<>]$/.test(value.trim());
}

/** Undefined if the text is of none of the types; without types, only strict JSON is read. */
function readPlain(text: string, types: ReadonlySet<JsonType>): Json | undefined {
  const isOpen = types.size === 0 || types.has("string");
  if (text === "" || (isOpen && text.startsWith('"'))) return undefined;
  const value = isOpen ? strict(text) : loose(text);
  if (value === undefined || types.size === 0) return value;
  // Quoted once too often.
  if (typeof value === "string" && !isOpen && value.length < text.length)
    return readPlain(value.trim(), types);
  return types.has(typeOf(value)) || value === null ? value : undefined;
}

function strict(text: string): Json | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isExact(parsed.value, text) ? parsed.value : undefined;
}

function loose(written: string): Json | undefined {
  const text = decodeBlock(written);
  const exact = strict(text) ?? python(text);
  if (exact !== undefined) return exact;
  const read = readLoose(text, { closed: true });
  if (!read.ok || read.end !== text.length || read.repairs.some(({ guess }) => guess)) return undefined;
  return isExact(read.value, text) ? read.value : undefined;
}

/** A Python literal that needs no repair. */
function python(text: string): Json | undefined {
  const scan = newScan({ text, form: {}, closed: true, loose: false, follows: () => false });
  const value = readLiteral(scan);
  const isWhole = scan.failure === undefined && scan.notes.size === 0 && scan.at === text.length;
  return isWhole && value !== undefined && isExact(value, text) ? value : undefined;
}

/** A number that would lose digits is not read as one. */
const isExact = (value: Json, text: string): boolean =>
  typeof value !== "number" ||
  (Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value) || /[.eE]/.test(text)));
