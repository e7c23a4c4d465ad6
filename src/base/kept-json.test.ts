/** Cached JSON equals what JSON.stringify writes, and is rebuilt whenever its input changes. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "./json.ts";
import { formsOf, jsonBytes } from "./kept-json.ts";
import { mostKeptMessage } from "./kept-json.ts";
import { anyCharacter } from "./testing/any-character.ts";

const jsonText = (value: Json): string => new TextDecoder().decode(jsonBytes(value));

const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

test("the cached text equals JSON.stringify, wherever the forms stand and however often it is written", () => {
  const forms = formsOf();
  const form = json.map((inner): Json => forms({}, "", () => [{ inner }])[0] ?? null);
  const tree = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 7 },
      json,
      form,
      fc.array(tie("tree")),
      fc.dictionary(fc.string({ unit: anyCharacter }), tie("tree"), { noNullPrototype: true }),
    ),
  })).tree;
  fc.assert(
    fc.property(tree, (value) => {
      const expected = JSON.stringify(value);
      expect(jsonText(value)).toBe(expected);
      expect(jsonText(value)).toBe(expected);
    }),
  );
});

test("a form is built once, and again if its source or key differs", () => {
  const forms = formsOf();
  const source = {};
  let made = 0;
  const make = (): JsonObject[] => [{ made: (made += 1) }];
  const first = forms(source, "a", make);
  expect(forms(source, "a", make)).toBe(first);
  expect(forms(source, "b", make)).toEqual([{ made: 2 }]);
  expect(forms({}, "b", make)).toEqual([{ made: 3 }]);
  expect(jsonText([...first, ...forms(source, "b", make)])).toBe('[{"made":1},{"made":2}]');
});

test("a form cannot be changed", () => {
  const [form] = formsOf()({}, "", () => [{ role: "user" }]);
  expect(() => Object.assign(form ?? {}, { role: "assistant" })).toThrow(TypeError);
});

test("a form whose text is too long to cache is written each time", () => {
  const long = "x".repeat(mostKeptMessage);
  const forms = formsOf()({}, "", () => [{ long }]);
  for (let at = 0; at < 2; at += 1) expect(jsonText(forms)).toBe(JSON.stringify([{ long }]));
});
