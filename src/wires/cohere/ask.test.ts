import { expect, test } from "vitest";
import type { Ask, AssistantPart } from "../../protocol/messages.ts";
import { cohere } from "./cohere.ts";

const thought = { from: "cohere", value: "thinking" };
const call: AssistantPart = {
  type: "call",
  call: { id: "c1", name: "read_file", input: { path: 'a "b"' }, source: "native" },
};
const ask = (more: Partial<Ask> = {}): Ask => ({
  model: "command-x",
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [{ name: "read_file", description: "Reads.", schema: { type: "object" } }],
  ...more,
});
const answer = (content: AssistantPart[], more: Partial<Ask> = {}): unknown => {
  const body = cohere.encodeAsk(ask({ messages: [{ role: "assistant", content }], ...more }), {
    streamed: true,
  });
  return body["messages"];
};

test("a request encodes the conversation in Cohere's format", () => {
  const picture = { type: "image", mediaType: "image/png", data: "iVBO" } as const;
  const body = cohere.encodeAsk(
    ask({
      system: "Be kind.",
      messages: [
        { role: "user", content: [{ type: "text", text: "Look" }, picture] },
        { role: "assistant", content: [{ type: "reasoning", text: "Hm." }, call] },
        { role: "tool", callId: "c1", name: "read_file", content: [picture], isError: false },
        { role: "assistant", content: [{ type: "text", text: "A logo." }] },
        { role: "user", content: [{ type: "text", text: "Thanks" }] },
      ],
      maxTokens: 100,
      temperature: 1.5,
      stop: ["1", "2", "3", "4", "5", "6"],
      contextTokens: 32_768,
    }),
    { streamed: true },
  );
  const url = "data:image/png;base64,iVBO";
  expect(body).toEqual({
    model: "command-x",
    messages: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url } },
        ],
      },
      {
        role: "assistant",
        tool_plan: "Hm.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"a \\"b\\""}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "(an image, see below)" },
      {
        role: "user",
        content: [
          { type: "text", text: "The result of read_file (c1):" },
          { type: "image_url", image_url: { url } },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "A logo." }] },
      { role: "user", content: "Thanks" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "read_file", description: "Reads.", parameters: { type: "object" } },
      },
    ],
    max_tokens: 100,
    temperature: 1,
    stop_sequences: ["1", "2", "3", "4", "5"],
    stream: true,
  });
});

test("text beside calls becomes thinking after own thoughts, else the tool plan", () => {
  const text: AssistantPart = { type: "text", text: "I look." };
  const own: AssistantPart = { type: "reasoning", text: "Hm.", state: thought };
  const foreign: AssistantPart = { ...own, state: { from: "gemini", value: "thinking" } };
  const thinking = { content: [{ type: "thinking", thinking: "Hm.\n\nI look." }] };
  const plan = { tool_plan: "Hm.\n\nI look." };
  expect(answer([own, text, call])).toEqual([expect.objectContaining(thinking)]);
  expect(answer([foreign, text, call])).toEqual([expect.objectContaining(plan)]);
  expect(answer([own, text, call], { reasoning: "off" })).toEqual([expect.objectContaining(plan)]);
  expect(answer([call])).toEqual([
    { role: "assistant", tool_calls: [expect.objectContaining({ id: "c1" })] },
  ]);
});

test("an answer without calls keeps its own thoughts and text, and is omitted if it has no text", () => {
  const text: AssistantPart = { type: "text", text: "Done." };
  const own: AssistantPart = { type: "reasoning", text: "Hm.", state: thought };
  const said = { type: "text", text: "Done." };
  expect(answer([own, text])).toEqual([
    { role: "assistant", content: [{ type: "thinking", thinking: "Hm." }, said] },
  ]);
  expect(answer([{ type: "reasoning", text: "Hm." }, text])).toEqual([
    { role: "assistant", content: [said] },
  ]);
  expect(answer([own, text], { reasoning: "off" })).toEqual([{ role: "assistant", content: [said] }]);
  expect(answer([own, { type: "text", text: " \n" }])).toEqual([]);
});

test("a result without content is sent as (no output)", () => {
  const content = (parts: Parameters<typeof result>[0]): unknown => result(parts);
  expect(content([])).toBe("(no output)");
  expect(
    content([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
  ).toBe("a\nb");
});

function result(content: { type: "text"; text: string }[]): unknown {
  const message = { role: "tool", callId: "c1", name: "f", content, isError: false } as const;
  const body = cohere.encodeAsk(ask({ messages: [message] }), { streamed: false }) as {
    messages: { content: string }[];
  };
  return body.messages[0]?.content;
}

test("a chosen tool is offered alone, and there is no tool choice without tools", () => {
  const other = { name: "list_files", description: "", schema: {} };
  const chosen = (more: Partial<Ask>): unknown[] => {
    const { tools, tool_choice } = cohere.encodeAsk(ask({ tools: [...ask().tools, other], ...more }), {
      streamed: true,
    });
    return [(tools as unknown[] | undefined)?.length, tool_choice];
  };
  expect(chosen({})).toEqual([2, undefined]);
  expect(chosen({ toolChoice: "auto" })).toEqual([2, undefined]);
  expect(chosen({ toolChoice: "required" })).toEqual([2, "REQUIRED"]);
  expect(chosen({ toolChoice: "none" })).toEqual([2, "NONE"]);
  expect(chosen({ toolChoice: { name: "list_files" } })).toEqual([1, "REQUIRED"]);
  expect(chosen({ tools: [], toolChoice: "required" })).toEqual([undefined, undefined]);
});

test("the thinking effort becomes a budget that leaves room for the answer, and is read back", () => {
  const both = (more: Partial<Ask>): unknown[] => {
    const body = cohere.encodeAsk(ask(more), { streamed: true });
    return [body["thinking"], cohere.decodeAsk(body).ask.reasoning];
  };
  expect(both({})).toEqual([undefined, undefined]);
  expect(both({ reasoning: "off" })).toEqual([{ type: "disabled" }, "off"]);
  expect(both({ reasoning: "low" })).toEqual([{ type: "enabled", token_budget: 2048 }, "low"]);
  expect(both({ reasoning: "medium" })).toEqual([{ type: "enabled", token_budget: 8192 }, "medium"]);
  expect(both({ reasoning: "high" })).toEqual([{ type: "enabled" }, "high"]);
  expect(both({ reasoning: "medium", maxTokens: 6000 })[0]).toEqual({ type: "enabled", token_budget: 3000 });
  expect(both({ reasoning: "low", maxTokens: 1 })[0]).toEqual({ type: "enabled", token_budget: 1 });
});

test("a request with plans and documents as results is read, and streams only on request", () => {
  const { ask: read, streamed } = cohere.decodeAsk({
    model: "m",
    messages: [
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        tool_plan: "I look.",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      {
        role: "tool",
        tool_call_id: "c1",
        content: [
          { type: "document", document: { id: "1", data: { temperature: "20°C" } } },
          { type: "document", document: { data: "20" } },
          { type: "text", text: "warm" },
        ],
      },
    ],
    tool_choice: "REQUIRED",
    citation_options: { mode: "OFF" },
  });
  expect(read).toEqual({
    model: "m",
    system: "Be kind.",
    messages: [
      { role: "user", content: [{ type: "text", text: "Weather?" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "I look." },
          { type: "call", call: { id: "c1", name: "f", input: {}, source: "native" } },
        ],
      },
      {
        role: "tool",
        callId: "c1",
        name: "f",
        content: ['{"temperature":"20°C"}', "20", "warm"].map((text) => ({ type: "text", text })),
        isError: false,
      },
    ],
    tools: [],
    toolChoice: "required",
  });
  expect(streamed).toBe(false);
});

test("a malformed request is refused with the name of the wrong field", () => {
  const good = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  const one = (message: object): object => ({ ...good, messages: [message] });
  const table: [unknown, string][] = [
    [[], "body"],
    [{ ...good, model: "" }, "model"],
    [{ ...good, messages: {} }, "messages"],
    [{ ...good, stream: "yes" }, "stream"],
    [{ ...good, tools: [{}] }, "tools[0].function"],
    [{ ...good, tool_choice: "ANY" }, "tool_choice"],
    [{ ...good, thinking: true }, "thinking"],
    [{ ...good, thinking: { type: "enabled", token_budget: "x" } }, "thinking.token_budget"],
    [{ ...good, stop_sequences: [3] }, "stop_sequences[0]"],
    [one({ role: "robot" }), "messages[0].role"],
    [one({ role: "user", content: 3 }), "messages[0].content"],
    [one({ role: "user", content: [{ type: "video" }] }), "messages[0].content[0]"],
    [one({ role: "user", content: [{ type: "image_url", image_url: { url: "ftp://x" } }] }), "image_url.url"],
    [one({ role: "assistant", content: [{ type: "thinking" }] }), "content[0].thinking"],
    [one({ role: "assistant", tool_calls: [{ id: "1" }] }), "tool_calls[0].function"],
    [one({ role: "tool", content: "x" }), "tool_call_id"],
    [one({ role: "tool", tool_call_id: "1", content: [{ type: "document" }] }), "content[0].document"],
  ];
  for (const [body, field] of table)
    expect(() => cohere.decodeAsk(body)).toThrowError(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) as string }),
    );
});
