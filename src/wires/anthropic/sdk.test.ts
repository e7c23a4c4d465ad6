import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { Ask } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { loopback, type Loopback } from "../testing/loopback.ts";
import { asStream } from "../testing/stream-summary.ts";
import { anthropic } from "./anthropic.ts";

const state = {
  from: "anthropic",
  value: { type: "thinking", thinking: "Let me see: two files.", signature: "EqQB==" },
};
const readCall = (id: string, path: string): ModelEvent => ({
  type: "call-end",
  call: { id, name: "read_file", input: { path, text: 'a "b"\n\\ é' }, source: "native" },
});
const usage = {
  inputTokens: 130,
  outputTokens: 12,
  cacheReadTokens: 100,
  cacheWriteTokens: 20,
  reasoningTokens: 5,
};
const answer: ModelEvent[] = [
  { type: "answer-start", model: "toolwright-1" },
  { type: "reasoning-delta", text: "Let me see: " },
  { type: "reasoning-delta", text: "two files." },
  { type: "reasoning-end", state },
  { type: "text-delta", text: "I read " },
  { type: "text-delta", text: "both." },
  { type: "call-start", id: "toolu_1", name: "read_file" },
  { type: "call-start", id: "toolu_2", name: "read_file" },
  { type: "call-delta", id: "toolu_2", json: '{"path":"b","text":"a \\"b\\"\\n\\\\ é"}' },
  readCall("toolu_1", "a"),
  readCall("toolu_2", "b"),
  { type: "usage", usage },
  { type: "answer-end", reason: "tool-calls" },
];
const content = [
  { type: "thinking", thinking: "Let me see: two files.", signature: "EqQB==" },
  { type: "text", text: "I read both." },
  { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a", text: 'a "b"\n\\ é' } },
  { type: "tool_use", id: "toolu_2", name: "read_file", input: { path: "b", text: 'a "b"\n\\ é' } },
];
const counts = {
  input_tokens: 10,
  output_tokens: 12,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
  output_tokens_details: { thinking_tokens: 5 },
};

const client = ({ url }: Loopback): Anthropic => new Anthropic({ baseURL: url, apiKey: "k", maxRetries: 0 });
const asked = {
  model: "toolwright-1",
  max_tokens: 99,
  messages: [{ role: "user" as const, content: "Read both." }],
};

test("D5: the vendor's client streams text, thinking and calls from our server", async () => {
  await using server = await loopback(anthropic, () => asStream(answer));
  const deltas: string[] = [];
  const stream = client(server).messages.stream(asked);
  stream.on("text", (delta) => deltas.push(delta));
  expect(await stream.finalMessage()).toMatchObject({
    role: "assistant",
    model: "toolwright-1",
    content,
    stop_reason: "tool_use",
    usage: counts,
  });
  expect(deltas).toEqual(["I read ", "both."]);
  expect(server.asks).toEqual([
    {
      model: "toolwright-1",
      system: "",
      messages: [{ role: "user", content: [{ type: "text", text: "Read both." }] }],
      tools: [],
      maxTokens: 99,
    } satisfies Ask,
  ]);
});

test("the vendor's client reads a whole reply from our server", async () => {
  await using server = await loopback(anthropic, () => asStream(answer));
  const message = await client(server).messages.create(asked);
  expect(message).toMatchObject({ content, stop_reason: "tool_use", usage: counts });
});

test("the vendor's client sends back an answer and its results, and we read the same history", async () => {
  await using server = await loopback(anthropic, () => asStream(answer));
  const anthropicClient = client(server);
  const { content: said } = await anthropicClient.messages.create(asked);
  const results = [1, 2].map((n) => ({
    type: "tool_result" as const,
    tool_use_id: `toolu_${n}`,
    content: `${n}`,
  }));
  const messages = [
    ...asked.messages,
    { role: "assistant" as const, content: said },
    { role: "user" as const, content: results },
  ];
  await anthropicClient.messages.create({ ...asked, messages });
  expect(server.asks[1]?.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Let me see: two files.", state },
        { type: "text", text: "I read both." },
        ...answer.flatMap((event) => (event.type === "call-end" ? [{ type: "call", call: event.call }] : [])),
      ],
    },
    ...[1, 2].map((n) => ({
      role: "tool",
      callId: `toolu_${n}`,
      name: "read_file",
      content: [{ type: "text", text: `${n}` }],
      isError: false,
    })),
  ]);
});

test("the vendor's client reports errors: as a status before the answer, as an exception within it", async () => {
  const error = new ModelError("rate-limit", "Too many requests.", { retryAfter: 3000 });
  await using refusing = await loopback(anthropic, () => asStream([], error));
  await expect(client(refusing).messages.create(asked)).rejects.toMatchObject({
    status: 429,
    error: { type: "error", error: { type: "rate_limit_error", message: "Too many requests." } },
  });
  await expect(client(refusing).messages.stream(asked).finalMessage()).rejects.toMatchObject({ status: 429 });
  await using breaking = await loopback(anthropic, () => asStream(answer.slice(0, 6), error));
  await expect(client(breaking).messages.stream(asked).finalMessage()).rejects.toThrow("Too many requests.");
});
