import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { openaiChat } from "./openai-chat.ts";

/** Tools that are not functions: the service's own, and custom tools that take plain text. */

const look = { name: "look", description: "Looks.", parameters: { type: "object" } };
const grammar = { syntax: "lark", definition: "start: hunk+" };
const patch = {
  name: "apply_patch",
  description: "Changes files.",
  format: { type: "grammar", grammar },
};
const tools = [
  { type: "web_search" },
  { type: "custom", custom: patch },
  { function: look },
  { type: "function", function: { ...look, name: "see" } },
];
const asked = (more: JsonObject = {}): ReturnType<typeof openaiChat.decodeAsk> =>
  openaiChat.decodeAsk({ model: "m", messages: [], tools, ...more });

test("the service's tools are left out, a tool without type is a function, and custom input becomes an argument", () => {
  const { ask } = asked({ tool_choice: { type: "custom", custom: { name: "apply_patch" } } });
  expect(ask.tools.map(({ name }) => name)).toEqual(["apply_patch", "look", "see"]);
  expect(ask.tools[0]).toMatchObject({
    schema: { properties: { input: { type: "string" } }, required: ["input"] },
    description: expect.stringMatching(/^Changes files\.[^]*"input"[^]*start: hunk\+$/u),
  });
  expect(ask.toolChoice).toEqual({ name: "apply_patch" });
});

const text = "*** Begin Patch\n*** End Patch";
const calls: { id: string; name: string; input: JsonObject }[] = [
  { id: "c1", name: "apply_patch", input: { input: text } },
  { id: "c2", name: "look", input: { at: "x" } },
];
const answer: ModelEvent[] = [
  { type: "answer-start", model: "m" },
  ...calls.flatMap(({ id, name, input }): ModelEvent[] => [
    { type: "call-start", id, name },
    { type: "call-delta", id, json: JSON.stringify(input) },
    { type: "call-end", call: { id, name, input, source: "native" } },
  ]),
  { type: "answer-end", reason: "tool-calls" },
];
const written: JsonObject[] = [
  { id: "c1", type: "custom", custom: { name: "apply_patch", input: text } },
  { id: "c2", type: "function", function: { name: "look", arguments: '{"at":"x"}' } },
];

async function* streamed(): AsyncGenerator<ModelEvent> {
  yield* answer;
}

test("each call is sent in the form its tool was offered in, whole and streamed", async () => {
  const { forms } = asked();
  expect(openaiChat.encodeWhole(answer, forms)).toMatchObject({
    choices: [{ message: { tool_calls: written }, finish_reason: "tool_calls" }],
  });
  const frames = (await collect(openaiChat.encodeEvents(streamed(), forms))).join("");
  const deltas = [...frames.matchAll(/"tool_calls":(\[.*?\])\},"logprobs"/gu)].map(([, list = ""]): unknown =>
    JSON.parse(list),
  );
  expect(deltas).toEqual([
    [{ index: 0, id: "c1", type: "custom", custom: { name: "apply_patch", input: "" } }],
    [{ index: 0, custom: { input: text } }],
    [{ index: 1, id: "c2", type: "function", function: { name: "look", arguments: "" } }],
    [{ index: 1, function: { arguments: '{"at":"x"}' } }],
  ]);
});

test("without known forms every call is a function call", () => {
  expect(openaiChat.encodeWhole(answer)).toMatchObject({
    choices: [{ message: { tool_calls: [{ type: "function" }, { type: "function" }] } }],
  });
});

test("custom calls are read from a history with their results", () => {
  const messages: JsonObject[] = [
    { role: "assistant", content: null, tool_calls: written },
    { role: "tool", tool_call_id: "c1", content: "Done." },
  ];
  expect(asked({ messages }).ask.messages).toEqual([
    {
      role: "assistant",
      content: calls.map((call) => ({ type: "call", call: { ...call, source: "native" } })),
    },
    {
      role: "tool",
      callId: "c1",
      name: "apply_patch",
      content: [{ type: "text", text: "Done." }],
      isError: false,
    },
  ]);
});

test("a custom tool or call without a name is refused", () => {
  const cases = [
    [{ tools: [{ type: "custom", custom: {} }] }, "tools[0].custom.name"],
    [
      { messages: [{ role: "assistant", tool_calls: [{ id: "c", type: "custom", custom: {} }] }] },
      "messages[0].tool_calls[0].custom.name",
    ],
  ] as const;
  for (const [more, field] of cases)
    expect(() => openaiChat.decodeAsk({ model: "m", messages: [], ...more })).toThrow(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(`"${field}"`) }),
    );
});
