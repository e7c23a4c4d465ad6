import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { Ask } from "../../protocol/messages.ts";
import type { ModelEvent, Usage } from "../../protocol/model-events.ts";
import { anthropic } from "./anthropic.ts";

/** Block types that coding agents send besides text, pictures and calls. */

const read = (more: JsonObject): Ask => anthropic.decodeAsk({ model: "m", messages: [], ...more }).ask;
const said = (...content: JsonObject[]): Ask["messages"] =>
  read({ messages: [{ role: "user", content }] }).messages;

test("the service's own tools are left out, and so is a choice of one of them", () => {
  const search = { type: "web_search_20250305", name: "web_search", max_uses: 8 };
  const look = { name: "look", input_schema: { type: "object" } };
  const chosen = (name: string): JsonObject => ({ tool_choice: { type: "tool", name } });
  const offered = { tools: [search, look] };
  expect(read({ ...offered, ...chosen("web_search") })).toEqual({
    model: "m",
    system: "",
    messages: [],
    tools: [{ name: "look", description: "", schema: { type: "object" } }],
  });
  expect(read({ ...offered, ...chosen("look") })).toMatchObject({ toolChoice: { name: "look" } });
});

test("a tool reference in a result becomes text saying that the tool can be called", () => {
  const call = { type: "tool_use", id: "t1", name: "ToolSearch", input: { query: "web" } };
  const found = { type: "tool_reference", tool_name: "WebFetch" };
  const messages = [
    { role: "assistant", content: [call] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [found] }] },
  ];
  expect(read({ messages }).messages[1]).toEqual({
    role: "tool",
    callId: "t1",
    name: "ToolSearch",
    content: [{ type: "text", text: "The tool WebFetch can be called now." }],
    isError: false,
  });
});

test("a text document is read as text, and any other is replaced by a note that it cannot be shown", () => {
  const text = (told: string): JsonObject => ({ type: "text", text: told });
  const document = (source: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: "document",
    source,
    ...more,
  });
  const pdf = { type: "base64", media_type: "application/pdf", data: "JVBERi0=" };
  const plain = { type: "text", media_type: "text/plain", data: "One." };
  const found = { type: "search_result", title: "Pears", source: "pears.txt", content: [text("Two.")] };
  const blocks = [
    document(plain, { title: "notes.txt" }),
    document({ type: "content", content: [text("Three.")] }),
    document(pdf, { title: "paper.pdf" }),
    document({ type: "url", url: "https://example.com/a.pdf" }),
    found,
  ];
  expect(said(...blocks)).toEqual([
    {
      role: "user",
      content: [
        text("notes.txt\nOne."),
        text("Three."),
        text("paper.pdf\n[A document (application/pdf) that cannot be shown to this model.]"),
        text("[A document (url) that cannot be shown to this model.]"),
        text("Pears\npears.txt\nTwo."),
      ],
    },
  ]);
});

test("calls and results of the service's own tools are skipped in a history", () => {
  const content: JsonObject[] = [
    { type: "text", text: "I search." },
    { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "pears" } },
    { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
    { type: "text", text: "Found." },
  ];
  expect(read({ messages: [{ role: "assistant", content }] }).messages).toEqual([
    {
      role: "assistant",
      content: [
        { type: "text", text: "I search." },
        { type: "text", text: "Found." },
      ],
    },
  ]);
});

test("usage always has the counts clients add up, with null for unknown cache counts", () => {
  const events = (usage: Usage[]): ModelEvent[] => [
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "Hi" },
    ...usage.map((each) => ({ type: "usage" as const, usage: each })),
    { type: "answer-end", reason: "stop" },
  ];
  const cache = { cache_read_input_tokens: null, cache_creation_input_tokens: null };
  expect(anthropic.encodeWhole(events([]))["usage"]).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    ...cache,
  });
  const known = { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4 };
  expect(anthropic.encodeWhole(events([known]))["usage"]).toEqual({
    ...cache,
    input_tokens: 5,
    output_tokens: 2,
    cache_read_input_tokens: 4,
  });
});
