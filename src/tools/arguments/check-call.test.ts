import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { scale } from "../../testing/scale.ts";
import { checkCall, type ToolBySchema } from "./check-call.ts";
import { problemBySchema } from "./schema-check.ts";

const closed = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const roll: ToolBySchema = {
  name: "roll_dice",
  schema: closed({ sides: { type: "integer", minimum: 2 }, count: { type: "integer", default: 1 } }, [
    "sides",
  ]),
  aliases: { sides: ["faces"] },
};
const call = (input: JsonObject, more: Partial<ToolCall> = {}): ToolCall => ({
  id: "1",
  name: "roll_dice",
  input,
  source: "native",
  ...more,
});
const check = (input: JsonObject, schema: JsonObject) =>
  checkCall(call(input, { name: "t" }), { tools: [{ name: "t", schema }] });
const problemOf = (input: JsonObject, schema: JsonObject): string => {
  const checked = check(input, schema);
  return checked.ok ? "" : (/invalid \((.*)\)\n/s.exec(checked.problem)?.[1] ?? checked.problem);
};

test("a correct call is left unchanged", () => {
  const right = call({ sides: 6, count: 2 });
  expect(checkCall(right, { tools: [roll] })).toEqual({ ok: true, call: right });
});

test("D8: tool name, argument names, types and defaults are repaired and recorded, and the original is kept", () => {
  const written = call(
    { Faces: "6" },
    { name: "functions.rollDice", repairs: [{ code: "comma", detail: "x" }] },
  );
  expect(checkCall(written, { tools: [roll] })).toEqual({
    ok: true,
    call: {
      ...written,
      name: "roll_dice",
      input: { sides: 6, count: 1 },
      rawArguments: '{"Faces":"6"}',
      repairs: [
        { code: "comma", detail: "x" },
        { code: "tool-renamed", detail: '"functions.rollDice" to "roll_dice"' },
        { code: "argument-renamed", detail: '"Faces" to "sides"' },
        { code: "text-to-number", detail: '"sides": string read as integer' },
        { code: "default-filled", detail: '"count": 1' },
      ],
    },
  });
});

test("N6b: an undeclared tool is an error for the model", () => {
  expect(checkCall(call({}, { name: "launch" }), { tools: [roll] })).toEqual({
    ok: false,
    fault: "unknown_tool",
    problem: 'ERROR: The tool "launch" does not exist. The tools that exist: roll_dice.',
  });
});

test("an unreadable call keeps its own fault", () => {
  const fault = (more: Partial<ToolCall>): string => {
    const checked = checkCall(call({}, more), { tools: [roll] });
    return checked.ok ? "" : checked.fault;
  };
  expect(fault({ problem: "cut", fault: "truncated" })).toBe("truncated");
  expect(fault({ problem: "broken" })).toBe("malformed_arguments");
  expect(fault({ problem: "of a later version", fault: "quantum", name: "launch" })).toBe("quantum");
});

test.each<[string, JsonObject, string]>([
  [
    "what is missing, wrong and unknown",
    { count: "x", why: 1 },
    '"count" must be an integer; unknown argument "why"; known are: sides, count',
  ],
  ["a bound", { sides: 1 }, '"sides": 1 is less than 2.'],
  ["a value that only looks whole", { sides: "9007199254740993" }, '"sides" must be an integer'],
  ["null for what is required", { sides: null }, '"sides" must be an integer'],
])("N17: %s is reported", (_, input, expected) => {
  const checked = checkCall(call(input), { tools: [roll] });
  expect(checked).toMatchObject({ ok: false, fault: "invalid_arguments" });
  expect(checked.ok ? "" : checked.problem).toContain(expected);
});

test("problems in nested arguments are reported with their place", () => {
  const edits = {
    type: "array",
    items: closed({ old: { type: "string" }, how: { enum: ["a", "b"] } }, ["old"]),
  };
  const input: JsonObject = { edits: [{ old: "x" }, { how: "c" }, { old: [], "a/b~": 1 }], "": 1 };
  expect(problemOf(input, closed({ edits }))).toBe(
    '"edits[1].old" is required; "edits[1].how" must be one of "a","b"; "edits[2].old" must be a string; ' +
      'unknown argument "edits[2].a/b~"; known are: old, how; unknown argument ""; known are: edits',
  );
});

test("for alternatives the allowed types are reported, or that too many match", () => {
  const either: JsonObject = { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] };
  expect(problemOf({ it: "x" }, closed({ it: either }))).toBe('"it" must be an integer or a list');
  const both = { oneOf: [{ type: "integer" }, { type: "number" }, { type: "string" }] };
  expect(problemOf({ it: 5 }, closed({ it: both }))).toContain("(2 matches)");
});

test("arguments named __proto__ and constructor are treated like others", () => {
  const names = JSON.parse(
    '{"__proto__": {"type": "integer"}, "constructor": {"type": "string"}}',
  ) as JsonObject;
  const input = JSON.parse('{"__proto__": "5", "constructor": 6}') as JsonObject;
  const checked = check(input, closed(names));
  expect(JSON.stringify(checked.ok && checked.call.input)).toBe('{"__proto__":5,"constructor":"6"}');
  expect(problemOf(JSON.parse('{"__proto__": {}, "toString": 1}') as JsonObject, closed({ a: {} }))).toBe(
    'unknown argument "__proto__"; known are: a; unknown argument "toString"; known are: a',
  );
});

test.each(['{"__proto__": {"x": 1}}', '{"a": [{"b": {"__proto__": 1}}]}'])(
  "N17: %s is refused even where the schema takes anything",
  (json) => {
    expect(problemOf(JSON.parse(json) as JsonObject, {})).toBe('no argument may be named "__proto__"');
  },
);

test("defaults are filled into existing objects unless the schema itself refuses them", () => {
  const schema = closed({
    options: closed({ level: { type: "integer", default: 3 } }),
    list: { type: "array", items: closed({ on: { type: "boolean", default: true } }) },
    note: { type: "string", default: null },
    wrong: { type: "integer", default: "x" },
  });
  const filled = (input: JsonObject) => {
    const checked = check(input, schema);
    return checked.ok && checked.call.input;
  };
  expect(filled({})).toEqual({});
  expect(filled({ options: {}, list: [{}, { on: false }] })).toEqual({
    options: { level: 3 },
    list: [{ on: true }, { on: false }],
  });
  expect(check({}, closed({ count: { type: "integer", minimum: 5, default: 1 } }))).toMatchObject({
    ok: true,
    call: { input: {} },
  });
});

test("schemas with common mistakes are read as intended", () => {
  const schema: JsonObject = {
    type: "OBJECT",
    properties: {
      a: { type: "STRING", nullable: true, enum: ["x"] },
      b: { type: "anything", required: true },
      type: { type: "string" },
      required: { type: "boolean" },
    },
  };
  const input = { a: null, b: 5, type: "t", required: true };
  expect(check(input, schema)).toEqual({ ok: true, call: call(input, { name: "t" }) });
  expect(problemOf({ a: "y" }, schema)).toBe('"a" must be one of "x",null');
  expect(JSON.stringify(schema)).toContain('"STRING"');
});

const endless: JsonObject = { d0: { type: "string" } };
for (let level = 1; level < 40; level += 1)
  endless[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
let deepSchema: JsonObject = {};
for (let level = 0; level < 50_000; level += 1) deepSchema = { properties: { it: deepSchema } };

test.each<[string, JsonObject, Json]>([
  ["a broken pattern", closed({ it: { pattern: "(" } }), "x"],
  ["a reference to itself", { $ref: "#" }, "x"],
  ["a reference to nowhere", closed({ it: { $ref: "#/nowhere" } }), "x"],
  ["a reference to elsewhere", closed({ it: { $ref: "https://example.org/x" } }), "x"],
  [
    "more alternatives than can be tried",
    { ...closed({ it: { $ref: "#/$defs/d39" } }), $defs: endless },
    [5],
  ],
  ["too many levels", deepSchema, "x"],
  ["keywords of the wrong kind", { type: "object", anyOf: 7, properties: 5 }, "x"],
])("a schema with %s is a clear error", (_, schema, it) => {
  expect(problemOf({ it }, schema)).toMatch(
    /^the tool's own schema cannot be used: [^\n]+ do without this tool$/,
  );
});

test("a check that times out does not blame the schema and gives advice", () => {
  const schema = closed({ it: { pattern: "^(a+)+$" } });
  expect(problemOf({ it: `${"a".repeat(60)}b` }, schema)).toBe(
    "they could not be checked against the tool's schema in time: send less at once; if that does not help, do without this tool",
  );
});

test("huge or broken input still gets a verdict", () => {
  const list = closed({ it: { type: "array", items: closed({ n: { type: "integer" } }) } });
  expect(problemOf({ it: Array.from({ length: 20_000 }, () => ({ n: "x" })) }, list)).toBe(
    '"it[0].n" must be an integer',
  );
  expect(check({ it: Array.from({ length: 5000 }, () => ({ N: "1" })) }, list)).toMatchObject({ ok: true });
  expect(problemOf({ "\uD800": 1 }, list)).toBe("one of its names holds half a character");
  let deep: Json = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
  expect(problemOf({ it: deep }, list)).toBe("it is nested more than 128 levels deep");
});

test("an accepted call always satisfies its schema", () => {
  const words = fc.constantFrom(
    "type",
    "properties",
    "items",
    "enum",
    "anyOf",
    "a",
    "b",
    "__proto__",
    "required",
  );
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>("string", "integer", "array", "object", "5", "[1]", 5, true, null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(words, tie("value"), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(words, json), fc.dictionary(words, json), (schema, input) => {
      const checked = check(input, schema);
      expect(checked.ok ? problemBySchema(schema, checked.call.input) : undefined).toBeUndefined();
    }),
    { numRuns: 200 * scale },
  );
});

test("a required argument is found under another common name, unless two could be meant", () => {
  const edit = closed(
    { filePath: { type: "string" }, oldString: { type: "string" }, newString: { type: "string" } },
    ["filePath", "oldString", "newString"],
  );
  const given = check({ path: "a", old_text: "b", new_text: "c" }, edit);
  expect(given).toMatchObject({
    ok: true,
    call: { input: { filePath: "a", oldString: "b", newString: "c" } },
  });
  const two = { path: "a", file: "z", oldString: "b", newString: "c" };
  expect(check(two, edit)).toMatchObject({ ok: false });
});

test("an optional argument is found under another common name if the tool declares no second one like it", () => {
  const properties = { path: { type: "string" }, old_str: { type: "string" }, new_str: { type: "string" } };
  const edit = { type: "object", properties, required: ["path"] };
  expect(check({ file_path: "a", oldText: "b", newText: "c" }, edit)).toMatchObject({
    ok: true,
    call: { input: { path: "a", old_str: "b", new_str: "c" } },
  });
});

test("a common name stays as it is where nothing is missing, or where any name is allowed", () => {
  const run = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const both = { command: "ls", script: "x" };
  expect(check(both, run)).toMatchObject({ ok: true, call: { input: both } });
  const map = { ...run, additionalProperties: { type: "string" } };
  expect(check({ cmd: "ls" }, map)).toMatchObject({ ok: false });
});
