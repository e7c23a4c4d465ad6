import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { pythonText } from "./raw-values.ts";
import { templateJson } from "./template-json.ts";
import { isFragment, isPlainText, valueFromJson, valueFromText } from "./values.ts";

const read = (text: string, type?: Json): Json => valueFromText(text, type === undefined ? {} : { type }, {});

describe("a text is converted to the schema's type", () => {
  test.each<[string, Json | undefined, Json]>([
    ["0042", "string", "0042"],
    [" true\n", "string", " true\n"],
    ['{"a": 1}', "string", '{"a": 1}'],
    ["null", "string", "null"],
    [" 42\n", "integer", 42],
    ["5.0", "integer", 5],
    ["1_000", "integer", 1000],
    ["2.5", "number", 2.5],
    ["1e3", "number", 1000],
    ["True", "boolean", true],
    ["false", "boolean", false],
    ["None", "array", null],
    ["['a', \"it's\", 1,]", "array", ["a", "it's", 1]],
    ["{'k': {'m': None}}", "object", { k: { m: null } }],
    ["[1, 2", "array", "[1, 2"],
    ["five", "integer", "five"],
    ["", "integer", ""],
    ['"5"', "integer", 5],
    ["'True'", "boolean", true],
    ['"[1, 2]"', "array", [1, 2]],
    ['"words"', "integer", '"words"'],
    ["12345678901234567890", "integer", "12345678901234567890"],
    ["null", ["string", "null"], null],
    ["5", ["string", "integer"], 5],
    ["0x10", ["string", "integer"], "0x10"],
    ["true", undefined, true],
    ["True", undefined, "True"],
    ["words", undefined, "words"],
    ['"words"', undefined, '"words"'],
    ['[{"a": 1}]', undefined, [{ a: 1 }]],
  ])("%j as %j", (text, type, value) => {
    expect(read(text, type)).toEqual(value);
  });
});

test("a value declared as JSON is read as JSON, except a string that only looks like it", () => {
  const json = (text: string, type: Json): Json => valueFromJson(text, { type }, {});
  expect(json('"a"', "string")).toBe("a");
  expect(json("0042", "string")).toBe("0042");
  expect(json("7", "string")).toBe("7");
  expect(json("True", "boolean")).toBe(true);
  expect(json("7", "integer")).toBe(7);
});

test("isPlainText recognises schemas of plain strings, and isFragment recognises fragments of other values", () => {
  expect(isPlainText({ type: "string" }, {})).toBe(true);
  expect(isPlainText({ enum: ["a", "b"] }, {})).toBe(true);
  expect(isPlainText({ type: ["string", "null"] }, {})).toBe(false);
  expect(isPlainText({}, {})).toBe(false);
  expect(isFragment("]},{", { type: "integer" }, {})).toBe(true);
  expect(isFragment("['", { type: "array" }, {})).toBe(true);
  expect(isFragment("it's one", { type: "array" }, {})).toBe(false);
  expect(isFragment(null, { type: "integer" }, {})).toBe(false);
  expect(isFragment("['", { type: "string" }, {})).toBe(false);
  expect(isFragment("['", {}, {})).toBe(false);
});

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom("'", '"', "\\", "\n", "\u0001", "', '", "\\x", "é", "😀", "None", "]"),
      fc.string(),
    ),
    { maxLength: 5 },
  )
  .map((all) => all.join(""));
const plain = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null));
const nested: fc.Arbitrary<Json> = fc.oneof(
  fc.array(fc.oneof(plain, fc.array(plain, { maxLength: 2 })), { maxLength: 4 }),
  fc.dictionary(text, plain, { maxKeys: 3, noNullPrototype: true }),
);

test("lists and objects are read back unchanged from Python and from JSON notation", () => {
  fc.assert(
    fc.property(nested, (value) => {
      const type = Array.isArray(value) ? "array" : "object";
      expect(read(pythonText(value), type)).toEqual(value);
      expect(read(templateJson(value), type)).toEqual(value);
    }),
  );
});

test("pythonText writes values with Python's keywords and quotation marks", () => {
  expect(pythonText([true, null, "it's", 'a "b" c\'s', "x\n\\\u0001", { k: 1.5 }])).toBe(
    `[True, None, "it's", 'a "b" c\\'s', 'x\\n\\\\\\x01', {'k': 1.5}]`,
  );
});
