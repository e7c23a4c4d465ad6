/** Tests the schema of a final answer: reading it, and checking what a model wrote. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileBounds } from "../base/bounds.ts";
import { type AnswerCheck, openAnswerSchema } from "./checked-answer.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolwright-schema-"));
});
afterEach(() => rm(root, { recursive: true }));

const opened = async (schema: string | Uint8Array) => {
  const path = join(root, "schema.json");
  await writeFile(path, schema);
  return openAnswerSchema(path);
};

async function checkBy(schema: object): Promise<AnswerCheck> {
  const check = await opened(JSON.stringify(schema));
  if (!check.ok) throw new Error(check.problem);
  return check.value;
}

const sum = {
  type: "object",
  properties: { total: { type: "integer" }, of: { $ref: "#/$defs/names" } },
  required: ["total"],
  additionalProperties: false,
  $defs: { names: { type: "array", items: { type: "string" } } },
};

test("an answer counts with words or a fence around it, and its JSON is kept as it was written", async () => {
  const { read } = await checkBy(sum);
  const json = '{"total": 10, "of": ["a"]}';
  const around = [json, `\n${json}\n`, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json}. Anything else?`];
  for (const text of [
    ...around,
    `First:\n\`\`\`\n{"total": 1}\n\`\`\`\nNow:\n  \`\`\`json\n${json}\n  \`\`\`\n`,
  ])
    expect(read(text)).toEqual({ ok: true, value: { text: json, value: { total: 10, of: ["a"] } } });
});

test("what is wrong with an answer is said by its place", async () => {
  const { read, again } = await checkBy(sum);
  const wrong: [string, string][] = [
    ["Done.", "it is not JSON"],
    ["", "it is not JSON"],
    ['{"total": 1', "it is not JSON"],
    ["[]", "the answer must be an object"],
    ["3", "the answer must be an object"],
    ["{}", '"total" is required'],
    ['{"total": "1"}', '"total" must be an integer'],
    ['{"total": 1, "of": [1]}', '"of[0]" must be a string'],
    ['{"total": 1, "more": 1}', 'unknown property "more"; known are: total, of'],
  ];
  for (const [text, problem] of wrong) expect([text, read(text)]).toEqual([text, { ok: false, problem }]);
  expect(again("it is not JSON")).toMatchObject({ text: expect.stringContaining("it is not JSON") });
});

test("an answer of any type can be asked for", async () => {
  const { read } = await checkBy({ type: ["array", "null", "string"] });
  for (const [text, value] of [
    ["[1]", [1]],
    ["null", null],
    ['"x"', "x"],
  ] as const)
    expect(read(text)).toEqual({ ok: true, value: { text, value } });
  expect(read("true")).toMatchObject({ ok: false });
});

test("the model is told the schema, as a file beside the request", async () => {
  const { told } = await checkBy(sum);
  expect(told).toMatchObject({ type: "text", file: "schema.json" });
  expect(told.type === "text" && told.text.endsWith(JSON.stringify(sum))).toBe(true);
});

test("a schema that is missing, broken, huge, or cannot check anything is refused in one line", async () => {
  const problem = async (schema: string | Uint8Array): Promise<string> => {
    const check = await opened(schema);
    return check.ok ? "" : check.problem;
  };
  expect(openAnswerSchema(join(root, "none.json"))).toMatchObject({ problem: /does not exist/u });
  expect(openAnswerSchema(root)).toMatchObject({ problem: /cannot be read \(EISDIR\)/u });
  for (const [schema, words] of [
    ["", /is not JSON/u],
    ["{", /is not JSON/u],
    [new Uint8Array([0, 1]), /is not JSON/u],
    ["[]", /not an object/u],
    ["null", /not an object/u],
    [`{"a": "${"x".repeat(fileBounds.configuration.most)}"}`, /too large/u],
    [`${'{"not":'.repeat(2_000)}{}${"}".repeat(2_000)}`, /nested too deeply/u],
    ['{"type": "strng"}', /there is no type "strng"/u],
    ['{"properties": {"a": {"type": ["string", "nul"]}}}', /there is no type "nul"/u],
    [
      '{"properties": {"a": {"$ref": "#/$defs/none"}}}',
      /cannot be used: Unresolved \$ref "#\/\$defs\/none"\.$/u,
    ],
    ['{"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"$ref": "#"}}}}}', /^$/u],
    ['{"$ref": "#"}', /cannot be used: "#" refers to itself without end/u],
    ['{"anyOf": [{"$ref": "#"}]}', /"#" refers to itself without end/u],
    [
      '{"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/b~1"}, "b/": {"$ref": "#/$defs/a"}}}',
      /"#\/\$defs\/a" refers to itself without end/u,
    ],
    ['{"type": "array", "items": {"$ref": "#"}}', /^$/u],
    ['{"properties": {"next": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}}', /^$/u],
  ] as const)
    expect(await problem(schema)).toMatch(words);
});

test("a pattern without end is told instead of hanging", async () => {
  const endless = await checkBy({ type: "string", pattern: "^(a+)+$" });
  expect(endless.read(`"${"a".repeat(40)}!"`)).toMatchObject({ problem: /could not be checked/u });
});

test("huge answers are read: nothing but fences, nothing but braces", async () => {
  const { read } = await checkBy(sum);
  for (const piece of ["```json\n", "{", "[", '{"a":'])
    expect(read(piece.repeat(200_000))).toMatchObject({ ok: false });
});

test("what counts as an answer is what another validator accepts", async () => {
  const { read } = await checkBy(sum);
  const other = new Validator(JSON.parse(JSON.stringify(sum)), "2020-12");
  const some = fc.oneof(
    fc.record({ total: fc.oneof(fc.integer(), fc.string()), of: fc.array(fc.oneof(fc.string(), fc.nat())) }),
    fc.json().map((text): unknown => JSON.parse(text)),
  );
  fc.assert(fc.property(some, (value) => read(JSON.stringify(value)).ok === other.validate(value).valid));
});
