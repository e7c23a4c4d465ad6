import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { scale } from "../../testing/scale.ts";
import { mendInput } from "./input.ts";

/** A subschema, a valid value for it, and how a model could have written that value. */
type Sample = { schema: JsonObject; value: Json; written: Json };

const spelt = (value: Json): fc.Arbitrary<Json> => fc.constantFrom(value, JSON.stringify(value));
const sample = (type: string, value: Json, written: fc.Arbitrary<Json>): fc.Arbitrary<Sample> =>
  written.map((words) => ({ schema: { type }, value, written: words }));

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((value) => ({ schema: { type: "string" }, value, written: value })),
  fc.maxSafeInteger().chain((n) => sample("string", String(n), fc.constantFrom<Json>(n, String(n)))),
  fc
    .maxSafeInteger()
    .chain((n) => sample("integer", n + 0, fc.constantFrom<Json>(n, `${n}`, ` ${n}.0 `, `"${n}"`))),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n))
    .chain((n) => sample("number", n, spelt(n))),
  fc
    .boolean()
    .chain((is) => sample("boolean", is, fc.constantFrom<Json>(is, `${is}`, is ? "True" : "FALSE"))),
  fc
    .constantFrom("red", "Green")
    .chain((value) =>
      fc
        .constantFrom(value, value.toUpperCase())
        .map((written) => ({ schema: { enum: ["red", "Green"] }, value, written })),
    ),
);

const variants = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll("_", ""),
  name.replaceAll("_", "-"),
];

const { place } = fc.letrec<{ place: Sample; list: Sample; object: Sample }>((tie) => ({
  place: fc.oneof({ maxDepth: 3 }, leaf, tie("list"), tie("object")),
  list: tie("place").chain(({ schema: items, value, written }) =>
    fc.boolean().chain((asText) =>
      fc.constantFrom<Sample>({
        schema: { type: "array", items },
        value: [value, value],
        written: asText ? JSON.stringify([written, written]) : [written, written],
      }),
    ),
  ),
  object: fc
    .record({ file_path: tie("place"), max_count: tie("place") }, { requiredKeys: [] })
    .chain((fields) =>
      fc.tuple(fc.nat(3), fc.boolean(), fc.boolean()).map(([variant, asText, withNull]) => {
        const all = Object.entries(fields).flatMap(([name, field]) => (field ? [{ name, ...field }] : []));
        const written: JsonObject = Object.fromEntries(
          all.map((field) => [variants(field.name)[variant] ?? field.name, field.written]),
        );
        if (withNull) written["extra"] = null;
        const properties = Object.fromEntries(all.map((field) => [field.name, field.schema]));
        return {
          schema: { type: "object", properties: { ...properties, extra: { type: "string" } } },
          value: Object.fromEntries(all.map((field) => [field.name, field.value])),
          written: asText ? JSON.stringify(written) : written,
        };
      }),
    ),
}));

const toolOf = (one: JsonObject): JsonObject => ({
  type: "object",
  properties: { it: one },
  required: ["it"],
});

test("D8: the intended value is recovered, however the model wrote it", () => {
  fc.assert(
    fc.property(place, ({ schema: inner, value, written }) => {
      expect(mendInput(toolOf(inner), { it: written }).input).toEqual({ it: value });
    }),
    { numRuns: 300 * scale },
  );
});

test("repaired input is not repaired again", () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("5", '"5"', "[1]", "{'a': 1}", '{"type":"string","value":"x"}', "None"),
  );
  fc.assert(
    fc.property(place, place, json, (one, other, any) => {
      const written = JSON.parse(JSON.stringify(any)) as Json;
      for (const input of [{ it: written }, { it: other.written }]) {
        const once = mendInput(toolOf(one.schema), input);
        expect(mendInput(toolOf(one.schema), once.input)).toEqual({ input: once.input, repairs: [] });
      }
    }),
    { numRuns: 300 * scale },
  );
});

test("a string is never changed where a string is allowed", () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "0042",
      " 5 ",
      "true",
      "null",
      "None",
      '"x"',
      "[1]",
      '{"a": 1}',
      '{"type":"string","value":"x"}',
    ),
  );
  const others = fc.subarray(["integer", "boolean", "null", "array", "object"]);
  fc.assert(
    fc.property(words, others, fc.boolean(), (text, more, asAlternatives) => {
      const either = ["string", ...more];
      const schema: JsonObject = asAlternatives
        ? { anyOf: either.map((type) => ({ type })) }
        : { type: either };
      expect(mendInput(toolOf(schema), { it: text })).toEqual({ input: { it: text }, repairs: [] });
    }),
  );
});
