import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { openaiResponses } from "../openai-responses/openai-responses.ts";
import { openaiChat } from "./openai-chat.ts";

/** The server's next answer, and its last request. */
let answer: readonly (ModelEvent | ModelError)[] = [];
let asked: unknown;

const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const wire = [openaiChat, openaiResponses].find((each) => each.match(request.url ?? ""));
  let text = "";
  for await (const chunk of request) text += String(chunk);
  if (!wire) return void response.writeHead(404).end();
  try {
    const { ask, streamed } = wire.decodeAsk(JSON.parse(text));
    asked = ask;
    if (streamed) {
      const stream = wire.encodeEvents(say());
      for await (const part of stream) {
        if (!response.headersSent) response.writeHead(200, { "content-type": wire.streamType });
        response.write(part);
      }
      return void response.end();
    }
    const events: ModelEvent[] = [];
    for await (const event of say()) events.push(event);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(wire.encodeWhole(events)));
  } catch (error) {
    const reply = wire.encodeError(error as ModelError);
    response
      .writeHead(reply.status, { ...reply.headers, "content-type": "application/json" })
      .end(JSON.stringify(reply.body));
  }
}

async function* say(): AsyncGenerator<ModelEvent> {
  for (const event of answer) {
    if (event instanceof ModelError) throw event;
    yield event;
  }
}

let client: OpenAI;

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  client = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const start: ModelEvent = { type: "answer-start", model: "some-model" };

const full: ModelEvent[] = [
  start,
  { type: "reasoning-delta", text: "Let me " },
  { type: "reasoning-delta", text: "think." },
  { type: "reasoning-end" },
  { type: "text-delta", text: "I look " },
  { type: "text-delta", text: "at both. 👩‍👩‍👧" },
  { type: "call-start", id: "call_a", name: "read_file" },
  { type: "call-delta", id: "call_a", json: '{"path":' },
  { type: "call-start", id: "call_b", name: "list" },
  { type: "call-delta", id: "call_b", json: "{}" },
  { type: "call-delta", id: "call_a", json: '"a.ts"}' },
  { type: "call-end", call: { id: "call_a", name: "read_file", input: { path: "a.ts" }, source: "native" } },
  { type: "call-end", call: { id: "call_b", name: "list", input: {}, source: "native" } },
  { type: "usage", usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, reasoningTokens: 5 } },
  { type: "answer-end", reason: "tool-calls" },
];

const chatBody = { model: "some-model", messages: [{ role: "user" as const, content: "Hi" }] };
const responsesBody = { model: "some-model", input: "Hi" };
const said = "I look at both. 👩‍👩‍👧";
const hi = { role: "user", content: [{ type: "text", text: "Hi" }] };

const chatCalls = [
  { id: "call_a", type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
  { id: "call_b", type: "function", function: { name: "list", arguments: "{}" } },
];

test("OpenAI's client reads our chat stream: reasoning, text, calls, finish and usage", async () => {
  answer = full;
  const stream = await client.chat.completions.create({
    ...chatBody,
    stream: true,
    stream_options: { include_usage: true },
  });
  const heard = {
    text: "",
    reasoning: "",
    finish: [] as unknown[],
    usage: undefined as unknown,
    roles: [] as unknown[],
  };
  for await (const chunk of stream) {
    const choice = chunk.choices[0];
    heard.text += choice?.delta.content ?? "";
    heard.reasoning += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
    if (choice?.delta.role) heard.roles.push(choice.delta.role);
    if (choice?.finish_reason) heard.finish.push(choice.finish_reason);
    if (chunk.usage) heard.usage = chunk.usage;
  }
  expect(heard).toEqual({
    text: said,
    reasoning: "Let me think.",
    finish: ["tool_calls"],
    roles: ["assistant"],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  });
  expect(asked).toMatchObject({ model: "some-model", messages: [hi] });
});

test("OpenAI's chat stream helper assembles our interleaved calls", async () => {
  answer = full;
  const final = await client.chat.completions.stream(chatBody).finalChatCompletion();
  expect(final.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { role: "assistant", content: said, tool_calls: chatCalls },
  });
});

test("OpenAI's client reads our whole chat completion", async () => {
  answer = full;
  const reply = await client.chat.completions.create(chatBody);
  expect(reply.choices).toMatchObject([
    {
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: said,
        reasoning_content: "Let me think.",
        tool_calls: chatCalls,
      },
    },
  ]);
  expect(reply.usage?.total_tokens).toBe(120);
});

test("OpenAI's client reports errors: before the stream, mid-stream, and of a request", async () => {
  answer = [new ModelError("rate-limit", "Slow down.", { retryAfter: 2000 })];
  for (const stream of [true, false] as const) {
    await expect(client.chat.completions.create({ ...chatBody, stream })).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      message: "429 Slow down.",
    });
    await expect(client.responses.create({ ...responsesBody, stream })).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
  }
  answer = [
    start,
    { type: "text-delta", text: "Half" },
    new ModelError("overloaded", "Too busy.", { midStream: true }),
  ];
  const chat = await client.chat.completions.create({ ...chatBody, stream: true });
  await expect(drain(chat)).rejects.toMatchObject({
    code: "server_is_overloaded",
    message: expect.stringContaining("Too busy."),
  });
  const responses = await client.responses.create({ ...responsesBody, stream: true });
  await expect(drain(responses)).rejects.toMatchObject({
    code: "server_is_overloaded",
    message: expect.stringContaining("Too busy."),
  });
  await expect(client.responses.stream(responsesBody).finalResponse()).rejects.toMatchObject({
    code: "server_is_overloaded",
  });
  await expect(
    client.responses.create({ ...responsesBody, previous_response_id: "x" }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("previous_response_id") });
});

async function drain<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of items) all.push(each);
  return all;
}

const responsesOutput = [
  { type: "reasoning", summary: [{ type: "summary_text", text: "Let me think." }] },
  { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: said }] },
  {
    type: "function_call",
    call_id: "call_a",
    name: "read_file",
    arguments: '{"path":"a.ts"}',
    status: "completed",
  },
  { type: "function_call", call_id: "call_b", name: "list", arguments: "{}", status: "completed" },
];

const responsesUsage = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens_details: { reasoning_tokens: 5 },
};

test("OpenAI's client reads our Responses stream in the documented order", async () => {
  answer = full;
  const events = await drain(await client.responses.create({ ...responsesBody, stream: true }));
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, at) => at));
  expect(events.map((event) => event.type.replace("response.", ""))).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.done",
    "reasoning_summary_part.done",
    "output_item.done",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "completed",
  ]);
  expect(events.at(-1)).toMatchObject({
    response: { status: "completed", model: "some-model", output: responsesOutput, usage: responsesUsage },
  });
});

test("OpenAI's Responses stream helper accepts every event and ends with the whole output", async () => {
  answer = full;
  const final = await client.responses.stream(responsesBody).finalResponse();
  expect(final).toMatchObject({
    status: "completed",
    output: responsesOutput,
    output_text: said,
    usage: responsesUsage,
  });
});

test("OpenAI's client reads our whole response", async () => {
  answer = full;
  const reply = await client.responses.create(responsesBody);
  expect(reply).toMatchObject({
    status: "completed",
    output: responsesOutput,
    output_text: said,
    usage: responsesUsage,
  });
});

test("OpenAI's client sees that an answer was truncated and cannot run the call being written", async () => {
  const problem = "The answer was cut off at its length limit.";
  const call = {
    id: "call_a",
    name: "rm",
    input: {},
    source: "native",
    rawArguments: '{"path":"/srv/old"}',
    problem,
  };
  answer = [
    start,
    { type: "call-start", id: "call_a", name: "rm" },
    { type: "call-delta", id: "call_a", json: '{"path":"/srv/old"}' },
    { type: "call-end", call },
    { type: "answer-end", reason: "length" },
  ];
  const chat = await client.chat.completions.stream(chatBody).finalChatCompletion();
  expect(chat.choices[0]?.finish_reason).toBe("length");
  const [written] = chat.choices[0]?.message.tool_calls ?? [];
  expect(() => JSON.parse(written?.type === "function" ? written.function.arguments : "{}")).toThrow(
    SyntaxError,
  );
  const final = await client.responses.stream(responsesBody).finalResponse();
  expect(final).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output: [{ type: "function_call", status: "incomplete" }],
  });
});

test("deltas that contradict the call end the answer with an error", async () => {
  answer = [
    start,
    { type: "call-start", id: "call_a", name: "rm" },
    { type: "call-delta", id: "call_a", json: '{"path":"/srv"}' },
    { type: "call-end", call: { id: "call_a", name: "rm", input: { path: "/srv/old" }, source: "hermes" } },
    { type: "answer-end", reason: "tool-calls" },
  ];
  await expect(
    drain(await client.chat.completions.create({ ...chatBody, stream: true })),
  ).rejects.toMatchObject({ code: "upstream_reply_malformed" });
  await expect(
    drain(await client.responses.create({ ...responsesBody, stream: true })),
  ).rejects.toMatchObject({ code: "upstream_reply_malformed" });
});
