import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { expectation } from "./expectation.ts";

const told = (properties: JsonObject, required: string[] = []): string =>
  expectation({ type: "object", properties, required });

test("a tool's arguments are described in one line, with types and optional ones marked", () => {
  expect(
    told(
      {
        path: { type: "string" },
        count: { type: ["integer", "null"] },
        size: { type: "number" },
        mode: { enum: ["a", "b"] },
        edits: { type: "array", items: { type: "object", properties: { line: { type: "integer" } } } },
        either: { type: "array", items: { type: ["string", "boolean"] } },
        map: { type: "object" },
        "odd name": {},
      },
      ["path", "map"],
    ),
  ).toBe(
    '{ path: string, count?: integer | null, size?: number, mode?: "a" | "b", edits?: { line?: integer }[], ' +
      'either?: (string | boolean)[], map: object, "odd name"?: any }',
  );
  expect(told({})).toBe("{ }");
});

test("a large or recursive schema is described briefly too", () => {
  const field: JsonObject = {
    type: "object",
    properties: { first: { type: "string" }, second: { type: "string" } },
  };
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`argument${at}`, field]));
  expect(told(many)).toMatch(/^\{ argument0\?: object, .*, … \}$/);
  expect(told(many).length).toBeLessThan(700);
  const tree: JsonObject = { type: "object", properties: { child: { $ref: "#" } } };
  expect(expectation(tree)).toBe("{ child?: { child?: { child?: object } } }");
  expect(
    told({ one: { enum: Array.from({ length: 99 }, (_, at) => `${at}`.repeat(99)) } }).length,
  ).toBeLessThan(500);
});
