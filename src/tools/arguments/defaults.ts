/** Fills in the defaults that a schema declares for omitted arguments. */

import { narrowSchema, ownValue, typeOf } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { maxDepth } from "../../base/loose-json.ts";
import { type SchemaReader, schemaReader } from "../../base/schema-reader.ts";
import type { Repair } from "../../protocol/messages.ts";
import { placeInWords, type InputPath } from "./call-problems.ts";
import { fewOf, type MendedInput } from "./input.ts";

/** Fills absent members that have a default, in every object present; creates no objects for them. */
export function withDefaults(schema: JsonObject, input: JsonObject): MendedInput {
  const repairs: Repair[] = [];
  const filled = fillObject(schema, input, { reader: schemaReader(schema), repairs, place: [] });
  return { input: filled, repairs: fewOf(repairs) };
}

type DefaultsContext = { reader: SchemaReader; repairs: Repair[]; place: InputPath };

function fill(schema: Json | undefined, value: Json, filling: DefaultsContext): Json {
  if (schema === undefined || filling.place.length > maxDepth) return value;
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      fill(filling.reader.item(schema, at), item, { ...filling, place: [...filling.place, at] }),
    );
  }
  return value !== null && isJsonObject(value) ? fillObject(schema, value, filling) : value;
}

function fillObject(schema: Json, value: JsonObject, filling: DefaultsContext): JsonObject {
  const { reader, repairs, place } = filling;
  const chosen = narrowSchema(schema, value, reader.root);
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
    name,
    fill(reader.property(chosen, name), inner, { ...filling, place: [...place, name] }),
  ]);
  for (const name of reader.names(chosen)) {
    if (Object.hasOwn(value, name)) continue;
    const made = defaultOf(reader.property(chosen, name), reader);
    if (made === undefined) continue;
    entries.push([name, made]);
    repairs.push({
      code: "default-filled",
      detail: `"${placeInWords([...place, name])}": ${JSON.stringify(made)}`,
    });
  }
  return Object.fromEntries(entries);
}

/** In many schemas `default: null` means "no default", whether or not null is allowed. */
function defaultOf(schema: Json | undefined, reader: SchemaReader): Json | undefined {
  const made = ownValue(schema, "default");
  if (made === undefined || made === null) return undefined;
  const types = reader.types(schema);
  return types.size === 0 || types.has(typeOf(made)) ? made : undefined;
}
