import { expect, test } from "vitest";
import { z as zod } from "zod";
import * as z from "zod/mini";
import { defineTool, ok, type ToolDefinition } from "../tool.ts";

/** What the compiler lets through. */
type Fields = ToolDefinition<z.core.$ZodLooseShape>["input"];

const toolWith = (input: Fields) =>
  defineTool({
    name: "look_up",
    does: "read",
    summary: "Look a word up.",
    input,
    title: () => "Look up",
    run: async () => ok("Found."),
  });

const whole =
  'The input of the tool "look_up" is a schema, and not its fields: write { word: z.string() } with zod 4, or give the shape of an object of it.';
const odd = (name: string): string =>
  `The input of the tool "look_up" has the field "${name}", which is no schema of zod 4: write one, such as z.string().`;

const standard = { "~standard": { version: 1, vendor: "another" } };
const inputs: [string, Fields, string][] = [
  ["an object of zod", zod.object({ word: zod.string() }), whole],
  ["an object of zod mini", z.object({ word: z.string() }), whole],
  ["a schema of another library", { ...standard, type: "object" }, whole],
  ["such a schema that is a function", Object.assign(() => ({}), standard), whole],
  ["a field of another library", { word: z.string(), from: standard }, odd("from")],
  ["a JSON Schema", { type: "object", properties: {} }, odd("type")],
];

test.each(inputs)("%s as the input of a tool is refused with what to write instead", (_, input, problem) => {
  expect(() => toolWith(input)).toThrow(new TypeError(problem));
});

test("fields that are made late are checked when they are made", () => {
  const late = toolWith(() => z.object({ word: z.string() }));
  expect(() => late.schema).toThrow(new TypeError(whole));
});

test("fields of zod and of zod mini are taken, and the shape of an object of zod", () => {
  const word = { type: "string" };
  for (const input of [
    { word: zod.string() },
    zod.object({ word: zod.string() }).shape,
    { word: z.string() },
  ])
    expect(toolWith(input).schema).toMatchObject({ properties: { word } });
});
