import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { withAnswersBetween, withCacheKey, withShortIds, withThoughts } from "./chat-bodies.ts";

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

test("ids become nine letters and digits, the same on both sides", () => {
  const [, , answer, ...rest] = withShortIds(body).messages as object[];
  expect([answer, ...rest]).toMatchObject([
    { tool_calls: [{ id: "00toolu01" }, { id: "abcDEF123" }] },
    { tool_call_id: "00toolu01" },
    { tool_call_id: "abcDEF123" },
    { content: "Stop." },
  ]);
});

test("between results and a person's words stands a word of the model", () => {
  const { messages } = withAnswersBetween(body);
  expect((messages as object[]).slice(-3)).toMatchObject([
    { role: "tool" },
    { role: "assistant", content: "I see." },
    { role: "user", content: "Stop." },
  ]);
});

test("an answer that has lost its thought gets an empty one", () => {
  const own = { role: "assistant", content: "b", reasoning_content: "Hm." };
  expect(withThoughts({ messages: [{ role: "assistant", content: "a" }, own] })).toEqual({
    messages: [{ role: "assistant", content: "a", reasoning_content: "" }, own],
  });
});

test("a session's key goes along, where there is one", () => {
  const ask = { model: "m", system: "", messages: [], tools: [] };
  expect(withCacheKey({ model: "m" }, { ...ask, cacheKey: "s" })).toEqual({
    model: "m",
    prompt_cache_key: "s",
  });
  expect(withCacheKey({ model: "m" }, ask)).toEqual({ model: "m" });
});

test("a body without messages is left alone", () => {
  for (const change of [withShortIds, withAnswersBetween, withThoughts])
    expect(change({ model: "m", messages: "none" })).toEqual({ model: "m", messages: "none" });
});
