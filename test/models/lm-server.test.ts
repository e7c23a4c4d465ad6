/** The built language-model server in front of a real model, asked by the vendors' own clients. */

import Anthropic from "@anthropic-ai/sdk";
import { Validator } from "@cfworker/json-schema";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../../src/base/async.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { startCommand } from "../support/command.ts";
import { startLlamaServer, type LlamaServer } from "./llama-server.ts";
import { qwenCoder } from "./packages.ts";
import { placeWith } from "./place.ts";

let server: LlamaServer;
beforeAll(async () => {
  server = await startLlamaServer(qwenCoder, { longest: 96 });
});
afterAll(() => server.kill());

const token = "a-token-for-real-models";
const schema = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
};
const about = "The weather of a city.";
const messages = [{ role: "user" as const, content: "Call get_weather for Paris." }];

async function startClients() {
  const home = await placeWith(server);
  const flags = ["lm-server", "--model", `llamacpp/${qwenCoder.name}`, "--port", "0"];
  const running = startCommand(home, flags, { env: { TOOLWRIGHT_LM_TOKEN: token } });
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  await running.until("Ctrl-C");
  const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0] ?? "";
  return {
    openai: new OpenAI({ apiKey: token, baseURL: `${url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: token, baseURL: url, maxRetries: 0 }),
  };
}

test("OpenAI's client lists the model, and gets text in pieces with the usage that the server counted", async () => {
  const { openai } = await startClients();
  const listed = await collect(openai.models.list());
  expect(listed.map(({ id }) => id)).toContain(`llamacpp/${qwenCoder.name}`);
  const told = await openai.chat.completions.create({
    model: "gpt-test",
    messages: [{ role: "user", content: "Count from one to twenty in words." }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await collect(told);
  const pieces = chunks
    .flatMap(({ choices }) => choices[0]?.delta.content ?? [])
    .filter((text) => text !== "");
  expect(pieces.length).toBeGreaterThan(5);
  const usage = chunks.at(-1)?.usage;
  expect(usage?.prompt_tokens).toBeGreaterThan(10);
  expect(usage?.completion_tokens).toBeGreaterThanOrEqual(pieces.length);
});

test("both vendors' clients get only calls that fit their schema, or words", async () => {
  const { openai, anthropic } = await startClients();
  const chat = await openai.chat.completions.create({
    model: "gpt-test",
    messages,
    tools: [{ type: "function", function: { name: "get_weather", description: about, parameters: schema } }],
  });
  const choice = chat.choices[0];
  const called = (choice?.message.tool_calls ?? []).map((call) =>
    call.type === "function"
      ? { name: call.function.name, input: JSON.parse(call.function.arguments) }
      : call,
  );
  const message = await anthropic.messages.create({
    model: "claude-test",
    max_tokens: 200,
    messages,
    tools: [{ name: "get_weather", description: about, input_schema: schema }],
  });
  const used = message.content.flatMap((part) =>
    part.type === "tool_use" ? [{ name: part.name, input: part.input }] : [],
  );
  for (const call of [...called, ...used])
    expect(call).toEqual({ name: "get_weather", input: { city: expect.any(String) } });
  expect(called.length > 0).toBe(choice?.finish_reason === "tool_calls");
  expect(used.length > 0).toBe(message.stop_reason === "tool_use");
});

test("an answer that a client wants as JSON fits its schema, bounds of numbers and patterns included", async () => {
  const { openai } = await startClients();
  const place: JsonObject = {
    type: "object",
    properties: {
      city: { type: "string", pattern: "^[A-Z][a-z]{2,9}$" },
      latitude: { type: "number", minimum: -90, maximum: 90 },
      people: { type: "integer", exclusiveMinimum: 0, multipleOf: 1000 },
    },
    required: ["city", "latitude", "people"],
    additionalProperties: false,
  };
  const chat = await openai.chat.completions.create({
    model: "gpt-test",
    messages: [{ role: "user", content: "Describe Paris: it lies at 4885.66, and has 2102650 people." }],
    response_format: { type: "json_schema", json_schema: { name: "place", schema: place } },
  });
  const said: unknown = JSON.parse(chat.choices[0]?.message.content ?? "");
  expect(new Validator({ ...place }, "2020-12").validate(said).errors).toEqual([]);
});

test("a client that leaves in the middle of an answer frees the model's server", async () => {
  const { openai, anthropic } = await startClients();
  const asked = {
    model: "any",
    messages: [{ role: "user" as const, content: "Count to one hundred in words." }],
  };
  for await (const chunk of await openai.chat.completions.create({ ...asked, stream: true }))
    if (chunk.choices[0]?.delta.content) break;
  await server.untilBusy(0);
  const stream = anthropic.messages.stream({ ...asked, max_tokens: 200 });
  for await (const event of stream) if (event.type === "content_block_delta") break;
  stream.abort();
  await server.untilBusy(0);
});

test("a prompt beyond the window is refused in the client's own terms", async () => {
  const { openai } = await startClients();
  const content = "word ".repeat(20_000);
  const refused = openai.chat.completions.create({ model: "any", messages: [{ role: "user", content }] });
  await expect(refused).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
});
