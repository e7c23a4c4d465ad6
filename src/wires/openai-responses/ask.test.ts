import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ask, AssistantPart, Message } from "../../protocol/messages.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { scale } from "../../testing/scale.ts";
import { asks } from "../testing/arbitraries.ts";
import { openaiResponses } from "./openai-responses.ts";

const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
const item = (text: string): { type: string; id: string; summary: object[]; encrypted_content: string } => ({
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text }],
  encrypted_content: "gAAA",
});
const stateOf = (text: string): { from: string; value: never } => ({
  from: "openai-responses",
  value: item(text) as never,
});

test("a request is encoded as documented: nothing stored, reasoning before its call", () => {
  const ask: Ask = {
    model: "o4-mini",
    system: "Be brief.",
    messages: [
      { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Look.", state: stateOf("Look.") },
          { type: "reasoning", text: "Not mine.", state: { from: "anthropic", value: "sig" } },
          { type: "call", call: { id: "call_1", name: "look", input: { at: "x" }, source: "native" } },
          { type: "reasoning", text: "Cut off.", state: stateOf("Cut off.") },
        ],
      },
      {
        role: "tool",
        callId: "call_1",
        name: "look",
        content: [{ type: "text", text: "1" }, image],
        isError: false,
      },
      { role: "assistant", content: [{ type: "text", text: "A dot." }] },
    ],
    tools: [{ name: "look", description: "Looks.", schema: { type: "object", properties: {} } }],
    toolChoice: "required",
    maxTokens: 100,
    reasoning: "high",
    stop: ["never sent"],
  };
  const picture = { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" };
  expect(openaiResponses.encodeAsk(ask, { streamed: true })).toEqual({
    model: "o4-mini",
    instructions: "Be brief.",
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "What is this?" }, picture] },
      item("Look."),
      { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"x"}' },
      {
        type: "function_call_output",
        call_id: "call_1",
        output: [{ type: "input_text", text: "1" }, picture],
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "A dot." }] },
    ],
    tools: [
      {
        type: "function",
        name: "look",
        description: "Looks.",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
    ],
    tool_choice: "required",
    max_output_tokens: 100,
    reasoning: { effort: "high", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    store: false,
    stream: true,
  });
});

/** The request after a round trip: applies the format's losses. */
function kept(ask: Ask): Ask {
  const out: Ask = { ...ask, messages: joined(ask.messages.flatMap(keptMessage)) };
  delete out.contextTokens;
  delete out.stop;
  if (ask.tools.length === 0) delete out.toolChoice;
  return out;
}

function keptMessage(message: Message): Message[] {
  if (message.role === "tool") return [{ ...message, isError: false }];
  if (message.role === "user") return [message];
  const last = message.content.findLastIndex((part) => part.type !== "reasoning");
  const content = message.content.filter(
    (part, at): boolean =>
      part.type !== "reasoning" || (at < last && part.state?.from === "openai-responses"),
  );
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

/** Merges consecutive answers, as their items are indistinguishable. */
function joined(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === "assistant" && message.role === "assistant") {
      const content: AssistantPart[] = [...last.content, ...message.content];
      out[out.length - 1] = { role: "assistant", content };
    } else out.push(message);
  }
  return out;
}

const state = (text: string): fc.Arbitrary<ReturnType<typeof stateOf> | undefined> =>
  fc.constantFrom(undefined, stateOf(text));

// Requests as JSON can express them, since it writes -0 as 0.
test("requests survive encoding and decoding", () => {
  fc.assert(
    fc.property(
      asks({ reasoningState: state }).map((ask) => JSON.parse(JSON.stringify(ask)) as Ask),
      fc.boolean(),
      (ask, streamed) => {
        const body = JSON.parse(JSON.stringify(openaiResponses.encodeAsk(ask, { streamed })));
        expect(openaiResponses.decodeAsk(body)).toEqual({ ask: kept(ask), streamed });
      },
    ),
    { numRuns: 300 * scale },
  );
});

test("short forms are read: a string as input, messages without type, developer messages", () => {
  const none = { tools: [], model: "m" };
  const hi = { role: "user", content: [{ type: "text", text: "Hi" }] };
  expect(openaiResponses.decodeAsk({ model: "m", input: "Hi" })).toEqual({
    streamed: false,
    ask: { ...none, system: "", messages: [hi] },
  });
  const input = [
    { role: "developer", content: "Two." },
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "output_text", text: "Ho", annotations: [] }] },
  ];
  expect(
    openaiResponses.decodeAsk({
      model: "m",
      instructions: "One.",
      input,
      stream: true,
      tool_choice: { type: "function", name: "f" },
    }),
  ).toEqual({
    streamed: true,
    ask: {
      ...none,
      system: "One.\n\nTwo.",
      messages: [hi, { role: "assistant", content: [{ type: "text", text: "Ho" }] }],
      toolChoice: { name: "f" },
    },
  });
});

test("a malformed request is refused with the name of the wrong field", () => {
  const cases: [unknown, string][] = [
    [null, "object"],
    [{ model: "m" }, "input"],
    [{ input: "Hi" }, "model"],
    [{ model: "m", input: "Hi", previous_response_id: "resp_1" }, "previous_response_id"],
    [{ model: "m", input: [{ type: "unheard_of", id: "x" }] }, "input[0].type"],
    [{ model: "m", input: [{ role: "robot", content: "x" }] }, "input[0].role"],
    [{ model: "m", input: [{ type: "function_call", call_id: "a" }] }, "input[0].name"],
    [
      {
        model: "m",
        input: [{ role: "user", content: [{ type: "input_image", image_url: "ftp://x/y.png" }] }],
      },
      "image_url",
    ],
    [{ model: "m", input: "Hi", tools: [{ name: "f" }] }, "tools[0].type"],
    [{ model: "m", input: "Hi", tools: [{ type: "function" }] }, "tools[0].name"],
  ];
  for (const [body, field] of cases) {
    expect(() => openaiResponses.decodeAsk(body)).toThrow(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) }),
    );
  }
});

test("the service's own tools are left out, the client's stay", () => {
  const own = { type: "function", name: "look", parameters: { type: "object" } };
  const foreign = [{ type: "web_search" }, { type: "file_search", vector_store_ids: [] }];
  const { ask } = openaiResponses.decodeAsk({ model: "m", input: "Hi", tools: [...foreign, own] });
  expect(ask.tools.map(({ name }) => name)).toEqual(["look"]);
});

test("a request of arbitrary JSON is read or refused and never crashes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      for (const body of [
        one,
        { model: "m", input: one, tools: other },
        {
          model: "m",
          input: [
            { role: "user", content: one },
            { type: "reasoning", summary: other },
          ],
        },
      ]) {
        try {
          openaiResponses.decodeAsk(body);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
      }
    }),
    { numRuns: 300 * scale },
  );
});

test("the path is that of the Responses API", () => {
  expect(openaiResponses.path("m", { streamed: true })).toBe("/responses");
  expect(
    ["/v1/responses", "/responses", "/v1/chat/completions"].map((path) => openaiResponses.match(path)),
  ).toEqual([{}, {}, undefined]);
});

test("requests of a session carry its cache key, truncated to the provider's limit", () => {
  const ask: Ask = { model: "m", system: "", messages: [], tools: [] };
  expect(
    openaiResponses.encodeAsk({ ...ask, cacheKey: "s".repeat(99) }, { streamed: true })["prompt_cache_key"],
  ).toBe("s".repeat(64));
  expect(openaiResponses.encodeAsk(ask, { streamed: true })).not.toHaveProperty("prompt_cache_key");
  const again = { ...ask, cacheKey: "session" };
  expect(openaiResponses.decodeAsk(openaiResponses.encodeAsk(again, { streamed: true })).ask).toEqual(again);
});
