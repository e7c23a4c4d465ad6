import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { scale } from "../../testing/scale.ts";
import { tool } from "../testing/reading.ts";
import { objects } from "../testing/schemas.ts";
import { anthropicStrictness, openaiStrictness, strictSchemas, withoutNulls } from "./strict-tools.ts";

const search: JsonObject = {
  type: "object",
  properties: {
    text: { type: "string", description: "What to look for.", minLength: 1, default: "x" },
    most: { type: "integer", minimum: 1, description: "How many." },
    kind: { enum: ["file", "line"] },
    inside: { type: "object", properties: { path: { $ref: "#/$defs/path" } } },
  },
  required: ["text"],
  $defs: { path: { type: "string" } },
};
const named = (name: string, schema: JsonObject) => ({ name, description: "", schema });

test("OpenAI: every argument is required, and may be null if it could be left out", () => {
  expect(strictSchemas([named("search", search)], openaiStrictness)).toEqual({
    search: {
      type: "object",
      properties: {
        text: { type: "string", description: "What to look for." },
        most: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], description: "How many." },
        kind: { enum: ["file", "line", null] },
        inside: {
          anyOf: [
            {
              type: "object",
              properties: { path: { anyOf: [{ type: "string" }, { type: "null" }] } },
              required: ["path"],
              additionalProperties: false,
            },
            { type: "null" },
          ],
        },
      },
      required: ["text", "most", "kind", "inside"],
      additionalProperties: false,
    },
  });
});

test("Anthropic: arguments stay optional, and words that it does not know are left out", () => {
  expect(strictSchemas([named("search", search)], anthropicStrictness)["search"]).toMatchObject({
    properties: { text: { type: "string" }, most: { type: "integer", description: "How many." } },
    required: ["text"],
    additionalProperties: false,
  });
  expect(JSON.stringify(strictSchemas([named("search", search)], anthropicStrictness))).not.toMatch(
    /minimum|minLength|\$ref/,
  );
});

test("a tool with open arguments, or deeper ones than are accepted, is not strict; the others are", () => {
  let deep: JsonObject = { type: "string" };
  for (let depth = 0; depth < 12; depth += 1) deep = { type: "array", items: deep };
  const tools = [
    named("open", { type: "object" }),
    named("any", { type: "object", properties: { value: {} } }),
    named("more", { type: "object", properties: { a: { type: "string" } }, additionalProperties: true }),
    named("words", { type: "object", properties: { a: { type: "object", patternProperties: { x: {} } } } }),
    named("deep", { type: "object", properties: { deep } }),
    tool("ping", {}),
  ];
  expect(Object.keys(strictSchemas(tools, openaiStrictness))).toEqual(["ping"]);
});

test("Anthropic takes 20 strict tools, with 24 optional arguments in all", () => {
  const many = Array.from({ length: 30 }, (_, at) => tool(`t${at}`, {}));
  expect(Object.keys(strictSchemas(many, anthropicStrictness))).toHaveLength(20);
  const optional = Array.from({ length: 9 }, (_, at) =>
    tool(`t${at}`, { a: "string", b: "string", c: "string" }),
  );
  expect(Object.keys(strictSchemas([...optional, tool("last", {})], anthropicStrictness))).toEqual([
    ...optional.slice(0, 8).map(({ name }) => name),
    "last",
  ]);
});

test("nulls that stand for arguments left out are read back as absent, others stay", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      path: { type: "string" },
      line: { type: "integer" },
      note: { type: ["string", "null"] },
      list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
    },
    required: ["path"],
  };
  expect(withoutNulls({ path: "a", line: null, note: null, list: [{ a: null }] }, schema)).toEqual({
    path: "a",
    note: null,
    list: [{}],
  });
  expect(withoutNulls({ path: null, other: null }, schema)).toEqual({ path: null, other: null });
});

test("whatever was left out comes back as it was", () => {
  const withValue = objects.chain(({ schema, value }) =>
    value.map((one): [JsonObject, Json] => [schema, one]),
  );
  fc.assert(
    fc.property(withValue, ([schema, value]) => {
      const [strict] = Object.values(strictSchemas([named("x", schema)], openaiStrictness));
      if (!strict || typeof value !== "object" || value === null || Array.isArray(value)) return;
      const names = Object.keys(strict["properties"] ?? {});
      const filled = Object.fromEntries(names.map((name): [string, Json] => [name, value[name] ?? null]));
      // What may be null anyway may be told apart by no one.
      const back = Object.entries(withoutNulls(filled, schema)).filter(
        ([name, one]) => one !== null || name in value,
      );
      expect(Object.fromEntries(back)).toEqual(value);
    }),
    { numRuns: 200 * scale },
  );
});
