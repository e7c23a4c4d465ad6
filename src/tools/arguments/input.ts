/** Coerces arguments as models write them into what a JSON Schema requires, without loss (requirement D8). */

import { type JsonType, narrowSchema, typeOf } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { maxDepth } from "../../base/loose-json.ts";
import { type SchemaReader, schemaReader } from "../../base/schema-reader.ts";
import type { Repair } from "../../protocol/messages.ts";
import {
  type ArgumentAliases,
  unwrapArguments,
  withCommonNames,
  withDeclaredNames,
} from "./argument-names.ts";
import { type Conversion, convert, isNothing } from "./conversions.ts";

export type MendedInput = { input: JsonObject; repairs: Repair[] };

/** Names first, then values. Whatever cannot be repaired stays as it is, for validation to reject. */
export function mendInput(schema: JsonObject, input: JsonObject, aliases: ArgumentAliases = {}): MendedInput {
  const repairs: Repair[] = [];
  const bare = unwrapArguments(schema, input, { aliases, repairs });
  const mending = { reader: schemaReader(schema), aliases, repairs, place: "", depth: 0, isItem: false };
  const mended = mendObject(schema, bare, mending);
  return { input: mended, repairs: fewOf(repairs) };
}

const mostRepairs = 20;

/** Drops duplicates: a list of a thousand items may need the same repair a thousand times. */
export function fewOf(repairs: readonly Repair[]): Repair[] {
  const more = repairs.slice(mostRepairs);
  if (more.length === 0) return [...repairs];
  const said = { code: "more", detail: `${more.length} more of the kind` };
  const isGuess = more.some(({ guess }) => guess === true);
  return [...repairs.slice(0, mostRepairs), isGuess ? { ...said, guess: true } : said];
}

/** `place` is the current path in the input, like `edits[0].old`; `reader` interprets the schema. */
type Mending = {
  reader: SchemaReader;
  aliases: ArgumentAliases;
  repairs: Repair[];
  place: string;
  depth: number;
  /** The value is an item of a list. */
  isItem: boolean;
};

function mend(schema: Json | undefined, value: Json, mending: Mending): Json {
  if (schema === undefined || mending.depth > maxDepth) return value;
  const fitting = convertValue(schema, value, mending);
  if (typeof fitting === "string")
    return asOnlyText(schema, fitting, mending) ?? inDeclaredCase(schema, fitting, mending);
  if (Array.isArray(fitting)) return mendItems(schema, fitting, mending);
  return fitting !== null && isJsonObject(fitting) ? mendObject(schema, fitting, mending) : fitting;
}

/** Converts the value to an allowed type, in as many steps as needed. */
function convertValue(schema: Json, value: Json, mending: Mending): Json {
  const { reader } = mending;
  const types = typesFor(schema, value, reader);
  if (types.size === 0 || types.has(typeOf(value))) return value;
  const items = types.has("array") ? reader.types(reader.item(schema)) : types;
  const repairs: Repair[] = [];
  let at = value;
  while (!types.has(typeOf(at))) {
    const made = repairs.length < 4 ? convert(at, { types, items, isItem: mending.isItem }) : undefined;
    if (!made) return value;
    repairs.push(repairOf(made, typeOf(at), mending.place));
    at = made.value;
  }
  mending.repairs.push(...repairs);
  return at;
}

/** If items are objects with exactly one required text, accepts a bare text as that member. */
function asOnlyText(
  schema: Json,
  words: string,
  { reader, repairs, place, isItem }: Mending,
): JsonObject | undefined {
  const types = reader.types(schema);
  if (!isItem || types.size !== 1 || !types.has("object")) return undefined;
  const [name, ...more] = reader.required(schema);
  if (name === undefined || more.length > 0 || !reader.types(reader.property(schema, name)).has("string"))
    return undefined;
  repairs.push({ code: "text-to-object", detail: `"${place}": a text alone read as "${name}"` });
  return { [name]: words };
}

function repairOf({ code, value, guess }: Conversion, from: JsonType, place: string): Repair {
  const said = details[code] ?? `${from} read as ${typeOf(value)}`;
  const repair = { code, detail: `"${place}": ${said}` };
  return guess ? { ...repair, guess } : repair;
}

const details: Readonly<Record<string, string>> = {
  "quotes-dropped": "quotation marks inside the text were dropped",
  "schema-dropped": "the value was taken out of a copy of its schema",
};

/** The types the value may have. If only certain texts are allowed, any other text does not count as one. */
function typesFor(schema: Json | undefined, value: Json, reader: SchemaReader): ReadonlySet<JsonType> {
  const types = reader.types(schema);
  if (typeof value !== "string" || textMeant(reader.texts(schema), value) !== undefined) return types;
  const others = new Set(types);
  others.delete("string");
  return others.size === 0 ? types : others;
}

/** The allowed text that differs only in case; any text if all are allowed. */
function textMeant(texts: readonly string[] | undefined, words: string): string | undefined {
  if (!texts || texts.includes(words)) return words;
  const loose = words.toLowerCase();
  const close = texts.filter((text) => text.toLowerCase() === loose);
  return close.length === 1 ? close[0] : undefined;
}

function inDeclaredCase(schema: Json, words: string, mending: Mending): string {
  const meant = textMeant(mending.reader.texts(schema), words) ?? words;
  if (meant !== words)
    mending.repairs.push({ code: "case", detail: `"${mending.place}": "${words}" read as "${meant}"` });
  return meant;
}

function mendItems(schema: Json, items: readonly Json[], mending: Mending): Json[] {
  return items.map((item, at) => {
    const place = `${mending.place}[${at}]`;
    const inside = { ...mending, depth: mending.depth + 1, place, isItem: true };
    return mend(mending.reader.item(schema, at), item, inside);
  });
}

function mendObject(schema: Json, value: JsonObject, mending: Mending): JsonObject {
  const { reader, repairs, place, depth, aliases } = mending;
  const known = reader.names(schema);
  const keeps = (name: string): boolean => isMapEntry(reader.property(schema, name));
  const declared = withDeclaredNames(known, value, { aliases, repairs, keeps });
  const needed = reader.required(schema);
  const named = withCommonNames(known, declared, { required: needed, repairs, keeps });
  const chosen = narrowSchema(schema, named, reader.root);
  const required = new Set(reader.required(chosen));
  const optional = new Set(known.filter((name) => !required.has(name)));
  const entries: [string, Json][] = [];
  for (const [name, inner] of Object.entries(named)) {
    const inside = {
      ...mending,
      depth: depth + 1,
      place: place === "" ? name : `${place}.${name}`,
      isItem: false,
    };
    const innerSchema = reader.property(chosen, name);
    if (optional.has(name) && isLeftOut(innerSchema, inner, reader)) {
      repairs.push({
        code: "null-dropped",
        detail: `"${inside.place}" was ${inner === null ? "null" : JSON.stringify(inner)}, which is read as absent`,
      });
    } else entries.push([name, mend(innerSchema, inner, inside)]);
  }
  return Object.fromEntries(entries);
}

/** If additional names have a schema of their own, the names are data. */
const isMapEntry = (schema: Json | undefined): boolean =>
  schema !== undefined && isJsonObject(schema) && Object.keys(schema).length > 0;

/** Whether the value is null, or a word for it, where the schema allows neither. */
function isLeftOut(schema: Json | undefined, value: Json, reader: SchemaReader): boolean {
  const types = reader.types(schema);
  if (types.size === 0 || types.has("null")) return false;
  if (typeof value !== "string" || !isNothing(value)) return value === null;
  return !types.has("string") || textMeant(reader.texts(schema), value) === undefined;
}
