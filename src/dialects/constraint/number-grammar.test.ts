/** Bounds of numbers as grammars: what a validator calls valid, and nothing else. */

import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { scale } from "../../testing/scale.ts";
import { readGbnf } from "../testing/gbnf.ts";
import { newGrammar } from "./grammar.ts";
import { jsonRule } from "./json-grammar.ts";
import { plainSchema } from "./plain-schema.ts";

const grammarOf = (schema: JsonObject): string => {
  const grammar = newGrammar();
  return grammar.text(jsonRule(plainSchema(schema), grammar));
};

const isValid = (schema: JsonObject, value: number): boolean =>
  new Validator({ ...schema }, "2020-12").validate(value).valid;

const words = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;

/** Bounds of every size, as often as not with no number between them. */
const bound = fc.oneof(
  fc.integer({ min: -120, max: 120 }),
  fc.integer(),
  fc.integer({ min: -99, max: 99 }).map((one) => one / 10),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1e21, -1e300, 5e-324, 0.1, 1e-20),
);
const step = fc.constantFrom(1, 2, 3, 5, 7, 10, 60, 100, 0.1, 0.25, 0.01, 1.5);
const numbers: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.constantFrom("integer", "number"),
    fc.uniqueArray(fc.tuple(fc.constantFrom(...words), bound), { maxLength: 3, selector: ([word]) => word }),
    fc.option(step, { nil: undefined, freq: 3 }),
  )
  .map(([type, bounds, multipleOf]) => ({
    type,
    ...Object.fromEntries(bounds),
    ...(multipleOf === undefined ? {} : { multipleOf }),
  }));

/** Whether the words leave any number at all, of no more digits than a double holds where it must be a multiple. */
function isPossible({ type, minimum = -Infinity, maximum = Infinity, ...rest }: JsonObject): boolean {
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = rest;
  const reach = multipleOf === undefined ? Infinity : 1e12;
  const least = Math.max(Number(minimum), Number(exclusiveMinimum), -reach);
  const most = Math.min(Number(maximum), Number(exclusiveMaximum), reach);
  const widest = type === "integer" ? 120 : 2 * Number(multipleOf ?? 0);
  return most - least > Math.max(widest, 1e-50);
}

test("whatever is written of a number with bounds is a number within them", () => {
  fc.assert(
    fc.property(
      numbers.filter(isPossible),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (schema, stream) => {
        const gbnf = readGbnf(grammarOf(schema));
        for (let count = 0; count < 5; count += 1) {
          const text = gbnf.derive(() => stream.next().value ?? 0, 60);
          expect([schema, text, isValid(schema, JSON.parse(text))]).toEqual([schema, text, true]);
        }
      },
    ),
    { numRuns: 200 * scale },
  );
});

test("a number within bounds may be written", () => {
  const plain = fc
    .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, places]) => Number((digits / 10 ** places).toFixed(places)));
  fc.assert(
    fc.property(numbers, plain, (schema, value) => {
      fc.pre(isValid(schema, value) && !/e/.test(String(value)));
      fc.pre(schema["multipleOf"] === undefined || Math.abs(value) < 1e12);
      const { accepts } = readGbnf(grammarOf(schema));
      expect([schema, value, accepts(JSON.stringify(value))]).toEqual([schema, value, true]);
    }),
    { numRuns: 200 * scale },
  );
});

test("ends that are open are left out, zeros at the end of a fraction may stand", () => {
  const { accepts } = readGbnf(grammarOf({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }));
  const written = [
    "0",
    "0.0",
    "-0.5",
    "0.5",
    "0.500",
    "0.0000000001",
    "0.9999",
    "1",
    "1.0",
    ".5",
    "0.",
    "00.5",
  ];
  expect(written.filter(accepts)).toEqual(["0.5", "0.500", "0.0000000001", "0.9999"]);
  const degrees = readGbnf(grammarOf({ type: "number", minimum: -90, maximum: 90 }));
  const angles = [
    "100",
    "90.1",
    "-90.0001",
    "180",
    "90.0",
    "-90",
    "89.999",
    "-0.5",
    "7.25",
    "9",
    "090",
    "-0",
  ];
  expect(angles.filter(degrees.accepts)).toEqual(["90.0", "-90", "89.999", "-0.5", "7.25", "9"]);
  const whole = readGbnf(grammarOf({ type: "integer", minimum: 5, exclusiveMaximum: 1205, multipleOf: 5 }));
  expect(["0", "5", "5.0", "1200", "1205", "12", "12345"].filter(whole.accepts)).toEqual(["5", "1200"]);
});

test("contradictory bounds leave the type, and no bounds make the grammar large", () => {
  const { accepts } = readGbnf(grammarOf({ type: "integer", minimum: 2, maximum: 1 }));
  expect(["7", "7.5"].map(accepts)).toEqual([true, false]);
  const hostile: JsonObject[] = [
    { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { minimum: -Number.MAX_VALUE, exclusiveMaximum: Number.MIN_VALUE },
    { multipleOf: 9973 },
    { multipleOf: 1e-300 },
    { minimum: 1.7976931348623157e308 },
  ];
  const sizes = hostile.map((said) => grammarOf({ type: "number", ...said }).length);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});
