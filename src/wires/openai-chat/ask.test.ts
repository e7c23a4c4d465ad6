import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ask, AssistantPart, Message, Opaque, ContentPart } from "../../protocol/messages.ts";
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import { scale } from "../../testing/scale.ts";
import { asks } from "../testing/arbitraries.ts";
import { openaiChat } from "./openai-chat.ts";

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
const thinking = { from: "openai-chat", value: { field: "reasoning_content" } };

const fn = (name: string, args: string): object => ({ name, arguments: args });

test("a request is encoded as documented", () => {
  const ask: Ask = {
    model: "deepseek-v4-pro",
    system: "Be brief.",
    messages: [
      { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Look first.", state: thinking },
          { type: "reasoning", text: "Not mine.", state: { from: "anthropic", value: "sig" } },
          { type: "call", call: { id: "a", name: "read_file", input: { path: "x" }, source: "native" } },
          { type: "call", call: { id: "b", name: "look", input: {}, source: "native" } },
        ],
      },
      {
        role: "tool",
        callId: "a",
        name: "read_file",
        content: [{ type: "text", text: "1" }, image],
        isError: false,
      },
      { role: "tool", callId: "b", name: "look", content: [image], isError: true },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Done.", state: thinking },
          { type: "text", text: "A dot." },
        ],
      },
    ],
    tools: [{ name: "look", description: "Looks.", schema: { type: "object", properties: {} } }],
    toolChoice: { name: "look" },
    maxTokens: 100,
    temperature: 0,
    stop: ["END"],
    reasoning: "high",
    contextTokens: 4096,
  };
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
  expect(openaiChat.encodeAsk(ask, { streamed: true })).toEqual({
    model: "deepseek-v4-pro",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "What is this?" }, url] },
      {
        role: "assistant",
        content: null,
        reasoning_content: "Look first.",
        tool_calls: [
          { id: "a", type: "function", function: fn("read_file", '{"path":"x"}') },
          { id: "b", type: "function", function: fn("look", "{}") },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: "(an image, see below)" },
      {
        role: "user",
        content: [
          { type: "text", text: "The result of read_file (a):" },
          url,
          { type: "text", text: "The result of look (b):" },
          url,
        ],
      },
      { role: "assistant", content: "A dot." },
    ],
    stream: true,
    stream_options: { include_usage: true },
    tools: [
      {
        type: "function",
        function: { name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
      },
    ],
    tool_choice: { type: "function", function: { name: "look" } },
    max_tokens: 100,
    temperature: 0,
    stop: ["END"],
    reasoning_effort: "high",
  });
});

/** The request after a round trip: applies the format's losses one after the other. */
function kept(ask: Ask): Ask {
  const out: Ask = { ...ask, messages: withPicturesAfter(ask.messages).flatMap(keptMessage) };
  delete out.contextTokens;
  if (ask.tools.length === 0) delete out.toolChoice;
  return out;
}

function withPicturesAfter(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  let pictures: ContentPart[] = [];
  const flush = (): void => {
    if (pictures.length > 0) out.push({ role: "user", content: pictures });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === "user") {
      out.push({ ...message, content: [...pictures, ...message.content] });
      pictures = [];
      continue;
    }
    if (message.role === "assistant") flush();
    out.push(message);
    if (message.role !== "tool") continue;
    const mine = message.content.filter((part) => part.type === "image");
    if (mine.length > 0)
      pictures.push({ type: "text", text: `The result of ${message.name} (${message.callId}):` }, ...mine);
  }
  flush();
  return out;
}

function keptMessage(message: Message): Message[] {
  if (message.role === "user") return [{ ...message, content: keptWords(message.content) }];
  if (message.role === "tool") return [{ ...message, content: keptResult(message.content), isError: false }];
  const calls = message.content.filter((part) => part.type === "call");
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const thoughts = message.content.filter(
    (part) => part.type === "reasoning" && part.state?.from === "openai-chat",
  );
  if (calls.length === 0 && text === "") return [];
  const reasoning: AssistantPart[] =
    thoughts.length > 0 && calls.length > 0
      ? [
          {
            type: "reasoning",
            text: thoughts.map((part) => (part.type === "reasoning" ? part.text : "")).join(""),
            state: thinking,
          },
        ]
      : [];
  return [
    {
      role: "assistant",
      content: [...reasoning, ...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls],
    },
  ];
}

/** Joins texts into one if there are only texts. */
const keptWords = (content: ContentPart[]): ContentPart[] =>
  content.every(({ type }) => type === "text")
    ? [{ type: "text", text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n\n") }]
    : content;

function keptResult(content: readonly ContentPart[]): ContentPart[] {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (text !== "") return [{ type: "text", text }];
  return content.length > 0 ? [{ type: "text", text: "(an image, see below)" }] : [];
}

/** Requests as JSON can express them: it writes -0 as 0. */
const requests = (reasoningState: () => fc.Arbitrary<Opaque | undefined>): fc.Arbitrary<Ask> =>
  asks({ reasoningState }).map((ask) => throughJson(ask) as Ask);

test("requests survive encoding and decoding", () => {
  const state = fc.constantFrom(undefined, thinking, { from: "anthropic", value: 1 });
  fc.assert(
    fc.property(
      requests(() => state),
      fc.boolean(),
      (ask, streamed) => {
        const body = throughJson(openaiChat.encodeAsk(ask, { streamed }));
        expect(openaiChat.decodeAsk(body)).toEqual({ ask: kept(ask), streamed });
      },
    ),
    { numRuns: 300 * scale },
  );
});

test("requests of old and strict clients are read: functions, developer messages, content parts", () => {
  const body = {
    model: "m",
    messages: [
      { role: "developer", content: [{ type: "text", text: "One." }] },
      { role: "user", content: "Hi" },
      { role: "system", content: "Two." },
      { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
      { role: "function", name: "f", content: "ok" },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }], tool_calls: [] },
    ],
    functions: [{ name: "f", parameters: { type: "object" } }],
    function_call: { name: "f" },
    max_completion_tokens: 9,
    stop: "END",
    reasoning_effort: "minimal",
  };
  const id = expect.stringMatching(/^call_/);
  expect(openaiChat.decodeAsk(body)).toEqual({
    streamed: false,
    ask: {
      model: "m",
      system: "One.\n\nTwo.",
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        {
          role: "assistant",
          content: [{ type: "call", call: { id, name: "f", input: { a: 1 }, source: "native" } }],
        },
        { role: "tool", callId: id, name: "f", content: [{ type: "text", text: "ok" }], isError: false },
        { role: "assistant", content: [{ type: "text", text: "No." }] },
      ],
      tools: [{ name: "f", description: "", schema: { type: "object" } }],
      toolChoice: { name: "f" },
      maxTokens: 9,
      stop: ["END"],
      reasoning: "low",
    },
  });
});

test("a malformed request is refused with the name of the wrong field", () => {
  const user = { role: "user", content: "Hi" };
  const cases: [unknown, string][] = [
    ["text", "object"],
    [{ model: "m" }, "messages"],
    [{ messages: [user] }, "model"],
    [{ model: "m", messages: [7] }, "messages[0].role"],
    [{ model: "m", messages: [{ role: "robot" }] }, "messages[0].role"],
    [
      { model: "m", messages: [user, { role: "user", content: [{ type: "hologram" }] }] },
      "messages[1].content[0]",
    ],
    [
      {
        model: "m",
        messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "ftp://x/y.png" } }] }],
      },
      "image_url",
    ],
    [
      { model: "m", messages: [{ role: "assistant", tool_calls: [{}] }] },
      "messages[0].tool_calls[0].function.name",
    ],
    [{ model: "m", messages: [user], tools: [{ type: "function" }] }, "tools[0].function.name"],
  ];
  for (const [body, field] of cases) {
    expect(() => openaiChat.decodeAsk(body)).toThrow(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) }),
    );
  }
});

test("a request of arbitrary JSON is read or refused and never crashes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      for (const body of [
        one,
        { model: "m", messages: one, tools: other },
        { model: "m", messages: [{ role: "assistant", content: one, tool_calls: [other] }] },
      ]) {
        try {
          openaiChat.decodeAsk(body);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
      }
    }),
    { numRuns: 300 * scale },
  );
});

test("errors of all shapes are reported in one line with their kind", () => {
  const cases: [number, string, ModelErrorKind, string][] = [
    [
      401,
      '{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}',
      "auth",
      "Incorrect API key",
    ],
    [403, '{"detail":"Forbidden"}', "auth", "Forbidden"],
    [
      404,
      '{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}',
      "unknown-model",
      "does not exist",
    ],
    [404, '{"detail":"Not Found"}', "unknown-path", "Not Found"],
    [404, "<html><title>404 Not Found</title></html>", "unknown-path", "nothing at this address"],
    [404, "404 page not found", "unknown-path", "nothing at this address"],
    [404, "", "unknown-path", "nothing at this address"],
    [404, '{"error":{"message":"Invalid URL (POST /v1/x)","code":null}}', "unknown-path", "Invalid URL"],
    [404, '{"error":{"message":"No endpoints found for x","code":404}}', "unknown-model", "No endpoints"],
    [
      400,
      '{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}',
      "unknown-model",
      "Not Exist",
    ],
    [429, '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}', "rate-limit", "Slow down"],
    [
      429,
      '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}',
      "auth",
      "credit",
    ],
    [402, '{"error":{"message":"Insufficient Balance"}}', "auth", "credit"],
    [
      400,
      '{"error":{"message":"too long","code":"context_length_exceeded"}}',
      "context-overflow",
      "too long",
    ],
    [
      400,
      '{"object":"error","message":"This model\'s maximum context length is 8192 tokens.","code":400}',
      "context-overflow",
      "8192",
    ],
    [
      422,
      '{"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}',
      "bad-request",
      "Extra inputs",
    ],
    [500, '[{"error":{"code":500,"message":"Internal error"}}]', "server", "Internal error"],
    [503, '{"error":"busy"}', "overloaded", "busy"],
    [529, "", "overloaded", "529"],
    [
      504,
      "<!DOCTYPE html><html><head><title>504 Gateway Time-out</title></head>",
      "timeout",
      "504 Gateway Time-out",
    ],
    [502, "upstream\nconnect error", "server", "upstream connect error"],
  ];
  for (const [status, body, kind, words] of cases) {
    const error = openaiChat.decodeError(status, { "retry-after": "7" }, body);
    expect(error, body).toMatchObject({ kind, status, retryAfter: 7000, midStream: false });
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("\n");
  }
});

test("an error from our server is decoded to the same kind", () => {
  const kinds: ModelErrorKind[] = [
    "auth",
    "rate-limit",
    "overloaded",
    "context-overflow",
    "bad-request",
    "network",
    "timeout",
    "server",
    "malformed",
    "unknown-model",
  ];
  for (const kind of kinds) {
    const { status, headers, body } = openaiChat.encodeError(
      new ModelError(kind, "So it is.", { retryAfter: 1500 }),
    );
    expect(openaiChat.decodeError(status, headers, JSON.stringify(body))).toMatchObject({
      kind,
      retryAfter: 1500,
    });
  }
});

test("an error with HTTP 200 in a whole reply is a ModelError", () => {
  for (const body of [
    { error: { message: "No", code: 429 } },
    { error: "No" },
    { choices: [] },
    {},
    [],
    "x",
    null,
  ]) {
    expect(() => openaiChat.decodeWhole(body)).toThrow(ModelError);
  }
});

test("paths and keys match the Chat Completions API", () => {
  expect(openaiChat.path("m", { streamed: true })).toBe("/chat/completions");
  expect(
    ["/v1/chat/completions", "/chat/completions", "/v1/responses", "/v1/chat/completions/x"].map((path) =>
      openaiChat.match(path),
    ),
  ).toEqual([{}, {}, undefined, undefined]);
  expect([openaiChat.headers("k"), openaiChat.headers(undefined)]).toEqual([
    { authorization: "Bearer k" },
    {},
  ]);
});
