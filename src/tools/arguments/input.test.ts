import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
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

test("D8: arguments are converted to the schema's types where nothing is lost", () => {
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

test("D8: a string becomes an object with one required string property; in any less clear case it is left alone", () => {
  const listOf = (item: JsonObject): JsonObject => ({
    type: "object",
    properties: { items: { type: "array", items: item } },
  });
  const text = { type: "string" };
  const one = { type: "object", properties: { label: text, detail: text }, required: ["label"] };
  const read = mendInput(listOf(one), { items: ["a", { label: "b" }, '{"label":"c"}', 5] });
  expect(read.input).toEqual({ items: [{ label: "a" }, { label: "b" }, { label: "c" }, 5] });
  expect(read.repairs.map(({ code }) => code)).toEqual(["text-to-object", "text-to-json"]);
  const others: JsonObject[] = [
    { ...one, required: ["label", "detail"] },
    { ...one, required: [] },
    { ...one, properties: { label: { type: "integer" } } },
    { anyOf: [one, { type: "array", items: text }] },
    text,
  ];
  for (const item of others)
    expect(mendInput(listOf(item), { items: ["a"] }).input, JSON.stringify(item)).toEqual({ items: ["a"] });
});

test("D8: a lossy conversion is not made; the value is left for the check to refuse", () => {
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
    { count: "+5" },
    { count: "1,000" },
    { ratio: "0.10000000000000000555" },
    { ratio: "Infinity" },
    { path: 2 ** 53 },
    { path: 1e21 },
    { path: ["a"] },
    { path: { type: "string", description: "where" } },
    { names: "" },
    { names: "[a, b]" },
    { edits: "none of it" },
    { kind: "AB" },
    { path: null },
    { kind: "c" },
  ];
  for (const input of lossy)
    expect(mendInput(schema, input), JSON.stringify(input)).toEqual({ input, repairs: [] });
});

test("a list or object written as a string, even in Python syntax, is parsed if it has exactly one reading", () => {
  expect(
    mended({ path: "x", names: "['it', \"isn't\", 'c:\\\\d',]", options: "{'level': 3, 'note': None}" }),
  ).toEqual({
    path: "x",
    names: ["it", "isn't", "c:\\d"],
    options: { level: 3, note: null },
  });
  for (const names of ["[1, NaN]", "[007]", "['say 'no', ok']", "['a', 'b'", "['\\x41']"])
    expect(mended({ names }), names).toEqual({ names });
});

test("a single item that only resembles a list becomes a list item", () => {
  expect(mended({ names: "[id].tsx" })).toEqual({ names: ["[id].tsx"] });
  expect(mended({ edits: '{"line": "2"}' })).toEqual({ edits: [{ line: 2 }] });
  const lists: JsonObject = {
    type: "object",
    properties: { rows: { type: "array", items: { type: "array", items: { type: "integer" } } } },
  };
  expect(mendInput(lists, { rows: [1, 2] })).toEqual({ input: { rows: [1, 2] }, repairs: [] });
});

test("quotation marks are dropped around a value that is not a string", () => {
  expect(mended({ count: '"5"', deep: '"true"', path: '"x"' })).toEqual({
    count: 5,
    deep: true,
    path: '"x"',
  });
});

test("a value wrapped in a copy of its schema is unwrapped", () => {
  const copies = {
    path: { type: "string", value: "x" },
    count: { type: "integer", value: "5", description: "how many" },
    options: { type: "object", value: {} },
  };
  expect(mended(copies)).toEqual({ path: "x", count: 5, options: copies.options });
});

test("an object given for a string becomes its JSON text, recorded as a guess", () => {
  expect(mendInput(schema, { path: { a: [1] } })).toEqual({
    input: { path: '{"a":[1]}' },
    repairs: [{ code: "object-to-text", detail: `"path": object read as string`, guess: true }],
  });
});

test("an enum value matches case-insensitively if only one value matches", () => {
  const cases: JsonObject = { type: "object", properties: { a: { enum: ["One", "Two", "TWO"] } } };
  expect(mendInput(cases, { a: "one" })).toEqual({
    input: { a: "One" },
    repairs: [{ code: "case", detail: `"a": "one" read as "One"` }],
  });
  expect(mendInput(cases, { a: "two" })).toEqual({ input: { a: "two" }, repairs: [] });
});

test("a string outside a short enum may be read as another allowed type", () => {
  const either: JsonObject = {
    type: "object",
    properties: {
      size: { anyOf: [{ enum: ["auto"] }, { type: "integer" }] },
      on: { enum: ["AUTO", true, null] },
    },
  };
  const mendedOf = (input: JsonObject) => mendInput(either, input).input;
  expect(mendedOf({ size: "5", on: "True" })).toEqual({ size: 5, on: true });
  expect(mendedOf({ size: "AUTO", on: "null" })).toEqual({ size: "auto", on: null });
  expect(mendedOf({ size: "other", on: "other" })).toEqual({ size: "other", on: "other" });
});

test("words for null are read as null where no string is allowed", () => {
  expect(
    mended({
      path: "None",
      count: "None",
      kind: "none",
      names: "null",
      options: { level: "null", note: "None" },
    }),
  ).toEqual({
    path: "None",
    options: { note: "None" },
  });
});

test("A20: arguments inside a wrapper or a copy of the schema are unwrapped if all of them are declared", () => {
  const inside = { path: "x", Count: "5" };
  const wrapped: JsonObject[] = [
    { arguments: inside },
    { input: JSON.stringify(inside) },
    { params: { args: inside } },
    { type: "object", properties: inside, required: ["path"] },
  ];
  for (const input of wrapped) expect(mended(input)).toEqual({ path: "x", count: 5 });
  const others: JsonObject[] = [
    { arguments: { other: 1 } },
    { params: { args: { other: 1 } } },
    { arguments: inside, deep: true },
    { args: "x" },
  ];
  for (const input of others) expect(mended(input)).toEqual(input);
  const own: JsonObject = { type: "object", properties: { path: {}, input: { type: "object" } } };
  expect(mendInput(own, { input: { path: 1 } }).input).toEqual({ input: { path: 1 } });
  expect(mendInput({ type: "object" }, { input: {} }).input).toEqual({ input: {} });
  expect(mendInput({ additionalProperties: false }, { input: {} }).input).toEqual({});
});

test("nested argument names are repaired too, except where the schema allows any name", () => {
  expect(mended({ edits: [{ Line: 1, TEXT: "x" }] })).toEqual({ edits: [{ line: 1, text: "x" }] });
  const map: JsonObject = {
    type: "object",
    properties: { env: { properties: { path: {} }, additionalProperties: { type: "string" } } },
  };
  expect(mendInput(map, { env: { PATH: 5 } }).input).toEqual({ env: { PATH: "5" } });
});

test("a constant in an alternative selects the types that apply", () => {
  const kinds: JsonObject = {
    type: "object",
    properties: {
      shape: {
        anyOf: [
          { type: "object", properties: { kind: { const: "a" }, n: { type: "integer" } } },
          { type: "object", properties: { kind: { const: "b" }, n: { type: "string" } } },
        ],
      },
    },
  };
  const shape = (kind: string) => mendInput(kinds, { shape: { kind, n: "5" } }).input;
  expect([shape("a"), shape("b"), shape("c")]).toEqual([
    { shape: { kind: "a", n: 5 } },
    { shape: { kind: "b", n: "5" } },
    { shape: { kind: "c", n: "5" } },
  ]);
});

test("choosing between two different values for one argument is recorded as a guess", () => {
  const guessed = (input: JsonObject) => mendInput(schema, input).repairs.map(({ guess = false }) => guess);
  expect(guessed({ path: "a", PATH: "b" })).toEqual([true]);
  expect(guessed({ path: "a", PATH: "a" })).toEqual([false]);
});

test("a thousand repairs of one kind are reported as a few plus a count", () => {
  const { input, repairs } = mendInput(schema, { names: Array(1000).fill(1) });
  expect(input).toEqual({ names: Array(1000).fill("1") });
  expect(repairs).toHaveLength(21);
  expect(repairs.at(-1)).toEqual({ code: "more", detail: "980 more of the kind" });
});

test("D8: null for an optional argument counts as absent, unless null is allowed", () => {
  expect(mendInput(schema, { path: "x", count: null, anything: null })).toEqual({
    input: { path: "x", anything: null },
    repairs: [{ code: "null-dropped", detail: `"count" was null, which is read as absent` }],
  });
});

test("every repair is recorded", () => {
  expect(mendInput(schema, { edits: { line: "1" }, Path: 5 }, {}).repairs).toEqual([
    { code: "argument-renamed", detail: `"Path" to "path"` },
    { code: "item-to-list", detail: `"edits": object read as array` },
    { code: "text-to-number", detail: `"edits[0].line": string read as integer` },
    { code: "value-to-text", detail: `"path": integer read as string` },
  ]);
});

test("A23: aliases match exactly, then without case and separators; a declared name in the input wins", () => {
  const aliases = { path: ["file", "filePath"] };
  const names = (input: JsonObject): JsonObject => mendInput(schema, input, aliases).input;
  expect(names({ file: "a" })).toEqual({ path: "a" });
  expect(names({ file_path: "a" })).toEqual({ path: "a" });
  expect(names({ FilePath: "a", PATH: "b" })).toEqual({ path: "a" });
  expect(names({ file: "a", path: "b" })).toEqual({ path: "b" });
  expect(names({ file: "a", path: null })).toEqual({ path: "a" });
  expect(names({ unknown: "a" })).toEqual({ unknown: "a" });
});

test("a loosely written name that fits two arguments is given to neither", () => {
  const two: JsonObject = { type: "object", properties: { aB: { type: "string" }, a_b: { type: "string" } } };
  expect(mendInput(two, { ab: "x" }).input).toEqual({ ab: "x" });
});

test("arguments named __proto__ and the like are treated as any other and reach no prototype", () => {
  const input = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "path": "x"}') as JsonObject;
  const result = mended(input);
  expect(JSON.stringify(result)).toBe('{"path":"x","__proto__":{"polluted":true},"constructor":1}');
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("self-referential schemas, dangling references and deep inputs are handled without a loop or exception", () => {
  const loop: JsonObject = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } };
  expect(mendInput(loop, { x: 1 }).input).toEqual({ x: 1 });
  expect(mendInput({ $ref: "#/nowhere/at/all" }, { x: 1 }).input).toEqual({ x: 1 });
  const tree: JsonObject = { type: "object", properties: { child: { $ref: "#" }, n: { type: "integer" } } };
  let deep: JsonObject = { n: "1" };
  for (let i = 0; i < 5000; i++) deep = { child: deep };
  expect(mendInput(tree, { child: { child: { n: "3" } } }).input).toEqual({ child: { child: { n: 3 } } });
  expect(mendInput(tree, deep).input).toHaveProperty("child");
});

test("input that is already valid is never changed", () => {
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

test("repairing arbitrary input against an arbitrary schema never throws", () => {
  const json = fc.jsonValue().map((value) => value as Json);
  const object = fc.dictionary(fc.string(), json);
  fc.assert(
    fc.property(object, object, (anySchema, input) => {
      for (const repair of mendInput(anySchema, input).repairs) expect(repair.detail).not.toBe("");
    }),
  );
});
