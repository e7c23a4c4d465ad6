/** Third-party schemas, rewritten so that all providers accept them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { toldSchema } from "./foreign-schema.ts";

const told = (schema: Json | undefined, most = 32_000): JsonObject =>
  toldSchema(schema, { most, words: (text) => text.slice(0, 200) });
const anything = { type: "object", properties: {}, additionalProperties: true };

test.each([[undefined], [true], [false], [null], ["text"], [[1]]])(
  "a missing or invalid schema accepts any arguments: %j",
  (schema) => {
    expect(told(schema)).toEqual(anything);
  },
);

test("a root without a type, with references and alternatives, becomes an object with all properties", () => {
  expect(
    told({
      $schema: "http://json-schema.org/draft-04/schema#",
      anyOf: [{ $ref: "#/definitions/a" }, { properties: { b: true }, required: ["b", "both"] }],
      properties: { both: { type: ["STRING", "null"], format: "no-such-format" } },
      definitions: {
        a: {
          properties: { a: { type: "number", minimum: 1, exclusiveMinimum: true } },
          required: ["a", "both"],
        },
      },
    }),
  ).toEqual({
    type: "object",
    properties: { both: { type: ["string", "null"] }, a: { type: "number", minimum: 1 }, b: {} },
    required: ["both"],
  });
});

test("a required property that is not declared is not required", () => {
  const properties = { a: { type: "string" } };
  expect(told({ type: "object", properties, required: ["a", "ghost"] })).toEqual({
    type: "object",
    properties,
    required: ["a"],
  });
});

test("a recursive schema is expanded to a limited depth", () => {
  const inner = { type: "object", properties: { next: {}, value: { type: "string" } } };
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" }, value: { type: "string" } } };
  expect(told({ type: "object", properties: { tree: { $ref: "#/$defs/node" } }, $defs: { node } })).toEqual({
    type: "object",
    properties: {
      tree: { type: "object", properties: { next: inner, value: { type: "string" } } },
    },
  });
});

test("a schema that is too long loses its descriptions first, then its nested parts", () => {
  const field = { type: "object", description: "x".repeat(150), properties: { a: { type: "string" } } };
  const large = {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, field])),
  };
  expect(JSON.stringify(told(large, 6_000))).not.toContain("xx");
  expect(told(large, 6_000)).toMatchObject({ properties: { f1: { properties: { a: { type: "string" } } } } });
  expect(told(large, 10)).toEqual(anything);
});

test("expansion of references that multiply exponentially is bounded", () => {
  const levels = Array.from({ length: 40 }, (_, at) => [
    `l${at}`,
    { type: "object", properties: { a: { $ref: `#/$defs/l${at + 1}` }, b: { $ref: `#/$defs/l${at + 1}` } } },
  ]);
  const schema = {
    type: "object",
    properties: { x: { $ref: "#/$defs/l0" } },
    $defs: Object.fromEntries(levels),
  };
  expect(JSON.stringify(told(schema)).length).toBeLessThanOrEqual(32_000);
});

test("any input becomes an object schema within the bound, without references or odd names", () => {
  const key = fc.constantFrom(
    "type",
    "properties",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "$ref",
    "required",
    "enum",
    "const",
    "additionalProperties",
    "description",
    "__proto__",
    "a b",
  );
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<Json>("#", "#/properties/type", "object", true, false, null, 3, "x"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, (schema) => {
      const result = told(schema, 2_000);
      expect(result).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(2_000);
      expect(JSON.stringify(result)).not.toMatch(/"\$ref"|"a b":/u);
    }),
  );
});
