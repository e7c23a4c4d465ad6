import fc from "fast-check";
import { expect, test } from "vitest";
import {
  arrayAt,
  asJson,
  errorKindOf,
  makeId,
  numberAt,
  objectAt,
  parseFrame,
  readArguments,
  retryAfterOf,
  writtenArguments,
  stringAt,
} from "./fields.ts";

test("field readers return only own values of the right type, from any input", () => {
  const object = { text: "a", number: 1, bad: Number.NaN, list: [1], inner: { b: 1 }, none: null };
  expect([
    stringAt(object, "text"),
    numberAt(object, "number"),
    arrayAt(object, "list"),
    objectAt(object, "inner"),
  ]).toEqual(["a", 1, [1], { b: 1 }]);
  for (const key of ["bad", "none", "missing", "constructor", "__proto__", "toString"])
    for (const at of [stringAt, numberAt, arrayAt, objectAt]) expect(at(object, key)).toBeUndefined();
  for (const anything of [null, undefined, 7, "text", [object], () => object])
    expect(stringAt(anything, "text")).toBeUndefined();
});

test("a frame that is not a JSON object damages the stream, and the error quotes at most 200 characters", () => {
  expect(parseFrame('{"a":1}')).toEqual({ a: 1 });
  for (const text of ["", "[1]", "null", "{", "<html>\n".repeat(10_000)])
    expect(() => parseFrame(text)).toThrowError(
      expect.objectContaining({
        kind: "server",
        fault: "stream_error",
        advice: "Try again.",
        message: expect.stringMatching(
          /^The provider sent something that is not a JSON object: (?:nothing|“[^\n]{1,200}”)\.$/u,
        ) as string,
      }),
    );
});

test("a retry delay is read from seconds, a date or milliseconds and is never negative", () => {
  const in90 = new Date(Date.now() + 90_000).toUTCString();
  expect(retryAfterOf({ "retry-after": "2.5" })).toBe(2500);
  expect(retryAfterOf({ "retry-after": "9", "retry-after-ms": "120" })).toBe(120);
  expect(retryAfterOf({ "retry-after": in90 })).toBeGreaterThan(80_000);
  expect(retryAfterOf({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" })).toBe(0);
  for (const headers of [{}, { "retry-after": "soon" }, { "retry-after": "" }, { "retry-after-ms": "-1" }])
    expect(retryAfterOf(headers)).toBeUndefined();
});

test("a status alone determines the kind of an error", () => {
  const statuses = [400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529];
  expect(statuses.map((status) => errorKindOf(status))).toEqual([
    "bad-request",
    "auth",
    "auth",
    "unknown-model",
    "timeout",
    "context-overflow",
    "bad-request",
    "rate-limit",
    "server",
    "server",
    "overloaded",
    "timeout",
    "overloaded",
  ]);
});

test("arguments are read from a string or an object; unreadable ones are marked and kept", () => {
  for (const nothing of [undefined, null, "", " \n"]) expect(readArguments(nothing)).toEqual({ input: {} });
  expect(readArguments('{"a": [1]}')).toEqual({ input: { a: [1] } });
  expect(readArguments({ a: { b: null } })).toEqual({ input: { a: { b: null } } });
  expect(readArguments("[1]")).toEqual({
    input: {},
    problem: "The arguments are not a JSON object.",
    fault: "malformed_arguments",
    rawArguments: "[1]",
  });
  expect(readArguments("{a b}")).toMatchObject({
    input: {},
    problem: expect.stringContaining("not valid JSON") as string,
  });
  expect(readArguments(`{"a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`).problem).toContain(
    "more than 128 levels",
  );
});

test("arguments keep their original text if a number in them exceeds double precision", () => {
  const long = '{ "id": 12345678901234567890 }';
  expect(readArguments(long)).toEqual({ input: JSON.parse(long), rawArguments: long });
  expect(writtenArguments(readArguments(long))).toBe(long);
  expect(writtenArguments({ input: { id: 1 }, rawArguments: long })).toBe('{"id":1}');
  for (const rawArguments of [undefined, "", "{'a': 1}", '"{\\"a\\":1}"'])
    expect(
      writtenArguments({ input: { a: 1 }, ...(rawArguments === undefined ? {} : { rawArguments }) }),
    ).toBe('{"a":1}');
});

test("N11: arguments that end inside a value are truncated; other damage, even a missing bracket, is malformed", () => {
  const cut = [
    "{",
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"b',
    '{"a":"b\\',
    '{"a":1',
    '{"a":tru',
    '{"a":[',
    '{"a":1,',
  ];
  for (const text of cut) expect([text, readArguments(text).fault]).toEqual([text, "truncated"]);
  const damaged = [
    '{"a":"b"',
    '{"a":{"b":[]}',
    "{a",
    '"a":1}',
    '{"a":1}{"b":2}',
    '{"a":1}}',
    "do it",
    "7",
    "tru",
  ];
  for (const text of damaged)
    expect([text, readArguments(text).fault]).toEqual([text, "malformed_arguments"]);
});

test.each([
  ["a comma at the end", '{"path":"a",}', { path: "a" }, ["comma"]],
  ["a raw line break", '{"path":"a","text":"x\ny"}', { path: "a", text: "x\ny" }, ["control"]],
  ["single quotes", "{'path':'it is'}", { path: "it is" }, ["quotes"]],
  ["a fence around", '```json\n{"path":"a"}\n```', { path: "a" }, []],
  ["a path of Windows", '{"path":"C:\\temp\\x"}', { path: "C:\\temp\\x" }, ["backslash"]],
  ["a pattern", '{"path":"\\d+"}', { path: "\\d+" }, ["backslash"]],
  [
    "Python's words",
    '{"path":"a","line":None,"all":True}',
    { path: "a", line: null, all: true },
    ["literal"],
  ],
  ["a tag left over", '{"path":"a"}</tool_call>', { path: "a" }, ["trailing-text"]],
  ["a token left over", '{"path":"a"}<|call|>', { path: "a" }, ["trailing-text"]],
  ["entities", "{&quot;path&quot;: &quot;a&quot;}", { path: "a" }, []],
  ["escaped once too often", '{\\"path\\": \\"a\\"}', { path: "a" }, []],
  ["encoded twice and damaged", '"{\\"path\\":\\"a\\",}"', { path: "a" }, ["double-encoded", "comma"]],
  [
    "quotation marks inside",
    '{"text":"say "hi" now","line":1}',
    { text: 'say "hi" now', line: 1 },
    ["inner-quote?"],
  ],
])("native arguments are repaired as those of calls in text: %s", (_, text, input, codes) => {
  const { repairs = [], rawArguments, ...read } = readArguments(text);
  expect(read).toEqual({ input });
  if (codes.length > 0) expect(rawArguments).toBe(text);
  expect(repairs.map(({ code, guess }) => (guess === true ? `${code}?` : code))).toEqual(codes);
});

test("whatever damage a text call's arguments are read through, native ones are read alike", () => {
  const wild = fc.tuple(
    fc.dictionary(fc.constantFrom("path", "text", "n"), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
      minKeys: 1,
    }),
    fc.constantFrom<(json: string) => string>(
      (json) => json.replace(/\}$/, ",}"),
      (json) => json.replaceAll("\\n", "\n"),
      (json) => json.replaceAll(/"(path|text|n)":/g, "$1:"),
      (json) => `${json}</tool_call>`,
      (json) => `\`\`\`json\n${json}\n\`\`\``,
      (json) => JSON.stringify(json),
    ),
  );
  fc.assert(
    fc.property(wild, ([input, damage]) => {
      const read = readArguments(damage(JSON.stringify(input)));
      expect(read.problem ?? read.input).toEqual(input);
    }),
  );
});

test("arguments wrapped once too often by a proxy are unwrapped, and the repair is recorded", () => {
  const wrapped = [[{ a: 1 }], '[{"a":1}]', '"{\\"a\\":1}"'];
  for (const value of wrapped)
    expect(readArguments(value)).toEqual({
      input: { a: 1 },
      rawArguments: typeof value === "string" ? value : JSON.stringify(value),
      repairs: [{ code: expect.any(String) as string, detail: expect.any(String) as string }],
    });
  for (const empty of [[], "[]"])
    expect(readArguments(empty)).toMatchObject({ input: {}, repairs: [{ code: "list" }] });
  expect(readArguments('{} {"a":1}')).toMatchObject({ input: { a: 1 }, repairs: [{ code: "empty-first" }] });
  for (const other of [[{ a: 1 }, { b: 2 }], '"[1]"', '"a text"', [[{ a: 1 }]]])
    expect(readArguments(other)).toMatchObject({ input: {}, fault: "malformed_arguments" });
});

test("copies are plain JSON, with __proto__ as data", () => {
  const copy = asJson(JSON.parse('{"__proto__": {"x": 1}, "a": [1, {"b": null}]}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1},"a":[1,{"b":null}]}');
  expect(asJson([undefined, Number.NaN, 1n, Symbol.iterator])).toEqual([null, null, null, null]);
});

test("generated ids are valid in every format and unique", () => {
  const ids = Array.from({ length: 1000 }, () => makeId("call"));
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{16}$/);
});
