/** Test helper: JSON Schemas of tools, and values that are valid by them, with their keys in the order of declaration. */

import fc from "fast-check";
import { parseJson, type Json, type JsonObject } from "../../base/json.ts";

type SchemaWithValue = { schema: JsonObject; value: fc.Arbitrary<Json> };

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("", "\n", '"', "\\", "</x>"),
);

const leaves: fc.Arbitrary<SchemaWithValue> = fc.constantFrom<SchemaWithValue>(
  { schema: { type: "string" }, value: texts },
  { schema: { type: "string", minLength: 2, maxLength: 4 }, value: fc.stringMatching(/^[a-z]{2,4}$/) },
  { schema: { type: "integer" }, value: fc.integer() },
  { schema: { type: "integer", minimum: 1 }, value: fc.integer({ min: 1 }) },
  { schema: { type: "integer", minimum: 0 }, value: fc.nat() },
  {
    schema: { type: "number" },
    value: fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
      .map((one) => Number(one.toFixed(6))),
  },
  {
    schema: { type: "number", minimum: -90, exclusiveMaximum: 90 },
    value: fc.integer({ min: -900, max: 899 }).map((tenths) => tenths / 10),
  },
  {
    schema: { type: "integer", maximum: 300, multipleOf: 6 },
    value: fc.integer({ min: -5000, max: 50 }).map((sixth) => sixth * 6),
  },
  { schema: { type: "string", pattern: "^[a-z]+(-\\d)?$" }, value: fc.stringMatching(/^[a-z]{1,9}(-\d)?$/) },
  { schema: { type: "string", format: "date" }, value: fc.constantFrom("2026-11-30", "2028-02-29") },
  { schema: { type: "boolean" }, value: fc.boolean() },
  { schema: { type: "null" }, value: fc.constant(null) },
  { schema: { enum: ["a", 'b"c', 3, null] }, value: fc.constantFrom<Json>("a", 'b"c', 3, null) },
  { schema: { const: "only" }, value: fc.constant("only") },
  { schema: { type: ["integer", "null"] }, value: fc.option(fc.integer()) },
  {
    schema: {},
    value: fc
      .jsonValue({ maxDepth: 2 })
      .map((value) => parseJson(JSON.stringify(value)))
      .filter((parsed) => parsed.ok)
      .map(({ value }) => value)
      .filter(isSmall),
  },
);

/** Numbers of more digits than a double holds are not offered. */
function isSmall(value: Json): boolean {
  return !/\d{16}|e[+-]?\d{3}/i.test(JSON.stringify(value).replaceAll(/"(?:\\.|[^"\\])*"/g, '""'));
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,6}$/), { maxLength: 5 });

const listOf = ({ schema, value }: SchemaWithValue): SchemaWithValue => ({
  schema: { type: "array", items: schema, minItems: 1, maxItems: 3 },
  value: fc.array(value, { minLength: 1, maxLength: 3 }),
});

const unionOf = ([one, other]: [SchemaWithValue, SchemaWithValue]): SchemaWithValue => ({
  schema: { anyOf: [one.schema, other.schema] },
  value: fc.oneof(one.value, other.value),
});

export const objects: fc.Arbitrary<SchemaWithValue> = fc.letrec<{
  any: SchemaWithValue;
  object: SchemaWithValue;
}>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    tie("any").map(listOf),
    fc.tuple(tie("any"), leaves).map(unionOf),
    tie("object"),
  ),
  object: names.chain((keys) =>
    fc
      .tuple(fc.array(fc.tuple(tie("any"), fc.boolean()), { minLength: keys.length, maxLength: keys.length }))
      .map(([parts]) => objectOf(keys, parts)),
  ),
})).object;

function objectOf(keys: readonly string[], parts: readonly [SchemaWithValue, boolean][]): SchemaWithValue {
  const declared = keys.map((key, at): [string, SchemaWithValue, boolean] => {
    const [part = { schema: {}, value: fc.constant(1) }, isRequired = false] = parts[at] ?? [];
    return [key, part, isRequired];
  });
  const required = declared.flatMap(([key, , isRequired]) => (isRequired ? [key] : []));
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(declared.map(([key, { schema }]) => [key, schema])),
      required,
      additionalProperties: false,
    },
    value: fc
      .tuple(
        ...declared.map(([, { value }, isRequired]) =>
          isRequired ? value : fc.option(value, { nil: undefined }),
        ),
      )
      .map((values) =>
        Object.fromEntries(
          declared.flatMap(([key], at): [string, Json][] => {
            const value = values[at];
            return value === undefined ? [] : [[key, value]];
          }),
        ),
      ),
  };
}
