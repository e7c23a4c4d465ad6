/** The tools whose native calls a provider can be told to hold to their schemas, and those schemas as it demands them. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ToolDescription } from "../../protocol/messages.ts";
import { childrenOf, partsOf, plainSchema, type PlainSchema } from "./plain-schema.ts";
import { allowsNull, schemaOf, type SchemaDemands } from "./schema-of.ts";

/** What one vendor accepts in strict schemas. */
export type Strictness = SchemaDemands & {
  /** Levels of nested objects and lists. */
  readonly mostDepth: number;
  /** For all tools of a request together. */
  readonly mostTools?: number;
  readonly mostOptional?: number;
  readonly mostUnions?: number;
};

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const openaiStrictness: Strictness = {
  keeps: [
    "description",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
  ],
  allRequired: true,
  mostDepth: 10,
};

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
export const anthropicStrictness: Strictness = {
  keeps: ["description"],
  mostDepth: 10,
  mostTools: 20,
  mostOptional: 24,
  mostUnions: 16,
};

/** The schemas by tool; a tool is left out if its arguments cannot be said strictly, or the limits are reached. */
export function strictSchemas(
  tools: readonly ToolDescription[],
  strictness: Strictness,
): Record<string, JsonObject> {
  const { mostTools = Infinity, mostOptional = Infinity, mostUnions = Infinity, mostDepth } = strictness;
  const schemas: [string, JsonObject][] = [];
  let [optional, unions] = [0, 0];
  for (const { name, schema } of tools) {
    const plain = plainSchema(schema);
    if (!isStrict(plain, mostDepth)) continue;
    const all = partsOf(plain);
    const more = all.reduce((sum, part) => sum + optionalIn(part), 0);
    const mixed = all.filter(({ type }) => type === "union").length;
    if (schemas.length >= mostTools || optional + more > mostOptional || unions + mixed > mostUnions)
      continue;
    optional += more;
    unions += mixed;
    schemas.push([name, schemaOf(plain, strictness)]);
  }
  return Object.fromEntries(schemas);
}

/** Strictness leaves nothing open: no value of any kind, no names that are not known before. */
function isStrict(plain: PlainSchema, depth: number): boolean {
  if (depth < 0 || plain.isLoose === true) return false;
  if (plain.type === "any" || plain.type === "map" || (plain.type === "list" && plain.first)) return false;
  return childrenOf(plain).every((child) => isStrict(child, plain.type === "union" ? depth : depth - 1));
}

const optionalIn = (plain: PlainSchema): number =>
  plain.type === "object" ? plain.properties.filter(({ isRequired }) => !isRequired).length : 0;

/**
 * The arguments without the nulls that stand for what was left out: the provider demands every argument, and those
 * that may be left out were made nullable for it.
 */
export function withoutNulls(input: JsonObject, schema: JsonObject): JsonObject {
  const left = leaveOut(input, plainSchema(schema));
  return isJsonObject(left) ? left : input;
}

function leaveOut(value: Json, plain: PlainSchema): Json {
  if (Array.isArray(value))
    return plain.type === "list" ? value.map((one) => leaveOut(one, plain.items)) : value;
  if (!isJsonObject(value)) return value;
  const shape = plain.type === "union" ? plain.of.find(({ type }) => type === "object") : plain;
  if (shape?.type !== "object") return value;
  const entries = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    const property = shape.properties.find((known) => known.name === name);
    if (!property) return [[name, one]];
    const { schema, isRequired } = property;
    return one === null && !isRequired && !allowsNull(schema) ? [] : [[name, leaveOut(one, schema)]];
  });
  return Object.fromEntries(entries);
}
