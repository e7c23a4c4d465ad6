import { expect, test } from "vitest";
import { wires } from "./index.ts";

/** Overflow replies with status and body, almost verbatim from servers. */
const refusals: [wire: keyof typeof wires, status: number, body: object][] = [
  [
    "openai-chat",
    400,
    { error: { message: "Too long.", type: "invalid_request_error", code: "context_length_exceeded" } },
  ],
  [
    "openai-chat",
    400,
    {
      error: {
        message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      },
    },
  ],
  [
    "openai-chat",
    400,
    { message: "The decoder prompt (length 5000) is longer than the maximum model length of 4096." },
  ],
  [
    "openai-chat",
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
  ],
  [
    "openai-chat",
    422,
    { error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000" },
  ],
  ["openai-chat", 422, { error: "Input validation error: `inputs` must have less than 4095 tokens." }],
  [
    "openai-chat",
    400,
    { error: { message: "Invalid request: Your request exceeded model token limit: 8192" } },
  ],
  ["openai-chat", 400, { error: { message: "Prompt exceeds max length", code: "1261" } }],
  [
    "openai-chat",
    400,
    { error: { message: "Range of input length should be [1, 30720]", code: "invalid_parameter_error" } },
  ],
  [
    "openai-chat",
    400,
    {
      error: {
        message: "prompt token count of 130000 exceeds the limit of 128000",
        code: "model_max_prompt_tokens_exceeded",
      },
    },
  ],
  [
    "openai-chat",
    400,
    {
      error: { message: "the request exceeds the available context size", type: "exceed_context_size_error" },
    },
  ],
  [
    "openai-chat",
    413,
    {
      error: {
        message: "Request too large on tokens per minute: Limit 6000, Requested 12000",
        code: "rate_limit_exceeded",
      },
    },
  ],
  [
    "openai-responses",
    400,
    {
      error: {
        message: "Your input exceeds the context window of this model.",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    "anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
  ],
  [
    "anthropic",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      },
    },
  ],
  [
    "anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "Input is too long for requested model." },
    },
  ],
  [
    "anthropic",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  ],
  [
    "gemini",
    400,
    {
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      },
    },
  ],
  [
    "gemini",
    400,
    {
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "The input token count is 1000 but model only supports up to 500.",
      },
    },
  ],
  ["cohere", 400, { message: "too many tokens: total number of tokens in the prompt cannot exceed 4081" }],
  ["ollama", 400, { error: "the input length exceeds the context length" }],
];

test.each(refusals)("%s, %i: a prompt that is too long is a context overflow: %j", (wire, status, body) => {
  expect(wires[wire].decodeError(status, {}, JSON.stringify(body)).kind).toBe("context-overflow");
});

const others: typeof refusals = [
  [
    "openai-chat",
    400,
    {
      error: {
        message: "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.",
      },
    },
  ],
  [
    "openai-chat",
    429,
    { error: { message: "Rate limit reached for tokens per minute.", code: "rate_limit_exceeded" } },
  ],
  ["openai-chat", 400, { error: { message: "Invalid value for temperature." } }],
  [
    "anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "messages: at least one message is required" },
    },
  ],
];

test.each(others)(
  "%s, %i: an error that another prompt would not fix is not a context overflow: %j",
  (wire, status, body) => {
    expect(wires[wire].decodeError(status, {}, JSON.stringify(body)).kind).not.toBe("context-overflow");
  },
);
