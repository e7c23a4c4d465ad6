import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../base/json.ts";
import { mendInput } from "./input.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    edits: { type: "array", items: { $ref: "#/$defs/edit" } },
    options: {
      type: "object",
      properties: { level: { type: "integer" }, note: { type: ["string", "null"] } },
    },
    either: { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
    kind: { enum: ["a", "b"] },
    anything: {},
  },
  required: ["path"],
  $defs: { edit: { type: "object", properties: { line: { type: "integer" }, text: { type: "string" } } } },
};

const mended = (input: JsonObject): JsonObject => mendInput(schema, input).input;

test("D8: values are mended where nothing is lost", () => {
  expect(
    mended({
      path: 5,
      count: "5",
      ratio: " -1.5e3 ",
      deep: "True",
      names: "one",
      edits: '[{"line": "3", "text": 7}]',
      options: '{"level": "2", "note": null}',
      either: "7",
      kind: "a",
    }),
  ).toEqual({
    path: "5",
    count: 5,
    ratio: -1500,
    deep: true,
    names: ["one"],
    edits: [{ line: 3, text: "7" }],
    options: { level: 2, note: null },
    either: 7,
    kind: "a",
  });
});

test("D8: what would lose something is left for the check to refuse", () => {
  const lossy: JsonObject[] = [
    { count: "5.5" },
    { count: "007" },
    { count: "9007199254740993" },
    { count: "0x10" },
    { count: "1e400" },
    { count: 1.5 },
    { count: "" },
    { deep: "yes" },
    { deep: 1 },
    { options: "not json" },
    { options: "[1]" },
    { path: { a: 1 } },
    { path: ["a"] },
    { path: null },
    { kind: "c" },
  ];
  for (const input of lossy)
    expect(mendInput(schema, input), JSON.stringify(input)).toEqual({ input, repairs: [] });
});

test("D8: null for what may be absent is absent, unless null is allowed", () => {
  expect(mendInput(schema, { path: "x", count: null, anything: null })).toEqual({
    input: { path: "x", anything: null },
    repairs: [{ code: "null-dropped", detail: `"count" was null, which is read as absent` }],
  });
});

test("every mending is recorded", () => {
  expect(mendInput(schema, { edits: { line: "1" }, Path: 5 }, {}).repairs).toEqual([
    { code: "argument-renamed", detail: `"Path" to "path"` },
    { code: "item-to-list", detail: `"edits": object read as array` },
    { code: "text-to-number", detail: `"edits[0].line": string read as integer` },
    { code: "value-to-text", detail: `"path": integer read as string` },
  ]);
});

test("A23: aliases are exact first, then without case and separators; a declared name that is present wins", () => {
  const aliases = { path: ["file", "filePath"] };
  const names = (input: JsonObject): JsonObject => mendInput(schema, input, aliases).input;
  expect(names({ file: "a" })).toEqual({ path: "a" });
  expect(names({ file_path: "a" })).toEqual({ path: "a" });
  expect(names({ FilePath: "a", PATH: "b" })).toEqual({ path: "a" });
  expect(names({ file: "a", path: "b" })).toEqual({ path: "b" });
  expect(names({ unknown: "a" })).toEqual({ unknown: "a" });
});

test("a loose name that could be two arguments is none of them", () => {
  const two: JsonObject = { type: "object", properties: { aB: { type: "string" }, a_b: { type: "string" } } };
  expect(mendInput(two, { ab: "x" }).input).toEqual({ ab: "x" });
});

test("names like __proto__ are arguments like others and reach no prototype", () => {
  const input = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "path": "x"}') as JsonObject;
  const result = mended(input);
  expect(JSON.stringify(result)).toBe('{"path":"x","__proto__":{"polluted":true},"constructor":1}');
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("schemas that refer to themselves, or to nowhere, and deep inputs are mended without end or exception", () => {
  const loop: JsonObject = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } };
  expect(mendInput(loop, { x: 1 }).input).toEqual({ x: 1 });
  expect(mendInput({ $ref: "#/nowhere/at/all" }, { x: 1 }).input).toEqual({ x: 1 });
  const tree: JsonObject = { type: "object", properties: { child: { $ref: "#" }, n: { type: "integer" } } };
  let deep: JsonObject = { n: "1" };
  for (let i = 0; i < 5000; i++) deep = { child: deep };
  expect(mendInput(tree, { child: { child: { n: "3" } } }).input).toEqual({ child: { child: { n: 3 } } });
  expect(mendInput(tree, deep).input).toHaveProperty("child");
});

test("whatever is valid already is never touched", () => {
  const value = fc.record(
    {
      path: fc.string(),
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
      deep: fc.boolean(),
      names: fc.array(fc.string()),
      options: fc.record({ level: fc.integer(), note: fc.oneof(fc.string(), fc.constant(null)) }),
      anything: fc.jsonValue().map((json) => json as Json),
    },
    { requiredKeys: ["path"] },
  );
  fc.assert(
    fc.property(value, (input) => {
      const plain = JSON.parse(JSON.stringify(input)) as JsonObject;
      expect(mendInput(schema, plain)).toEqual({ input: plain, repairs: [] });
    }),
  );
});

test("whatever a model sends and whatever the schema, mending ends without an exception", () => {
  const json = fc.jsonValue().map((value) => value as Json);
  const object = fc.dictionary(fc.string(), json);
  fc.assert(
    fc.property(object, object, (anySchema, input) => {
      for (const repair of mendInput(anySchema, input).repairs) expect(repair.detail).not.toBe("");
    }),
  );
});
