/** Tools known only by a third party's schema. */

import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { schemaTool } from "../schema-tool.ts";
import { ok } from "../tool.ts";

const tool = (schema: JsonObject) =>
  schemaTool({
    name: "theirs",
    summary: "Does something.",
    told: { type: "object", properties: {} },
    schema,
    does: "execute",
    definition: "hash",
    title: (input) => JSON.stringify(input),
    run: async (input) => ok(JSON.stringify(input)),
  });

const schema: JsonObject = {
  type: "object",
  properties: { count: { type: "integer" }, names: { type: "array", items: { type: "string" } } },
  required: ["count"],
  additionalProperties: false,
};

test("arguments are repaired as for built-in tools, and the repairs are reported", () => {
  const prepared = tool(schema).prepare({ count: "3", names: "one" });
  expect(prepared).toMatchObject({ ok: true, value: { title: '{"count":3,"names":["one"]}', paths: [] } });
  expect(prepared.ok && prepared.value.repairs?.length).toBeGreaterThan(0);
});

test("arguments that do not fit are refused with those the tool takes", () => {
  const { ok: isOk, problem } = { problem: "", ...tool(schema).prepare({ counts: 1, other: true }) };
  expect(isOk).toBe(false);
  expect(problem).toContain('"count" is required');
});

test("if the schema itself is unusable, checking is left to the tool's owner", () => {
  const unusable: JsonObject[] = [{ $ref: "#/nowhere" }, { type: "object", patternProperties: { "(": {} } }];
  for (const broken of unusable)
    expect(tool(broken).prepare({ any: 1 })).toMatchObject({ ok: true, value: { title: '{"any":1}' } });
});
