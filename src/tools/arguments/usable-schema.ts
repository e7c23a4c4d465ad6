/** Repairs slips in hand-written JSON Schemas so that a validator accepts them, without changing their meaning. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** Returns a copy. Throws if it is nested deeper than any real schema. */
export function usableSchema(schema: JsonObject): JsonObject {
  return copyObject(schema, 0);
}

const deepest = 256;

function copy(schema: Json, depth: number): Json {
  if (Array.isArray(schema)) return schema.map((one) => copy(one, depth + 1));
  return schema !== null && isJsonObject(schema) ? copyObject(schema, depth) : schema;
}

function copyObject(schema: JsonObject, depth: number): JsonObject {
  if (depth > deepest) throw new Error(`it is nested more than ${deepest} levels deep`);
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (data.has(key)) return [[key, value]];
    if (maps.has(key) && value !== null && isJsonObject(value)) return [[key, copyMap(value, depth + 1)]];
    if (key === "type") return typesOf(value).map((types) => [key, types]);
    // Draft 3 has `required: true` on the property itself.
    if (key === "required" && !Array.isArray(value)) return [];
    return [[key, copy(value, depth + 1)]];
  });
  return withNull(Object.fromEntries(entries));
}

const copyMap = (schemas: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, copy(schema, depth + 1)]));

/** Keywords whose contents are data, not schemas. */
const data: ReadonlySet<string> = new Set(["enum", "const", "default", "example", "examples"]);
/** Keywords that map names to schemas. */
const maps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

const known: readonly string[] = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** Gemini's own schemas write "STRING". Unknown types are ignored. */
export function typesOf(type: Json): Json[] {
  const names = (Array.isArray(type) ? type : [type])
    .map((name) => (typeof name === "string" ? name.toLowerCase() : ""))
    .filter((name) => known.includes(name));
  if (names.length === 0) return [];
  return names.length === 1 ? [names[0] ?? ""] : [names];
}

/** OpenAPI's way of allowing null. */
function withNull(schema: JsonObject): JsonObject {
  const type = schema["type"];
  if (schema["nullable"] !== true || type === undefined) return schema;
  const values = schema["enum"];
  return {
    ...schema,
    type: [...(Array.isArray(type) ? type : [type]), "null"],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
