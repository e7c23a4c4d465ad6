/** Writes a plain schema as a JSON Schema that any server can hold a model to: no references, closed objects. */

import type { JsonObject } from "../../base/json.ts";
import type { PlainSchema } from "./plain-schema.ts";

/** `keeps`: the words that the server understands. `allRequired`: what may be left out is required, and may be null. */
export type SchemaDemands = { readonly keeps: readonly string[]; readonly allRequired?: true };

export function schemaOf(plain: PlainSchema, demands: SchemaDemands): JsonObject {
  return { ...valueSchema(plain, demands), ...keptWords(plain, demands) };
}

function valueSchema(plain: PlainSchema, demands: SchemaDemands): JsonObject {
  switch (plain.type) {
    case "any":
    case "again":
      return {};
    case "enum":
      return { enum: [...plain.values] };
    case "union":
      return { anyOf: plain.of.map((one) => schemaOf(one, demands)) };
    case "list":
      if (plain.first)
        return { type: "array", prefixItems: plain.first.map((one) => schemaOf(one, demands)) };
      return { type: "array", items: schemaOf(plain.items, demands) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(plain.values, demands) };
    case "object": {
      const { properties } = plain;
      const entries = properties.map(({ name, schema, isRequired }): [string, JsonObject] => [
        name,
        schemaOf(isRequired || demands.allRequired !== true ? schema : orNull(schema), demands),
      ]);
      const required = properties.filter(({ isRequired }) => isRequired || demands.allRequired);
      return {
        type: "object",
        properties: Object.fromEntries(entries),
        required: required.map(({ name }) => name),
        additionalProperties: false,
      };
    }
    default:
      return { type: plain.type };
  }
}

const nothing: PlainSchema = { type: "null", words: {} };

function orNull(schema: PlainSchema): PlainSchema {
  if (allowsNull(schema)) return schema;
  const { words } = schema;
  if (schema.type === "enum") return { ...schema, values: [...schema.values, null] };
  if (schema.type === "union") return { ...schema, of: [...schema.of, nothing] };
  const { description, ...narrow } = words;
  const told: JsonObject = description === undefined ? {} : { description };
  return { type: "union", of: [{ ...schema, words: narrow }, nothing], words: told };
}

export const allowsNull = (schema: PlainSchema): boolean =>
  schema.type === "any" ||
  schema.type === "null" ||
  (schema.type === "enum" && schema.values.includes(null)) ||
  (schema.type === "union" && schema.of.some(allowsNull));

/** Counts beyond this make a grammar too large. */
const mostCounted = 100;

const counts = new Set(["minLength", "maxLength", "minItems", "maxItems"]);

function keptWords({ type, words }: PlainSchema, { keeps }: SchemaDemands): JsonObject {
  const entries = Object.entries(words).filter(([word, value]) => {
    if (!keeps.includes(word)) return false;
    if (counts.has(word)) return typeof value === "number" && value <= mostCounted;
    return word === "description" || type !== "union";
  });
  return Object.fromEntries(entries);
}
