/** What each wire sends of a constraint. */

import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { Ask, Constraint } from "../protocol/messages.ts";
import { wires } from "./index.ts";
import type { WireName } from "./wire.ts";

const schema: JsonObject = { type: "object", properties: {}, required: [], additionalProperties: false };
const strict: Constraint = { type: "strict", schemas: { look: schema } };
const open: JsonObject = { type: "object" };

function body(wire: WireName, constraint: Constraint | undefined, more: Partial<Ask> = {}): JsonObject {
  const tools = ["look", "other"].map((name) => ({ name, description: "", schema: open }));
  const ask: Ask = {
    model: "gemini-3",
    system: "",
    messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
    tools,
    ...(constraint ? { constraint } : {}),
    ...more,
  };
  return wires[wire].encodeAsk(ask, { streamed: true });
}

test("Chat Completions: a grammar, structural tags, a schema of the whole answer, strict tools", () => {
  const send = (constraint: Constraint) => body("openai-chat", constraint);
  expect(send({ type: "grammar", grammar: "root ::= [a-z]" })).toMatchObject({ grammar: "root ::= [a-z]" });
  expect(send({ type: "structural-tags", format: { type: "triggered_tags" } })["response_format"]).toEqual({
    type: "structural_tag",
    format: { type: "triggered_tags" },
  });
  expect(send({ type: "schema", schema })["response_format"]).toEqual({
    type: "json_schema",
    json_schema: { name: "answer", schema, strict: true },
  });
  expect(send(strict)["tools"]).toEqual([
    { type: "function", function: { name: "look", description: "", parameters: schema, strict: true } },
    { type: "function", function: { name: "other", description: "", parameters: open } },
  ]);
});

test("Responses and Messages: strict tools, each with the schema that is enforced", () => {
  expect(body("openai-responses", strict)["tools"]).toMatchObject([
    { name: "look", parameters: schema, strict: true },
    { name: "other", parameters: open, strict: false },
  ]);
  const [look, other] = [body("anthropic", strict)["tools"]].flat();
  expect(look).toEqual({ name: "look", description: "", input_schema: schema, strict: true });
  expect(other).toMatchObject({ name: "other", input_schema: open });
  expect(other).not.toHaveProperty("strict");
});

test("Gemini validates calls unless one is required; Ollama takes the schema of the whole answer", () => {
  const mode = (more: Partial<Ask> = {}) => body("gemini", strict, more)["toolConfig"];
  expect(mode()).toEqual({ functionCallingConfig: { mode: "VALIDATED" } });
  expect(mode({ toolChoice: "auto" })).toEqual({ functionCallingConfig: { mode: "VALIDATED" } });
  expect(mode({ toolChoice: "required" })).toEqual({ functionCallingConfig: { mode: "ANY" } });
  expect(body("gemini", undefined)).not.toHaveProperty("toolConfig");
  expect(body("ollama", { type: "schema", schema })).toMatchObject({ format: schema });
  expect(body("ollama", undefined)).not.toHaveProperty("format");
});

test("Responses, Messages and Gemini: the schema of an answer, each in its own form", () => {
  const held: Constraint = { type: "schema", schema };
  expect(body("openai-responses", held)["text"]).toEqual({
    format: { type: "json_schema", name: "answer", schema, strict: true },
  });
  expect(body("anthropic", held)["output_config"]).toEqual({ format: { type: "json_schema", schema } });
  expect(body("gemini", held)["generationConfig"]).toEqual({
    responseMimeType: "application/json",
    responseJsonSchema: schema,
  });
  for (const wire of ["openai-responses", "anthropic", "gemini"] as const)
    expect(JSON.stringify(body(wire, undefined))).not.toMatch(/json_schema|responseJsonSchema/u);
});
