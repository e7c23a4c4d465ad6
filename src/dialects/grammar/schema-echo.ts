/** Small Llama models write a tool's schema into its arguments: the values are taken out of it. */

import { propertyNames, propertySchema, typesAllowed } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Repair } from "../../protocol/messages.ts";

/**
 * `{"sides": {"type": "integer", "value": 6}}` means `{"sides": 6}`. Undefined if there is a schema without a value:
 * then it is the definition of the tool.
 */
export function withoutSchemas(
  input: JsonObject,
  schema: JsonObject,
): { input: JsonObject; notes: readonly Repair[] } | undefined {
  const properties = propertiesIn(input, schema);
  const entries: [string, Json][] = [];
  let isMended = properties !== undefined;
  for (const [key, value] of Object.entries(properties ?? input)) {
    const meant = !properties && mayBeObject(key, schema) ? value : plainValue(value);
    if (meant === undefined) return undefined;
    isMended ||= meant !== value;
    entries.push([key, meant]);
  }
  if (properties && entries.length === 0) return undefined;
  return { input: Object.fromEntries(entries), notes: isMended ? [note] : [] };
}

const note: Repair = { code: "schema-echo", detail: "The arguments stood inside the tool's schema." };

/** `{"type": "object", "properties": {…}}`, unless the tool has parameters of these names. */
function propertiesIn(input: JsonObject, schema: JsonObject): JsonObject | undefined {
  const inner = input["properties"];
  const isSchema = input["type"] === "object" && inner !== undefined && isJsonObject(inner);
  return isSchema && !propertyNames(schema, schema).includes("properties") ? inner : undefined;
}

function mayBeObject(key: string, schema: JsonObject): boolean {
  const types = typesAllowed(propertySchema(schema, key, schema), schema);
  return types.size === 0 || types.has("object");
}

/** The value in the schema of a value; undefined if the schema has none. */
function plainValue(value: Json): Json | undefined {
  if (value === null || !isJsonObject(value)) return value;
  if (typeof value["type"] !== "string" || !Object.keys(value).every((key) => schemaKeys.has(key)))
    return value;
  return Object.hasOwn(value, "value") ? value["value"] : undefined;
}

const schemaKeys: ReadonlySet<string> = new Set([
  "type",
  "value",
  "description",
  "title",
  "enum",
  "default",
  "required",
  "items",
]);
