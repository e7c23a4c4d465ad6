import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import {
  withAnswersBetween,
  withCacheKey,
  withCacheMarks,
  withShortIds,
  withThoughts,
} from "./chat-bodies.ts";

const call = (id: string): JsonObject => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
const body: JsonObject = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go." },
    { role: "assistant", content: null, tool_calls: [call("toolu_01"), call("abcDEF123")] },
    { role: "tool", tool_call_id: "toolu_01", content: "1" },
    { role: "tool", tool_call_id: "abcDEF123", content: "2" },
    { role: "user", content: "Stop." },
  ],
};

test("call ids are shortened to nine letters and digits, alike in calls and results", () => {
  const [, , answer, ...rest] = withShortIds(body).messages as object[];
  expect([answer, ...rest]).toMatchObject([
    { tool_calls: [{ id: "00toolu01" }, { id: "abcDEF123" }] },
    { tool_call_id: "00toolu01" },
    { tool_call_id: "abcDEF123" },
    { content: "Stop." },
  ]);
});

test("an assistant message is inserted between tool results and the user message that follows", () => {
  const { messages } = withAnswersBetween(body);
  expect((messages as object[]).slice(-3)).toMatchObject([
    { role: "tool" },
    { role: "assistant", content: "I see." },
    { role: "user", content: "Stop." },
  ]);
});

test("an assistant message without reasoning gets an empty reasoning_content", () => {
  const own = { role: "assistant", content: "b", reasoning_content: "Hm." };
  expect(withThoughts({ messages: [{ role: "assistant", content: "a" }, own] })).toEqual({
    messages: [{ role: "assistant", content: "a", reasoning_content: "" }, own],
  });
});

test("the session's cache key is sent if there is one", () => {
  const ask = { model: "m", system: "", messages: [], tools: [] };
  expect(withCacheKey({ model: "m" }, { ...ask, cacheKey: "s" })).toEqual({
    model: "m",
    prompt_cache_key: "s",
  });
  expect(withCacheKey({ model: "m" }, ask)).toEqual({ model: "m" });
});

const mark = { cache_control: { type: "ephemeral" } };
const text = (words: string): JsonObject => ({ type: "text", text: words, ...mark });

test("for Claude behind a broker, the system prompt and the ends of this and the previous request get cache marks", () => {
  const picture = { type: "image_url", image_url: { url: "data:" } };
  const messages: JsonObject[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go." },
    { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
    { role: "tool", tool_call_id: "a", content: "1" },
    { role: "tool", tool_call_id: "b", content: "" },
    { role: "assistant", content: "Seen." },
    { role: "user", content: [{ type: "text", text: "And this?" }, picture] },
  ];
  const sent = withCacheMarks({ model: "anthropic/claude-sonnet-5-5", messages });
  expect(sent.messages).toEqual([
    { role: "system", content: [text("Be brief.")] },
    ...messages.slice(1, 3),
    { ...messages[3], ...mark }, // the other message is empty, so it cannot be marked
    ...messages.slice(4, 6),
    {
      role: "user",
      content: [
        { type: "text", text: "And this?" },
        { ...picture, ...mark },
      ],
    },
  ]);
  const first = withCacheMarks({ model: "anthropic/claude-opus-5", messages: messages.slice(0, 2) });
  expect(first.messages).toEqual([
    { role: "system", content: [text("Be brief.")] },
    { role: "user", content: [text("Go.")] },
  ]);
  const bare: JsonObject[] = [{ role: "system", content: " " }, { role: "user" }];
  expect(withCacheMarks({ model: "anthropic/claude-opus-5", messages: bare }).messages).toEqual(bare);
  for (const model of ["openai/gpt-5.5", "openrouter/auto", "not-anthropic/claude"])
    expect(withCacheMarks({ model, messages })).toEqual({ model, messages });
});

test("a body without a list of messages is left unchanged", () => {
  for (const change of [withShortIds, withAnswersBetween, withThoughts])
    expect(change({ model: "m", messages: "none" })).toEqual({ model: "m", messages: "none" });
  const body = { model: "anthropic/claude-opus-5", messages: "none" };
  expect(withCacheMarks(body)).toEqual(body);
});
