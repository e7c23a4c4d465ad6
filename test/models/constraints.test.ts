/** What a real server holds a small model to: every keyword that a grammar says, checked by a validator. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { llamaServerAt } from "../../bench/models/answers.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { heldCall } from "./held-call.ts";
import { startLlamaServer, type LlamaServer } from "./llama-server.ts";
import { smolLm } from "./packages.ts";

let server: LlamaServer;
beforeAll(async () => {
  server = await startLlamaServer(smolLm, { slots: 1, longest: 200 });
});
afterAll(() => server.kill());

const degrees = (most: number): JsonObject => ({ type: "number", minimum: -most, maximum: most });
const few = { minLength: 1, maxLength: 12 };
const schemas: readonly [string, JsonObject][] = [
  ["bounds", { latitude: degrees(90), longitude: degrees(180) }],
  [
    "open bounds and multiples",
    {
      share: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      price: { type: "number", multipleOf: 0.05, minimum: 0, maximum: 99 },
    },
  ],
  [
    "whole numbers",
    {
      port: { type: "integer", minimum: 1024, exclusiveMaximum: 65_536 },
      step: { type: "integer", multipleOf: 7, maximum: 70 },
    },
  ],
  [
    "lengths and lists",
    {
      name: { type: "string", ...few },
      tags: { type: "array", items: { type: "string", ...few }, minItems: 2, maxItems: 3 },
    },
  ],
  [
    "formats",
    {
      day: { type: "string", format: "date" },
      at: { type: "string", format: "date-time" },
      id: { type: "string", format: "uuid" },
    },
  ],
  [
    "patterns",
    {
      code: { type: "string", pattern: "^[A-Z]{2}-\\d{4}$" },
      colour: { type: "string", pattern: "^#(?:[0-9a-f]{3}){1,2}$" },
      words: { type: "string", pattern: '^["\\w]{2,9}( [^\\s"]{1,9})?$' },
    },
  ],
  [
    "alternatives and tuples",
    {
      by: { anyOf: [{ type: "integer", minimum: 3, maximum: 9 }, { enum: ["size"] }] },
      place: { type: "array", prefixItems: [{ type: "boolean" }, degrees(5)], items: false },
    },
  ],
];

const ways = ["json-answer+schema", "hermes+tags"];

test.each(ways.flatMap((way) => schemas.map(([about, properties]) => ({ way, about, properties }))))(
  "$way: $about",
  async ({ way, properties }) => {
    const choice = llamaServerAt({ url: server.url, name: smolLm.name });
    const { calls, errors } = await heldCall(choice, way, properties);
    expect(calls).toMatchObject([{ name: "save" }]);
    expect(calls[0]?.repairs).toBeUndefined();
    expect(errors).toEqual([]);
  },
);
