import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
import {
  itemSchema,
  narrowSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  textsAllowed,
  typesAllowed,
} from "./json-schema.ts";
import type { Json, JsonObject } from "./json.ts";

const types = (schema: Json, root: JsonObject = {}): string[] => [...typesAllowed(schema, root)].toSorted();

test.each<[string, Json, string[]]>([
  ["a type", { type: "string" }, ["string"]],
  ["number, which whole numbers are too", { type: "number" }, ["integer", "number"]],
  ["a list of types", { type: ["string", "null"] }, ["null", "string"]],
  ["Gemini's capitals", { type: "STRING" }, ["string"]],
  ["OpenAPI's nullable", { type: "string", nullable: true }, ["null", "string"]],
  ["OpenAPI's nullable beside values", { enum: ["a"], nullable: true }, ["null", "string"]],
  ["a constant", { const: 5 }, ["integer"]],
  ["allowed values", { enum: ["a", 1.5, null] }, ["null", "number", "string"]],
  ["a type and values", { type: "string", enum: ["a", 1] }, ["string"]],
  ["alternatives", { anyOf: [{ type: "integer" }, { type: "string" }] }, ["integer", "string"]],
  ["exclusive alternatives", { oneOf: [{ type: "null" }, { const: true }] }, ["boolean", "null"]],
  ["all of them", { allOf: [{ type: ["string", "null"] }, { type: ["string", "array"] }] }, ["string"]],
  ["properties without a type", { properties: {} }, ["object"]],
  ["items without a type", { items: {} }, ["array"]],
  ["an alternative that may be anything", { anyOf: [{ type: "string" }, {}] }, []],
  ["an alternative that can never be", { anyOf: [{ type: "string" }, false] }, ["string"]],
  ["a type that nobody knows", { type: "text" }, []],
  ["nothing", {}, []],
  ["no schema at all", 5, []],
])("the types of %s", (_, schema, expected) => {
  expect(types(schema)).toEqual(expected);
});

test("references inside the schema are followed, with escaped names in them", () => {
  const root: JsonObject = {
    $defs: { "a/b ~c": { type: "boolean" }, list: [{ type: "null" }], again: { $ref: "#/$defs/a~1b%20~0c" } },
    type: "object",
  };
  expect(types({ $ref: "#/$defs/again" }, root)).toEqual(["boolean"]);
  expect(types({ $ref: "#/$defs/list/0" }, root)).toEqual(["null"]);
  expect(types({ $ref: "#" }, root)).toEqual(["object"]);
  for (const $ref of ["#/nowhere", "#/$defs/%", "#anchor", "other.json", 5, "#/constructor", "#/__proto__"])
    expect(types({ $ref }, root), String($ref)).toEqual([]);
});

const shape: JsonObject = {
  type: "object",
  properties: { a: { type: "string" }, constructor: { type: "integer" } },
  required: ["a"],
  allOf: [{ properties: { b: { type: "null" }, a: { enum: ["x"] } }, required: ["b"] }],
  anyOf: [
    { properties: { c: { type: "string" } }, required: ["c", "d"] },
    { properties: { c: { type: "boolean" } }, required: ["d"] },
    { type: "string" },
  ],
};

test("a property's schemas are combined, wherever they stand in the object's schema", () => {
  const property = (name: string): string[] => types(propertySchema(shape, name, shape) ?? {}, shape);
  expect(["a", "b", "c", "constructor"].map(property)).toEqual([
    ["string"],
    ["null"],
    ["boolean", "string"],
    ["integer"],
  ]);
  expect(propertySchema(shape, "other", shape)).toBeUndefined();
  expect(propertySchema({ type: "object" }, "toString", {})).toBeUndefined();
  expect(propertyNames(shape, shape)).toEqual(["a", "constructor", "b", "c"]);
});

test("an undeclared property gets the schema of additionalProperties", () => {
  const map = { properties: { a: {} }, additionalProperties: { type: "integer" } };
  expect(propertySchema(map, "b", map)).toEqual({ type: "integer" });
  expect(propertySchema({ additionalProperties: false }, "b", {})).toBe(false);
  expect(propertySchema({ ...map, patternProperties: { "^b": {} } }, "b", map)).toBeUndefined();
});

test("a property is required if every alternative requires it", () => {
  const schema = { required: ["a"], anyOf: [{ required: ["b", "c"] }, { required: ["c"] }] };
  expect(requiredNames(schema, {})).toEqual(["a", "c"]);
  expect(requiredNames({ anyOf: [{ required: ["b"] }, {}] }, {})).toEqual([]);
  expect(requiredNames({ required: true }, {})).toEqual([]);
});

test("item schemas come from lists, from tuples, and from the alternatives that are lists", () => {
  const tuple = { prefixItems: [{ type: "string" }, { type: "null" }], items: { type: "integer" } };
  expect([0, 1, 2].map((at) => types(itemSchema(tuple, {}, at) ?? {}))).toEqual([
    ["string"],
    ["null"],
    ["integer"],
  ]);
  expect(types(itemSchema(tuple, {}) ?? {})).toEqual(["integer", "null", "string"]);
  expect(itemSchema({ items: [{ type: "string" }], additionalItems: false }, {}, 1)).toBe(false);
  const either: JsonObject = { anyOf: [{ type: "null" }, { type: "array", items: { type: "string" } }] };
  expect(itemSchema(either, {})).toEqual({ type: "string" });
});

test("the allowed strings are known only where every alternative lists them", () => {
  expect(textsAllowed({ enum: ["a", 1, "b"] }, {})).toEqual(["a", "b"]);
  expect(textsAllowed({ anyOf: [{ enum: ["a"] }, { const: "b" }, { type: "null" }] }, {})).toEqual([
    "a",
    "b",
  ]);
  expect(textsAllowed({ anyOf: [{ enum: ["a"] }, { type: "string" }] }, {})).toBeUndefined();
  expect(textsAllowed({ type: "integer" }, {})).toBeUndefined();
  expect(textsAllowed({}, {})).toBeUndefined();
});

test("narrowing keeps the alternatives that the value can be meant for", () => {
  const a = { properties: { kind: { const: "a" } }, required: ["kind"] };
  const b = { properties: { kind: { const: "b" } }, required: ["kind"] };
  const root: JsonObject = { $defs: { either: { anyOf: [a, b, { type: "null" }] } } };
  expect(narrowSchema({ $ref: "#/$defs/either" }, { kind: "b" }, root)).toEqual({ anyOf: [b] });
  expect(narrowSchema({ $ref: "#/$defs/either", title: "x" }, {}, root)).toEqual({
    allOf: [{ anyOf: [a, b, { type: "null" }] }, { title: "x" }],
  });
  expect(narrowSchema({ oneOf: [a, b] }, { kind: "c" }, root)).toEqual({ oneOf: [a, b] });
});

test("schemas that refer to themselves still give their types and properties", () => {
  const root: JsonObject = {
    $defs: {
      loop: { $ref: "#/$defs/loop" },
      list: { anyOf: [{ type: "string" }, { $ref: "#/$defs/list" }] },
      tree: { type: "object", properties: { child: { $ref: "#/$defs/tree" } }, required: ["child"] },
    },
  };
  expect(types({ $ref: "#/$defs/loop" }, root)).toEqual([]);
  expect(types({ $ref: "#/$defs/list" }, root)).toEqual(["string"]);
  const tree = propertySchema({ $ref: "#/$defs/tree" }, "child", root);
  expect([propertyNames(tree, root), requiredNames(tree, root)]).toEqual([["child"], ["child"]]);
});

test("a schema whose every level references the one below twice is read once per level", () => {
  const $defs: JsonObject = { d0: { type: "string" } };
  for (let level = 1; level < 60; level += 1)
    $defs[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
  expect(types({ $ref: "#/$defs/d25" }, { $defs })).toEqual(["string"]);
  // Deeper than any real schema: the reader gives no answer.
  expect(types({ $ref: "#/$defs/d59" }, { $defs })).toEqual([]);
});

test("every query has an answer, whatever stands in place of a schema", () => {
  const keys = fc.constantFrom(
    "type",
    "$ref",
    "anyOf",
    "allOf",
    "properties",
    "items",
    "enum",
    "required",
    "x",
  );
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>("string", "#", "#/x", null, true, 5),
      fc.array(tie("schema"), { maxLength: 3 }),
      fc.dictionary(keys, tie("schema"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(schema, fc.dictionary(keys, schema), fc.jsonValue(), (any, root, value) => {
      expect(typesAllowed(any, root).size).toBeLessThanOrEqual(7);
      expect(Array.isArray(propertyNames(any, root)) && Array.isArray(requiredNames(any, root))).toBe(true);
      narrowSchema(any, JSON.parse(JSON.stringify(value)), root);
      textsAllowed(propertySchema(any, "x", root), root);
      itemSchema(any, root, 1);
    }),
    { numRuns: 300 * scale },
  );
});
