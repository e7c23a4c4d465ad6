/** The grammars of constraints, read by a recogniser of llama.cpp's notation. */

import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Constraint, ToolChoice, ToolDescription } from "../../protocol/messages.ts";
import { scale } from "../../testing/scale.ts";
import { checkCall } from "../../tools/arguments/check-call.ts";
import type { Dialect } from "../dialect.ts";
import { dialectsUnderTest } from "../testing/all.ts";
import { plainCalls, tools } from "../testing/calls.ts";
import { readGbnf } from "../testing/gbnf.ts";
import { readAnswer, tool } from "../testing/reading.ts";
import { objects } from "../testing/schemas.ts";
import { constraintOf } from "./constraint.ts";
import { newGrammar } from "./grammar.ts";
import { jsonRule } from "./json-grammar.ts";
import { plainSchema } from "./plain-schema.ts";

/** Texts that a validator takes for that format. */
const formatted: Readonly<Record<string, string[]>> = {
  date: ["2028-02-29", "2000-02-29", "1999-12-31", "2026-04-30"],
  time: ["23:59:59Z", "00:00:00.123+02:00"],
  "date-time": ["2026-11-30T01:02:03Z"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000"],
  ipv4: ["255.10.0.199"],
  hostname: ["localhost", "a-b.example.com"],
  email: ["ada.lovelace+x@mail.example.org"],
};

describe("the grammar of a schema", () => {
  const grammarOf = (schema: JsonObject): string => {
    const grammar = newGrammar();
    return grammar.text(jsonRule(plainSchema(schema), grammar));
  };
  const withValue = objects.chain(({ schema, value }) =>
    value.map((one): [JsonObject, Json] => [schema, one]),
  );

  test("accepts every valid value, compact or laid out", () => {
    fc.assert(
      fc.property(withValue, ([schema, value]) => {
        const gbnf = readGbnf(grammarOf(schema));
        expect(gbnf.accepts(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
        expect(gbnf.accepts(JSON.stringify(value, null, 2))).toBe(true);
      }),
      { numRuns: 100 * scale },
    );
  });

  test("whatever it accepts is JSON, and valid", () => {
    fc.assert(
      fc.property(
        objects,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        ({ schema }, numbers) => {
          const text = readGbnf(grammarOf(schema)).derive(() => numbers.next().value ?? 0);
          const input = JSON.parse(text);
          const call = { id: "1", name: "x", source: "native", input };
          const checked = checkCall(call, { tools: [{ name: "x", schema }] });
          expect([text, checked.ok && (checked.call.repairs ?? [])]).toEqual([text, []]);
        },
      ),
      { numRuns: 100 * scale },
    );
  });

  test("a schema that leads back to itself is held all the way; one that is nothing but itself may be anything", () => {
    const node: JsonObject = {
      type: "object",
      properties: { name: { type: "string" }, inner: { $ref: "#/$defs/node" } },
      required: ["name"],
    };
    const { accepts } = readGbnf(grammarOf({ $ref: "#/$defs/node", $defs: { node } }));
    const [whole, broken] = [
      '{"name": "a", "inner": {"name": "b", "inner": {"name": "c"}}}',
      '{"anything": 1}',
    ];
    expect(accepts(whole)).toBe(true);
    expect(accepts(whole.replace('{"name": "c"}', broken))).toBe(false);
    expect(accepts('{"name": 1}')).toBe(false);
    expect(accepts('{"inner": {"name": "b"}}')).toBe(false);
    const loop = readGbnf(grammarOf({ anyOf: [{ $ref: "#" }, { type: "null" }] }));
    expect(["null", "[1]"].map(loop.accepts)).toEqual([true, true]);
  });

  test("parts of a schema are joined, alternatives stay apart", () => {
    const { accepts } = readGbnf(
      grammarOf({
        allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }],
        oneOf: [
          { properties: { b: { const: 1 } }, required: ["b"] },
          { properties: { c: { type: "null" } }, required: ["c"] },
        ],
      }),
    );
    const accepted = [
      '{"b":1,"a":"x"}',
      '{"c":null,"a":"x"}',
      '{"a":"x"}',
      '{"b":1,"c":null,"a":"x"}',
      '{"b":1}',
    ];
    expect(accepted.map(accepts)).toEqual([true, true, false, false, false]);
  });

  test.each<[string, JsonObject, string[], string[]]>([
    [
      "the narrower of two bounds counts",
      {
        type: "integer",
        minimum: 2,
        allOf: [
          { minimum: 5, maximum: 9 },
          { type: "number", maximum: 7 },
        ],
      },
      ["5", "7"],
      ["2", "4", "8", "5.5"],
    ],
    [
      "bounds beside alternatives are those of each",
      { anyOf: [{ type: "integer" }, { type: "null" }], minimum: 3 },
      ["3", "null"],
      ["2"],
    ],
    [
      "of the listed values those count that fit the rest",
      { type: "string", enum: ["a", 1, null] },
      ['"a"'],
      ["1"],
    ],
    [
      "alternatives that fit nothing of the rest fall away",
      { allOf: [{ type: ["string", "integer"] }, { anyOf: [{ type: "integer" }, { type: "array" }] }] },
      ["1"],
      ['"a"', "[]"],
    ],
    [
      "a name that must be there and is not declared is as undeclared ones are",
      { type: "object", required: ["a"], additionalProperties: { type: "integer" } },
      ['{"a":1}'],
      ['{"a":"x"}', "{}"],
    ],
    [
      "the first items of a list are each of their own kind",
      { prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
      ['["a",1]'],
      ['["a","b"]', '["a",1,2]', "[1]"],
    ],
    [
      "and so they are in the form of older drafts",
      { type: "array", items: [{ const: 1 }], additionalItems: { const: 2 }, minItems: 2, maxItems: 3 },
      ["[1,2]", "[1,2,2]"],
      ["[1]", "[1,1]", "[1,2,2,2]", "[]"],
    ],
    [
      "what speaks only of numbers is one",
      { type: "integer", anyOf: [{ minimum: 90 }, { exclusiveMaximum: 3 }] },
      ["90", "2"],
      ["3", "89"],
    ],
    ["without a type, too", { maxLength: 2 }, ['"ab"'], ['"abc"']],
    [
      "listed names are the only ones",
      { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "integer" } },
      ['{"a":1}', "{}"],
      ['{"c":1}', '{"b":"x"}'],
    ],
    [
      "an object that must not be empty is not, whether its names are declared or free",
      {
        anyOf: [
          { type: "object", properties: { a: { const: 1 } }, minProperties: 1 },
          { type: "object", additionalProperties: { const: 2 }, minProperties: 1, maxProperties: 2 },
        ],
      },
      ['{"a":1}', '{"x":2}', '{"x":2,"y":2}'],
      ["{}", '{"x":1}', '{"x":2,"y":2,"z":2}'],
    ],
    [
      "long counts are held, too",
      { type: "string", minLength: 250, maxLength: 12_345 },
      [`"${"x".repeat(250)}"`, `"${"é".repeat(12_344)}\\ud83d\\ude00"`],
      [`"${"x".repeat(249)}"`, `"${"x".repeat(12_346)}"`, `"${"x".repeat(250)}\\ud83d"`],
    ],
    [
      "and those of lists",
      { type: "array", items: { const: 0 }, minItems: 99, maxItems: 201 },
      [99, 100, 101, 150, 200, 201].map((count) => JSON.stringify(Array(count).fill(0))),
      [98, 202, 0].map((count) => JSON.stringify(Array(count).fill(0))),
    ],
  ])("%s", (_, schema, valid, wrong) => {
    const { accepts } = readGbnf(grammarOf(schema));
    expect([valid.map(accepts), wrong.map(accepts)]).toEqual([valid.map(() => true), wrong.map(() => false)]);
  });

  test.each(Object.entries(formatted))("a text of the format %s is one", (format, valid) => {
    const gbnf = readGbnf(grammarOf({ type: "string", format }));
    expect(valid.filter((text) => !gbnf.accepts(JSON.stringify(text)))).toEqual([]);
    const other = [
      "2027-02-29",
      "2100-02-29",
      "2026-04-31",
      "2026-13-01",
      "24:00:00Z",
      "256.0.0.1",
      "-a",
      "a@b",
      "x y",
      "",
    ];
    const isValid = (text: string): boolean => new Validator({ format }, "2020-12").validate(text).valid;
    expect(other.filter((text) => gbnf.accepts(JSON.stringify(text)) && !isValid(text))).toEqual([]);
    const numbers = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
    fc.assert(
      fc.property(numbers, (stream) => {
        const text = gbnf.derive(() => stream.next().value ?? 0);
        expect([text, isValid(JSON.parse(text))]).toEqual([text, true]);
      }),
      { numRuns: 100 * scale },
    );
  });

  test("a huge schema costs a bounded grammar", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at): [string, JsonObject] => [
        `p${at}`,
        { type: "object", properties: { x: { enum: [at] } } },
      ]),
    );
    expect(grammarOf({ type: "object", properties }).length).toBeLessThan(1_000_000);
  });
});

const heldDialects = dialectsUnderTest.filter(({ dialect }) => dialect.held !== undefined);

describe.each(heldDialects)("$name, held to its form by a grammar", ({ dialect }) => {
  const gbnfOf = (offered: readonly ToolDescription[], toolChoice: ToolChoice = "auto", oneCall?: true) => {
    const asked = { tools: [...offered], toolChoice, ...(oneCall ? { oneCall } : {}) };
    return readGbnf(grammarIn(constraintOf(dialect, "grammar", asked)));
  };
  const emptyThought = /^(?:<think>)?\s*<\/think>/;
  const withoutClosers = (text: string): boolean => !/<\/?[a-z_:]|\[\/?[A-Z]/.test(text);

  test("prose is free, and every call that it lets through is read, of an offered tool and valid", () => {
    const numbers = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
    const [gbnf, marks] = [gbnfOf(simpleTools, "required"), marksIn(dialect)];
    fc.assert(
      fc.property(numbers, (stream) => {
        const text = gbnf.derive(() => stream.next().value ?? 0, 400);
        fc.pre(withoutClosers(text.replace(emptyThought, "").replaceAll(marks, "")));
        const { calls } = readAnswer(text, { known: dialect, tools: simpleTools });
        expect([text, calls.length]).not.toEqual([text, 0]);
        for (const call of calls) {
          const checked = checkCall(call, { tools: simpleTools });
          expect([text, checked.ok ? "valid" : checked.problem]).toEqual([text, "valid"]);
        }
      }),
      { numRuns: 30 * scale },
    );
    const { accepts } = gbnfOf(simpleTools);
    for (const prose of [
      "",
      "Just words.",
      "a < b, <b>x</b>\n\n```js\n{}\n```",
      dialect.held?.trigger.slice(0, -1) ?? "",
    ])
      expect(accepts(prose), prose).toBe(true);
  });

  test("it accepts the dialect's own calls, with words before and between, if every value is in its place", () => {
    const form = dialect.held;
    const [gbnf, ofOneCall] = [gbnfOf(tools), gbnfOf(tools, "auto", true)];
    fc.assert(
      fc.property(plainCalls, (calls) => {
        const inOrder = calls.filter(({ input }) => withoutClosers(JSON.stringify(input)));
        fc.pre(inOrder.length > 0);
        const texts = inOrder.map(({ name, input }) => {
          const declared = Object.keys(tools.find((one) => one.name === name)?.schema["properties"] ?? {});
          const sorted = Object.entries(input).toSorted(
            ([one], [other]) => declared.indexOf(one) - declared.indexOf(other),
          );
          const ordered = Object.fromEntries(sorted);
          if (form?.input === "json") return `${form.begin(name)}${JSON.stringify(ordered)}${form.end}`;
          return dialect.writeCalls([{ id: "1", name, input: ordered }]);
        });
        expect(gbnf.accepts(`Let me see.\n${texts.join("\nAnd: ")}`), texts[0]).toBe(true);
        if (texts.length > 1) expect(ofOneCall.accepts(texts.join("\n"))).toBe(false);
      }),
      { numRuns: 20 * scale },
    );
  });

  test("a call that is required comes at once, or after an empty thought; a named one is of that tool", () => {
    const form = dialect.held;
    if (!form) return;
    const call = (name: string): string => {
      const input = form.input === "json" ? "{}" : "";
      return `${form.begin(name)}${input}${form.end}`;
    };
    const offered = [tool("ping", {}), tool("pong", {})];
    const required = gbnfOf(offered, "required");
    expect(
      [
        "",
        "Words.",
        call("ping"),
        `<think>\n\n</think>\n\n${call("ping")}`,
        `<think>Well.</think>${call("ping")}`,
      ].map(required.accepts),
    ).toEqual([false, false, true, true, false]);
    const named = gbnfOf(offered, { name: "pong" });
    expect([call("ping"), call("pong"), call("pang")].map(named.accepts)).toEqual([false, true, false]);
  });
});

const simpleTools: ToolDescription[] = [
  tool("save", { path: "string", mode: "integer", force: "boolean", tags: "array" }, ["path", "mode"]),
  tool("ping", {}),
  {
    name: "turn",
    description: "",
    schema: { type: "object", properties: { way: { enum: ["left", "right"] } }, required: ["way"] },
  },
];

/** All marks of the form itself. */
function marksIn({ held }: Dialect): RegExp {
  if (!held) return /(?!)/g;
  const names = ["path", "mode", "force", "tags", "way"];
  const { input } = held;
  const around = input === "json" ? [] : [...names.map((name) => input.open(name)), input.close];
  const marks = [...simpleTools.map(({ name }) => held.begin(name)), held.end, held.trigger, ...around];
  return new RegExp(marks.map((mark) => mark.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}

function grammarIn(constraint: Constraint | undefined): string {
  if (constraint?.type !== "grammar") throw new Error("There is no grammar.");
  return constraint.grammar;
}

test("structural tags: one for each tool, its arguments by schema or, between tags, by a grammar", () => {
  const offered = [tool("roll", { sides: "integer" }, ["sides"])];
  const tags = (name: string) => {
    const dialect = dialectsUnderTest.find((one) => one.name === name)?.dialect;
    return dialect && constraintOf(dialect, "structural-tags", { tools: offered, oneCall: true });
  };
  expect(tags("hermes")).toEqual({
    type: "structural-tags",
    format: {
      type: "triggered_tags",
      triggers: ["<tool_call>"],
      tags: [
        {
          type: "tag",
          begin: '<tool_call>\n{"name": "roll", "arguments": ',
          content: {
            type: "json_schema",
            json_schema: {
              type: "object",
              properties: { sides: { type: "integer" } },
              required: ["sides"],
              additionalProperties: false,
            },
          },
          end: "}\n</tool_call>",
        },
      ],
      at_least_one: false,
      stop_after_first: true,
    },
  });
  expect(tags("glm")).toMatchObject({
    format: { tags: [{ begin: "<tool_call>roll\n", content: { type: "grammar" }, end: "</tool_call>" }] },
  });
});

test("a schema that a server converts has the bounds of whole numbers that are included", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { count: { type: "integer", exclusiveMinimum: 0, minimum: -5, exclusiveMaximum: 10 } },
  };
  const offered = [{ name: "roll", description: "", schema }];
  const hermes = dialectsUnderTest.find(({ name }) => name === "hermes")?.dialect;
  const constraint = hermes && constraintOf(hermes, "structural-tags", { tools: offered });
  expect(JSON.stringify(constraint)).toContain('"count":{"type":"integer","minimum":1,"maximum":9}');
});

test("a dialect whose form cannot be said gives no constraint, nor do no tools", () => {
  const harmony = dialectsUnderTest.find(({ name }) => name === "harmony")?.dialect;
  const hermes = dialectsUnderTest.find(({ name }) => name === "hermes")?.dialect;
  expect(harmony && constraintOf(harmony, "grammar", { tools })).toBeUndefined();
  expect(hermes && constraintOf(hermes, "grammar", { tools: [] })).toBeUndefined();
  expect(hermes && constraintOf(hermes, "schema", { tools })).toBeUndefined();
});
