/** Summarises a tool's arguments in one short line: `{ path: string, from?: integer }`. */

import type { Json, JsonObject } from "../../base/json.ts";
import { type SchemaReader, schemaReader } from "../../base/schema-reader.ts";

/** At most about 600 characters, preferring all names over all details. Omissions are shown as "…". */
export function expectation(schema: JsonObject): string {
  const reader = schemaReader(schema);
  const words = objectWords(schema, { reader, depth: 0 });
  return words.endsWith("… }") ? objectWords(schema, { reader, depth: deepest }) : words;
}

const longest = 600;
const deepest = 3;
const mostNames = 24;
const mostTexts = 8;

type Nesting = { reader: SchemaReader; depth: number };

function objectWords(schema: Json | undefined, { reader, depth }: Nesting): string {
  const names = reader.names(schema);
  if (names.length === 0) return depth === 0 ? "{ }" : "object";
  const required = new Set(reader.required(schema));
  const fields: string[] = [];
  let length = 0;
  for (const name of names.slice(0, mostNames)) {
    const type = typeWords(reader.property(schema, name), { reader, depth: depth + 1 });
    const field = `${nameWords(name)}${required.has(name) ? "" : "?"}: ${type}`;
    length += field.length + 2;
    if (length > longest) break;
    fields.push(field);
  }
  if (fields.length < names.length) fields.push("…");
  return `{ ${fields.join(", ")} }`;
}

const nameWords = (name: string): string =>
  /^[\w$-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, 60));

function typeWords(schema: Json | undefined, place: Nesting): string {
  const texts = place.reader.texts(schema);
  const types = place.reader.types(schema);
  const words = [...types].flatMap((type) => {
    if (type === "string" && texts) return textWords(texts);
    if (type === "integer" && types.has("number")) return [];
    if (type === "object" && place.depth < deepest) return objectWords(schema, place);
    return type === "array" ? listWords(schema, place) : type;
  });
  return words.length === 0 ? "any" : words.join(" | ");
}

function listWords(schema: Json | undefined, place: Nesting): string {
  const items = place.reader.item(schema);
  if (items === undefined || items === false || place.depth >= deepest) return "array";
  const words = typeWords(items, { ...place, depth: place.depth + 1 });
  return words.includes(" | ") && !words.startsWith("{") ? `(${words})[]` : `${words}[]`;
}

function textWords(texts: readonly string[]): string[] {
  const words = texts.slice(0, mostTexts).map((text) => JSON.stringify(text.slice(0, 40)));
  return texts.length > mostTexts ? [...words, "…"] : words;
}
