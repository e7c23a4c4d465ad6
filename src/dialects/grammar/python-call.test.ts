import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { scale } from "../../testing/scale.ts";
import { offeredTools } from "../extract.ts";
import { tool } from "../testing/reading.ts";
import { readPythonCalls, readPythonOrJson, writePythonCalls } from "./python-call.ts";

const offered = offeredTools([
  tool("write", { path: "string", content: "string", mode: "integer" }, ["path", "content"]),
  tool("roll", { sides: "integer", count: "integer" }, ["sides"]),
  tool("search", { query: "string", path: "string", limit: "integer" }, ["query"]),
  tool("save", { from: "string", to: "string" }, ["from", "to"]),
  tool("sort", { path: "string", query: "string" }, ["query"]),
  tool("ping", {}),
]);

function read(text: string, closed = true): [string, JsonObject, string[]][] | string {
  const found = readPythonCalls(text, { offered, closed });
  if (!found.ok) return found.cut ? "cut" : found.problem;
  return found.calls.map(({ name, input, repairs = [] }) => [name, input, repairs.map(({ code }) => code)]);
}

const value = (text: string): Json | string[] => {
  const found = read(`f(x=${text})`);
  return typeof found === "string" ? [found] : (found[0]?.[1]["x"] ?? null);
};

test.each<[string, string, Json]>([
  ["quotation marks of both kinds", `["a", 'b', "it's", 'say "hi"']`, ["a", "b", "it's", 'say "hi"']],
  ["escapes", String.raw`"\n\t\\\"\'\x41\u00e9\U0001F600\101\a"`, "\n\t\\\"'Aé😀A\u0007"],
  ["unknown escapes, which Python keeps", String.raw`"\d+\.\w \N{BULLET} \q"`, "\\d+\\.\\w \\N{BULLET} \\q"],
  [
    "escapes after what could be a drive letter",
    String.raw`["A:\n\\b", "a:\u003c", "B:\nwhat?", 'C:\\new']`,
    ["A:\n\\b", "a:<", "B:\nwhat?", "C:\\new"],
  ],
  ["a line continuation", '"a\\\nb"', "ab"],
  ["triple-quoted strings", `"""a\n"b" 'c'\n"""`, "a\n\"b\" 'c'\n"],
  ["a quotation mark before the end of a triple-quoted string", `"""say "hi""""`, 'say "hi"'],
  ["an empty string", `''`, ""],
  [
    "raw, byte and formatted strings",
    String.raw`[r"\d\"", b'x', f"y", Rb'\n', u"z"]`,
    ['\\d\\"', "x", "y", "\\n", "z"],
  ],
  ["adjacent strings", `("a"\n   'b')`, "ab"],
  [
    "numbers",
    "[0, -1, +2, 1.5, .5, 1., -2e-3, 1_000, 0x1F, 0b11, 0o17, 007]",
    [0, -1, 2, 1.5, 0.5, 1, -0.002, 1000, 31, 3, 15, 7],
  ],
  ["an integer too long for a JavaScript number", "12345678901234567890", "12345678901234567890"],
  ["Python's keywords", "[True, False, None]", [true, false, null]],
  ["JSON's keywords", "[true, false, null]", [true, false, null]],
  [
    "lists, tuples and objects",
    `{'a': [1, (2, 3), ()], "b": {}, 4: ('x',)}`,
    { a: [1, [2, 3], []], b: {}, 4: ["x"] },
  ],
  ["trailing commas and comments", "[1, # one\n 2,\n]", [1, 2]],
  ["brackets around a value", "(1)", 1],
])("values are read: %s", (_, text, expected) => {
  expect(value(text)).toEqual(expected);
});

test("a key with a special meaning in JavaScript is an ordinary key", () => {
  expect(JSON.stringify(value('{"__proto__": 1, "constructor": 2}'))).toBe('{"__proto__":1,"constructor":2}');
});

test.each([
  "name",
  "f()",
  "1 + 1",
  '"a" + "b"',
  '"a" % b',
  '"a".upper()',
  '"a"[0]',
  "[x for x in y]",
  '"a" if b else "c"',
  'f"{name}"',
  "{1, 2}",
  "{**a}",
  "*a",
  "lambda: 1",
  "1j",
  "NaN",
  "not True",
  "1 if 2",
])("an expression is refused and never evaluated: %s", (text) => {
  expect(read(`f(x=${text})`)).toEqual(expect.stringMatching(/expected|plain value/));
});

test.each<[string, string, unknown]>([
  ["one call", "roll(sides=6)", [["roll", { sides: 6 }, []]]],
  [
    "a list",
    "[ping(), roll(sides=6)]",
    [
      ["ping", {}, []],
      ["roll", { sides: 6 }, []],
    ],
  ],
  [
    "lines, commas, semicolons and comments",
    "ping() # one\n\nping(); ping(),\nping()",
    [1, 2, 3, 4].map(() => ["ping", {}, []]),
  ],
  [
    "several lists",
    "[ping()]\n[ping()]",
    [
      ["ping", {}, []],
      ["ping", {}, []],
    ],
  ],
  ["a call over lines", 'search(\n  query="x",\n  limit=3,\n)', [["search", { query: "x", limit: 3 }, []]]],
  [
    "dotted names, printed",
    "print(default_api.ping())\nprint( functions.ping( ) )",
    [
      ["default_api.ping", {}, []],
      ["functions.ping", {}, []],
    ],
  ],
  [
    "names with hyphens, words of Python as parameters",
    "mcp-x.get-it(from=1, class=2)",
    [["mcp-x.get-it", { from: 1, class: 2 }, []]],
  ],
  ["nothing", " [ ] ", []],
])("calls are read: %s", (_, text, calls) => {
  expect(read(text)).toEqual(calls);
});

test.each<[string, string, JsonObject]>([
  ["the first parameter", 'search("x")', { query: "x" }],
  ["the first two, told apart by their types", 'search("x", limit=2)', { query: "x", limit: 2 }],
  ["a signature", 'search("x", "src")', { query: "x", path: "src" }],
  ["two numbers, the second optional", "roll(6, 2)", { sides: 6, count: 2 }],
  ["an object with all arguments", 'search({"query": "x", "limit": 2})', { query: "x", limit: 2 }],
])("positional values are matched to parameters: %s", (_, text, input) => {
  expect(read(text)).toEqual([[text.split("(")[0], input, ["positional"]]]);
});

test.each([
  ["two that could be swapped", 'save("a", "b")'],
  ["a wrong type", 'roll("six")'],
  ["too many", "ping(1)"],
  ["an optional one that is declared first", 'sort("a")'],
  ["one after a named one", 'search(query="x", 5)'],
])("ambiguous positional values are refused: %s", (_, text) => {
  expect(read(text)).toEqual(expect.stringContaining("name=value"));
});

test("N19: a parameter cannot be given twice", () => {
  expect(read('search(query="x", query="y")')).toContain("given twice");
  expect(read('search("x", query="y")')).toContain("name=value");
});

test.each<[string, string, JsonObject, string[]]>([
  ["an apostrophe", "search(query='it's', limit=1)", { query: "it's", limit: 1 }, ["inner-quote"]],
  [
    "quoted words",
    `search(query="say "hi", ok", limit=1)`,
    { query: 'say "hi", ok', limit: 1 },
    ["inner-quote"],
  ],
  [
    "program text",
    `write(path='a', content='plt.plot(x, 'red', label='')')`,
    { path: "a", content: "plt.plot(x, 'red', label='')" },
    ["inner-quote"],
  ],
  [
    "a path",
    String.raw`write(path='C:\new\t.txt', content='')`,
    { path: "C:\\new\\t.txt", content: "" },
    ["backslash"],
  ],
  [
    "a path that is no escape",
    String.raw`search(query="C:\Users\me")`,
    { query: "C:\\Users\\me" },
    ["backslash"],
  ],
  ["a line break", "search(query='a\nb')", { query: "a\nb" }, ["control"]],
])("unescaped strings are read: %s", (_, text, input, repairs) => {
  expect(read(text)).toEqual([[text.split("(")[0], input, repairs]]);
});

test("a guessed repair is marked as a guess, and a certain one is not", () => {
  const guesses = (text: string): unknown => {
    const found = readPythonCalls(text, { offered, closed: true });
    return found.ok && found.calls.flatMap(({ repairs = [] }) => repairs.map(({ guess }) => guess ?? false));
  };
  expect(guesses("search(query='it's')")).toEqual([true]);
  expect(guesses(String.raw`search(query='C:\new')`)).toEqual([true]);
  expect(guesses(String.raw`search(query='C:\Users')`)).toEqual([false]);
  expect(guesses('search("x")')).toEqual([false]);
});

test("N11: calls truncated in or before a value count as cut; brackets missing after whole values are supplied", () => {
  for (const text of ['[search(query="x', "[search(query=", "[search(", "[search", '[search(query="x", '])
    expect(read(text, false)).toEqual("cut");
  expect(read("[roll(sides=6", false)).toBe("cut");
  expect(read('[search(query="x"', false)).toEqual([["search", { query: "x" }, ["closers"]]]);
  expect(read('[search(query="x")', false)).toEqual([["search", { query: "x" }, ["closers"]]]);
  expect(read("[roll(sides=6")).toEqual([["roll", { sides: 6 }, ["closers"]]]);
});

test("a program around the calls is refused as a whole", () => {
  for (const rest of ["\nx = 5", "\nfor i in y:\n  ping()", "\nimport os", " + 1", ".get()", "\nfoo[1]"])
    expect(read(`roll(sides=6)${rest}`)).toEqual(expect.stringContaining("expected"));
  expect(read("x = roll(sides=6)")).toEqual(expect.stringContaining("expected"));
});

test("JSON in place of Python calls is read, with its ids", () => {
  const found = readPythonOrJson('[{"name": "ping", "arguments": {}, "id": "c1"}]', {
    offered,
    closed: true,
  });
  expect(found).toMatchObject({ ok: true, calls: [{ id: "c1", name: "ping", input: {} }] });
});

const json = fc.letrec<{ any: Json; object: JsonObject }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom("it's", '"""', "'''", "\\", "\\n", "C:\\x", "\n", "🎲", ")]", "#", "{x}", "a=", "\u2028"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.string({ maxLength: 8 }), tie("any"), { maxKeys: 4 }),
}));

test.each([
  { quote: '"', words: "Python" },
  { quote: "'", words: "JSON" },
] as const)(
  "calls written with $quote and the keywords of $words are read back exactly or marked as a guess",
  (style) => {
    const input = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), json.any, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(input, { minLength: 1, maxLength: 3 }), fc.boolean(), (inputs, isList) => {
        const written = writePythonCalls(
          inputs.map((one) => ({ id: "", name: "f", input: one })),
          style,
        );
        const text = isList ? `[${written.join(", ")}]` : written.join("\n");
        const found = readPythonCalls(text, { offered, closed: true });
        if (found.ok && found.calls.some(({ repairs }) => repairs?.some(({ guess }) => guess))) return;
        const expected = inputs.map((one) => JSON.parse(JSON.stringify(one)));
        expect(found.ok && found.calls.map((call) => call.input)).toEqual(expected);
      }),
    );
  },
);

test("truncated or damaged text is read or refused, and never throws", () => {
  const pieces = fc.constantFrom(
    "f(",
    "print(",
    "x=",
    "'",
    '"',
    '"""',
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "\\",
    "\n",
    "#",
    "1",
    "True",
    "it's",
    "r'",
    "C:\\",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 }),
      fc.boolean(),
      (all, closed) => {
        const found = readPythonCalls(all.join(""), { offered, closed });
        expect(found.ok ? found.end <= all.join("").length : found.problem.length > 0).toBe(true);
      },
    ),
    { numRuns: 200 * scale },
  );
});

test("excessive nesting is refused", () => {
  expect(read(`f(x=${"[".repeat(500)}${"]".repeat(500)})`)).toEqual(
    expect.stringContaining("nested more than"),
  );
  expect(read(`f(x=${"(".repeat(100_000)}`)).toEqual(expect.stringContaining("nested more than"));
});

test.each(["'", "', ", "')", "'a='", '"""', "\\", "' '", "'\n", "[", ", x='", "ping()", "ping() ", "#"])(
  "repeated hostile characters are read without rescanning: %j",
  (piece) => {
    // With rescanning, this would take minutes.
    const text = piece.repeat(100_000 / piece.length);
    for (const whole of [`search(query='${text}`, `search(query=${text}`, text])
      for (const closed of [true, false]) readPythonCalls(whole, { offered, closed });
  },
);
