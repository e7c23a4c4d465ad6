import { CohereClientV2 } from "cohere-ai";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { loopback, type Loopback } from "../testing/loopback.ts";
import { asStream } from "../testing/stream-summary.ts";
import { cohere } from "./cohere.ts";

const input = (path: string): object => ({ path, text: 'a "b"\n\\ é' });
const ended = (id: string, path: string): ModelEvent => ({
  type: "call-end",
  call: { id, name: "read_file", input: { ...input(path) }, source: "native" },
});
const answer: ModelEvent[] = [
  { type: "answer-start", model: "toolwright-1" },
  { type: "reasoning-delta", text: "Let me see: " },
  { type: "reasoning-delta", text: "two files." },
  { type: "reasoning-end" },
  { type: "text-delta", text: "I read " },
  { type: "text-delta", text: "both." },
  { type: "call-start", id: "call_1", name: "read_file" },
  { type: "call-start", id: "call_2", name: "read_file" },
  { type: "call-delta", id: "call_2", json: '{"path":"b",' },
  { type: "call-delta", id: "call_1", json: '{"path":"a",' },
  ended("call_2", "b"),
  ended("call_1", "a"),
  { type: "usage", usage: { inputTokens: 130, outputTokens: 12, cacheReadTokens: 100 } },
  { type: "answer-end", reason: "tool-calls" },
];
const calls = (["a", "b"] as const).map((path, at) => ({
  id: `call_${at + 1}`,
  type: "function" as const,
  function: { name: "read_file", arguments: JSON.stringify(input(path)) },
}));
const usage = {
  billedUnits: { inputTokens: 130, outputTokens: 12 },
  tokens: { inputTokens: 130, outputTokens: 12 },
  cachedTokens: 100,
};

const client = ({ url }: Loopback): CohereClientV2 =>
  new CohereClientV2({ environment: url, token: "k", maxRetries: 0 });
const asked = { model: "toolwright-1", messages: [{ role: "user" as const, content: "Read both." }] };

test("the vendor's client streams thoughts, text and calls from our server", async () => {
  await using server = await loopback(cohere, () => asStream(answer));
  const heard: Record<string, string> = {};
  const add = (key: string, text: string | undefined): void => {
    heard[key] = (heard[key] ?? "") + (text ?? "");
  };
  const begun: unknown[] = [];
  for await (const event of await client(server).chatStream({ ...asked, thinking: { type: "enabled" } })) {
    if (event.type === "content-start") add("blocks", `${event.delta?.message?.content?.type} `);
    if (event.type === "content-delta") {
      add("thinking", event.delta?.message?.content?.thinking);
      add("text", event.delta?.message?.content?.text);
    }
    if (event.type === "tool-call-start") begun.push(event.delta?.message?.toolCalls);
    if (event.type === "tool-call-delta")
      add(`call ${event.index}`, event.delta?.message?.toolCalls?.function?.arguments);
    if (event.type === "message-end") expect(event.delta).toMatchObject({ finishReason: "TOOL_CALL", usage });
  }
  expect(heard).toEqual({
    blocks: "thinking text ",
    thinking: "Let me see: two files.",
    text: "I read both.",
    "call 0": calls[0]?.function.arguments,
    "call 1": calls[1]?.function.arguments,
  });
  expect(begun).toEqual(calls.map((call) => ({ ...call, function: { ...call.function, arguments: "" } })));
  expect(server.asks).toEqual([
    {
      model: "toolwright-1",
      system: "",
      messages: [{ role: "user", content: [{ type: "text", text: "Read both." }] }],
      tools: [],
      reasoning: "high",
    },
  ]);
});

test("the vendor's client reads a whole reply and sends it back with its results", async () => {
  await using server = await loopback(cohere, () => asStream(answer));
  const reply = await client(server).chat(asked);
  expect(reply).toMatchObject({
    finishReason: "TOOL_CALL",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Let me see: two files." },
        { type: "text", text: "I read both." },
      ],
      toolCalls: calls,
    },
    usage,
  });
  const results = calls.map(({ id }) => ({
    role: "tool" as const,
    toolCallId: id,
    content: [{ type: "document" as const, document: { data: { output: id } } }],
  }));
  const tool = {
    type: "function" as const,
    function: { name: "read_file", description: "Reads.", parameters: { type: "object" } },
  };
  await client(server).chat({
    ...asked,
    messages: [...asked.messages, reply.message, ...results],
    tools: [tool],
    toolChoice: "NONE",
    maxTokens: 99,
    stopSequences: ["X"],
  });
  expect(server.asks[1]).toMatchObject({
    tools: [{ name: "read_file", description: "Reads.", schema: { type: "object" } }],
    toolChoice: "none",
    maxTokens: 99,
    stop: ["X"],
  });
  const byStart = [ended("call_1", "a"), ended("call_2", "b")];
  expect(server.asks[1]?.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: [
        {
          type: "reasoning",
          text: "Let me see: two files.",
          state: { from: "cohere", value: "thinking" },
        },
        { type: "text", text: "I read both." },
        ...byStart.flatMap((event) =>
          event.type === "call-end" ? [{ type: "call", call: event.call }] : [],
        ),
      ],
    },
    ...calls.map(({ id }) => ({
      role: "tool",
      callId: id,
      name: "read_file",
      content: [{ type: "text", text: `{"output":"${id}"}` }],
      isError: false,
    })),
  ]);
});

test("the vendor's client reports errors: as a status before the answer, as its end event within it", async () => {
  const error = new ModelError("unknown-model", "There is no such model.");
  await using refusing = await loopback(cohere, () => asStream([], error));
  const refused = { statusCode: 404, body: { message: "model not found: There is no such model." } };
  await expect(client(refusing).chat(asked)).rejects.toMatchObject(refused);
  await expect(client(refusing).chatStream(asked)).rejects.toMatchObject(refused);
  await using breaking = await loopback(cohere, () => asStream(answer.slice(0, 9), error));
  const events = await collect(await client(breaking).chatStream(asked));
  expect(events.at(-1)).toMatchObject({
    type: "message-end",
    delta: { finishReason: "ERROR", error: "There is no such model." },
  });
  expect(events.some(({ type }) => type === "tool-call-end")).toBe(false);
});

test("the vendor's client sees that an answer was truncated at its length limit", async () => {
  const short: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "I re" },
    { type: "answer-end", reason: "length" },
  ];
  await using server = await loopback(cohere, () => asStream(short));
  expect(await client(server).chat(asked)).toMatchObject({
    finishReason: "MAX_TOKENS",
    message: { content: [{ type: "text", text: "I re" }] },
  });
});
