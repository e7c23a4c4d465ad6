import { expect, test } from "vitest";
import { openaiResponses } from "../openai-responses/openai-responses.ts";
import { openaiChat } from "./openai-chat.ts";

/**
 * A client's mistake is named in the error, in both formats: if it were ignored, tools or text would silently be lost.
 */

const user = { role: "user", content: "a" };
const chat = { model: "m", messages: [user] };
const responses = { model: "m", input: "a" };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };

test.each<[string, object]>([
  ["messages[0].content", { messages: [{ role: "user", content: 5 }] }],
  ["messages[0].tool_call_id", { messages: [{ role: "tool", content: "lost" }] }],
  ["messages[0].tool_calls", { messages: [{ role: "assistant", content: "", tool_calls: "x" }] }],
  ["tools", { tools: "x" }],
  ["tools", { tools: {} }],
  [
    "tools[0].function.parameters",
    { tools: [{ type: "function", function: { name: "f", parameters: "x" } }] },
  ],
  ["tool_choice", { tool_choice: "maybe" }],
  ["tool_choice", { tool_choice: 5 }],
  ["stream", { stream: "yes" }],
  ["stop", { stop: 5 }],
  ["stop[0]", { stop: [5] }],
  ["max_tokens", { max_tokens: "5" }],
  ["temperature", { temperature: "hot" }],
  ["n", { n: "2" }],
  ["n", { n: 2 }],
  ["parallel_tool_calls", { parallel_tool_calls: "no" }],
  ["format", { response_format: 5 }],
  ["format.type", { response_format: { type: "xml" } }],
])("chat: a wrong %s is refused by name", (field, wrong) => {
  expect(() => openaiChat.decodeAsk({ ...chat, ...wrong })).toThrow(`"${field}" must be`);
});

test.each<[string, object]>([
  ["input[0].content", { input: [{ role: "user", content: 5 }] }],
  ["tools", { tools: "x" }],
  ["tools[0].parameters", { tools: [{ type: "function", name: "f", parameters: "x" }] }],
  ["tool_choice", { tool_choice: "huh" }],
  ["instructions", { instructions: 5 }],
  ["max_output_tokens", { max_output_tokens: "5" }],
  ["stream", { stream: "x" }],
  ["reasoning", { reasoning: "x" }],
  ["text", { text: 5 }],
  ["format.type", { text: { format: { type: "xml" } } }],
])("responses: a wrong %s is refused by name", (field, wrong) => {
  expect(() => openaiResponses.decodeAsk({ ...responses, ...wrong })).toThrow(`"${field}" must be`);
});

test("null counts as absent in every field where clients send it", () => {
  const none = { tools: null, tool_choice: null, stop: null, n: null, temperature: null, stream: null };
  const more = { response_format: null, parallel_tool_calls: null, max_tokens: null, stream_options: null };
  const plain = openaiChat.decodeAsk(chat);
  expect(openaiChat.decodeAsk({ ...chat, ...none, ...more })).toEqual(plain);
  const messages = [user, { role: "assistant", content: null, tool_calls: [call] }];
  const answered = [...messages, { role: "tool", tool_call_id: "c1", content: null }];
  expect(openaiChat.decodeAsk({ ...chat, messages: answered }).ask.messages).toHaveLength(3);
});

test("a max_tokens of -1 means no limit", () => {
  expect(openaiChat.decodeAsk({ ...chat, max_tokens: -1 }).ask.maxTokens).toBeUndefined();
  expect(openaiChat.decodeAsk({ ...chat, max_tokens: 7 }).ask.maxTokens).toBe(7);
});

test("allowed_tools sets the mode of the choice, and the choice of a service's tool is ignored", () => {
  const allowed_tools = { mode: "required", tools: [] };
  const chosen = (tool_choice: unknown) => openaiChat.decodeAsk({ ...chat, tool_choice }).ask.toolChoice;
  expect(chosen({ type: "allowed_tools", allowed_tools })).toBe("required");
  expect(chosen({ type: "allowed_tools", mode: "auto" })).toBe("auto");
  expect(chosen({ type: "web_search" })).toBeUndefined();
});

test("a stream reports usage only if the client asks for it", () => {
  const usage = (stream_options: unknown) =>
    openaiChat.decodeAsk({ ...chat, stream: true, stream_options }).withoutUsage;
  expect([usage({ include_usage: true }), usage({ include_usage: false }), usage(undefined)]).toEqual([
    undefined,
    true,
    true,
  ]);
});
