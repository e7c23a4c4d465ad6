import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { problemBySchema } from "./schema-check.ts";

test("each schema draft is checked by its own rules", () => {
  const above = ($schema: string, rest: JsonObject): JsonObject => ({
    $schema,
    properties: { n: { minimum: 5, ...rest } },
  });
  const isValid = (schema: JsonObject): boolean => problemBySchema(schema, { n: 5 }) === undefined;
  const draft4 = "http://json-schema.org/draft-04/schema#";
  const draft7 = "http://json-schema.org/draft-07/schema#";
  expect(isValid(above(draft4, { exclusiveMinimum: true }))).toBe(false);
  expect(isValid(above(draft4, { exclusiveMinimum: false }))).toBe(true);
  expect(isValid(above(draft7, { exclusiveMinimum: 5 }))).toBe(false);
  // Drafts up to 7 ignore all keywords beside a $ref.
  const beside = ($schema: string): JsonObject => ({
    $schema,
    $defs: { any: {} },
    properties: { n: { $ref: "#/$defs/any", maximum: 1 } },
  });
  expect(isValid(beside(draft7))).toBe(true);
  expect(isValid(beside("https://json-schema.org/draft/2019-09/schema"))).toBe(false);
  expect(isValid(beside("https://json-schema.org/draft/2020-12/schema"))).toBe(false);
});

test("D8: the 16 most recently used schemas stay compiled, and a schema is never modified", () => {
  const schema: JsonObject = Object.freeze({ required: ["a"], properties: Object.freeze({}) });
  const kept: JsonObject = { required: ["a"] };
  const isMissing = (): boolean => problemBySchema(kept, {}) !== undefined;
  expect([problemBySchema(schema, {})?.words, isMissing()]).toEqual(['"a" is required', true]);
  delete kept["required"];
  const others = (count: number): void => {
    for (let at = 0; at < count; at += 1) problemBySchema({ title: `${at}` }, {});
  };
  others(15);
  expect(isMissing()).toBe(true);
  others(16);
  expect(isMissing()).toBe(false);
});
