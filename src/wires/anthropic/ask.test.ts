import { expect, test } from "vitest";
import type { Ask, Message } from "../../protocol/messages.ts";
import { anthropic } from "./anthropic.ts";

const ask = (messages: Message[], more: Partial<Ask> = {}): Ask => ({
  model: "claude-sonnet-4-5",
  system: "",
  messages,
  tools: [],
  ...more,
});
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const call = (
  id: string,
): { type: "call"; call: { id: string; name: string; input: object; source: string } } => ({
  type: "call",
  call: { id, name: "read_file", input: { path: id }, source: "native" },
});
const result = (callId: string, isError = false): Message => ({
  role: "tool",
  callId,
  name: "read_file",
  content: [{ type: "text", text: `of ${callId}` }],
  isError,
});
const mark = { cache_control: { type: "ephemeral" } };

const answer = (id: string, of: string, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content: [{ type: "text", text: `of ${of}` }],
  ...more,
});

test("the results of one answer form one user message, results first, with valid ids that still match", () => {
  const body = anthropic.encodeAsk(
    ask([
      user("Look."),
      {
        role: "assistant",
        content: [call("functions.read:0"), call("functions.read.0"), call("ok-1")],
      } as Message,
      result("functions.read:0"),
      user("And hurry."),
      result("functions.read.0", true),
      result("ok-1"),
      {
        role: "tool",
        callId: "x",
        name: "f",
        content: [{ type: "image", mediaType: "image/png", data: "iVBO" }],
        isError: false,
      },
    ]),
    { streamed: false },
  );
  expect(body["messages"]).toEqual([
    { role: "user", content: [{ type: "text", text: "Look.", ...mark }] },
    {
      role: "assistant",
      content: ["functions_read_0", "functions_read_0_2", "ok-1"].map((id, at) => ({
        type: "tool_use",
        id,
        name: "read_file",
        input: { path: ["functions.read:0", "functions.read.0", "ok-1"][at] },
      })),
    },
    {
      role: "user",
      content: [
        answer("functions_read_0", "functions.read:0"),
        answer("functions_read_0_2", "functions.read.0", { is_error: true }),
        answer("ok-1", "ok-1"),
        {
          type: "tool_result",
          tool_use_id: "x",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } }],
        },
        { type: "text", text: "And hurry.", ...mark },
      ],
    },
  ]);
});

const tool = (name: string): Ask["tools"][number] => ({
  name,
  description: "d",
  schema: { type: "object" },
});

test("cache marks are set on the last tool, the system prompt and the last block", () => {
  const body = anthropic.encodeAsk(ask([user("Hi")], { system: "Be kind.", tools: [tool("a"), tool("b")] }), {
    streamed: true,
  });
  expect(body).toEqual({
    model: "claude-sonnet-4-5",
    max_tokens: 16_384,
    system: [{ type: "text", text: "Be kind.", ...mark }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...mark }] }],
    tools: [
      { name: "a", description: "d", input_schema: { type: "object" } },
      { name: "b", description: "d", input_schema: { type: "object" }, ...mark },
    ],
    stream: true,
  });
});

test("thinking is sent back unchanged in its place, another wire's is not, and no message is left empty", () => {
  const block = { type: "thinking", thinking: "as it was", signature: "sig" };
  const redacted = { type: "redacted_thinking", data: "EmwK" };
  const body = anthropic.encodeAsk(
    ask([
      user("A"),
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "x", state: { from: "gemini", value: block } },
          { type: "text", text: " \n" },
        ],
      },
      user("B"),
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "as shown to people", state: { from: "anthropic", value: block } },
          call("one"),
          { type: "reasoning", text: "", state: { from: "anthropic", value: redacted } },
        ],
      } as Message,
    ]),
    { streamed: false },
  );
  expect(body["messages"]).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "A" },
        { type: "text", text: "B", ...mark },
      ],
    },
    {
      role: "assistant",
      content: [
        block,
        { type: "tool_use", id: "one", name: "read_file", input: { path: "one" }, ...mark },
        redacted,
      ],
    },
  ]);
});

const limits = (model: string, more: Partial<Ask>): object => {
  const {
    model: _,
    messages: __,
    tools: ___,
    tool_choice: ____,
    ...rest
  } = anthropic.encodeAsk(ask([user("Hi")], { temperature: 0.5, ...more, model }), { streamed: false });
  return rest;
};
const budget = (budget_tokens: number): object => ({ type: "enabled", budget_tokens });

test("reasoning is a token budget or an effort, depending on the model", () => {
  const adaptive = { type: "adaptive", display: "summarized" };
  const tools = [{ name: "a", description: "", schema: {} }];
  const table: [string, Partial<Ask>, object][] = [
    ["claude-sonnet-4-5-20250929", { reasoning: "medium" }, { max_tokens: 22_528, thinking: budget(6144) }],
    [
      "claude-opus-4-20250514",
      { reasoning: "high", maxTokens: 8000 },
      { max_tokens: 8000, thinking: budget(4000) },
    ],
    [
      "claude-3-7-sonnet-20250219",
      { reasoning: "low", maxTokens: 1500 },
      { max_tokens: 1500, temperature: 0.5 },
    ],
    ["minimax-m2", { reasoning: "low" }, { max_tokens: 18_432, thinking: budget(2048) }],
    [
      "claude-opus-4-6",
      { reasoning: "low" },
      { max_tokens: 18_432, thinking: adaptive, output_config: { effort: "low" } },
    ],
    ["anthropic/claude-opus-4.7", {}, { max_tokens: 16_384 }],
    ["claude-sonnet-5", { reasoning: "off" }, { max_tokens: 16_384, thinking: { type: "disabled" } }],
    ["claude-fable-5-1", { reasoning: "off" }, { max_tokens: 16_384 }],
    [
      "claude-sonnet-4-5",
      { reasoning: "off" },
      { max_tokens: 16_384, thinking: { type: "disabled" }, temperature: 0.5 },
    ],
    [
      "claude-sonnet-4-5",
      { reasoning: "high", toolChoice: "required", tools },
      { max_tokens: 16_384, temperature: 0.5 },
    ],
    ["other", { temperature: 1.7 }, { max_tokens: 16_384, temperature: 1 }],
  ];
  for (const [model, more, expected] of table) expect(limits(model, more)).toEqual(expected);
});

test("D7: system and content are read as string or blocks, and inline system messages and tools too", () => {
  const body = {
    model: "m",
    max_tokens: 100,
    system: [
      { type: "text", text: "One." },
      { type: "text", text: "Two.", ...mark },
    ],
    messages: [
      { role: "user", content: "Hi" },
      { role: "system", content: "Three." },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "unsigned", signature: "" },
          { type: "tool_use", id: "t1", name: "f", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "done" },
          { type: "text", text: "go on" },
        ],
      },
    ],
    tools: [{ name: "f", input_schema: { type: "object" }, ...mark }],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    metadata: { user_id: "u" },
  };
  expect(anthropic.decodeAsk(body)).toEqual({
    streamed: false,
    ask: {
      model: "m",
      maxTokens: 100,
      system: "One.\n\nTwo.\n\nThree.",
      toolChoice: "required",
      oneCall: true,
      tools: [{ name: "f", description: "", schema: { type: "object" } }],
      messages: [
        user("Hi"),
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "unsigned" },
            { type: "call", call: { id: "t1", name: "f", input: {}, source: "native" } },
          ],
        },
        { role: "tool", callId: "t1", name: "f", content: [{ type: "text", text: "done" }], isError: false },
        user("go on"),
      ],
    },
  });
  expect(anthropic.decodeAsk({ ...body, system: "One." }).ask.system).toBe("One.\n\nThree.");
});

test("a malformed request is refused with the name of the wrong field", () => {
  const good = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  const table: [unknown, string][] = [
    ["<html>", "body"],
    [{ ...good, model: 3 }, "model"],
    [{ ...good, messages: "Hi" }, "messages"],
    [{ ...good, messages: [7] }, "messages[0]"],
    [{ ...good, messages: [{ role: "robot", content: "Hi" }] }, "messages[0].role"],
    [{ ...good, messages: [{ role: "user" }] }, "messages[0].content"],
    [{ ...good, messages: [{ role: "user", content: [{ type: "document" }] }] }, "messages[0].content[0]"],
    [{ ...good, messages: [{ role: "user", content: [{ type: "tool_result" }] }] }, "tool_use_id"],
    [{ ...good, system: 5 }, "system"],
    [{ ...good, max_tokens: "many" }, "max_tokens"],
    [{ ...good, stream: "yes" }, "stream"],
    [{ ...good, tools: [{ type: "custom", name: "look" }] }, "tools[0]"],
    [{ ...good, tool_choice: { type: "perhaps" } }, "tool_choice.type"],
  ];
  for (const [body, field] of table)
    expect(() => anthropic.decodeAsk(body)).toThrowError(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) as string }),
    );
});

/** The positions of cache marks: the marked item, and its message. */
function marksIn(body: object): string[] {
  const { system, tools, messages } = JSON.parse(JSON.stringify(body)) as Record<
    string,
    { content?: object[] }[]
  >;
  const marked = (blocks: readonly object[] = []): number =>
    blocks.filter((block) => "cache_control" in block).length;
  return [
    ...(marked(tools) > 0 ? ["tools"] : []),
    ...(marked(system) > 0 ? ["system"] : []),
    ...(messages ?? []).flatMap(({ content }, at) => (marked(content) > 0 ? [`message ${at}`] : [])),
  ];
}

test("cache marks: the tools, the system prompt, the last user message and the one before it", () => {
  const tool = { name: "f", description: "", schema: { type: "object" } };
  const round = (id: string): Message[] => [
    { role: "assistant", content: [call(id)] } as Message,
    result(id),
  ];
  const encoded = (rounds: number, more: Partial<Ask> = {}): object => {
    const ids = Array.from({ length: rounds }, (_, at) => `call${at}`);
    return anthropic.encodeAsk(
      ask([user("Go."), ...ids.flatMap(round)], { system: "s", tools: [tool], ...more }),
      { streamed: true },
    );
  };
  expect(marksIn(encoded(0))).toEqual(["tools", "system", "message 0"]);
  expect(marksIn(encoded(1))).toEqual(["tools", "system", "message 0", "message 2"]);
  expect(marksIn(encoded(9))).toEqual(["tools", "system", "message 16", "message 18"]);
  expect(marksIn(encoded(9, { system: "", tools: [] }))).toEqual(["message 16", "message 18"]);
});

const thought = { type: "thinking", thinking: "Hm.", signature: "sig" };
const thinks: Message = {
  role: "assistant",
  content: [{ type: "reasoning", text: "Hm.", state: { from: "anthropic", value: thought } }, call("a")],
} as Message;
const calls: Message = { role: "assistant", content: [call("a")] } as Message;

test.each([
  ["claude-sonnet-5-5", "high", thinks, { type: "adaptive", display: "summarized" }, true],
  ["claude-sonnet-5-5", undefined, thinks, { type: "adaptive" }, true],
  ["claude-fable-5-1-20260901", undefined, thinks, { type: "adaptive" }, true],
  ["claude-sonnet-5-5", "high", calls, { type: "adaptive", display: "summarized" }, false],
  ["claude-opus-5-20260701", undefined, thinks, undefined, false],
  ["glm-5", undefined, thinks, undefined, false],
] as const)(
  "%s with effort %s: bound thoughts may be dropped if the prefix changed; others get no such option",
  (model, reasoning, answer, thinking, isBound) => {
    const effort = reasoning === undefined ? {} : { reasoning };
    const body = anthropic.encodeAsk(ask([user("Go."), answer, result("a")], { model, ...effort }), {
      streamed: true,
    });
    const binding = { block_binding: { prefix_mismatch_behavior: "drop_block" } };
    expect(body["thinking"]).toEqual(isBound ? { ...thinking, ...binding } : thinking);
    const beta = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
    expect(anthropic.askHeaders?.(model)).toEqual(/5-[15]/.test(model) ? beta : {});
  },
);

test("models with bound thoughts get no thought back if thinking is off or a call is forced", () => {
  const messages = [user("Go."), thinks, result("a")];
  const tools = [{ name: "f", description: "", schema: { type: "object" } }];
  for (const more of [{ reasoning: "off" }, { toolChoice: "required", tools }] as const) {
    const sent = (model: string): string =>
      JSON.stringify(
        anthropic.encodeAsk(ask(messages, { model, ...more, tools: [...tools] }), { streamed: true }),
      );
    expect(sent("claude-sonnet-5-5")).not.toContain("Hm.");
    expect(sent("claude-sonnet-5-5")).not.toContain("block_binding");
    expect(sent("claude-sonnet-4-5")).toContain("Hm.");
  }
});

test("a Claude with a thinking budget does not think after results of calls made without thinking", () => {
  const budget = { type: "enabled", budget_tokens: 12_288 };
  const thinking = (...messages: Message[]): unknown =>
    anthropic.encodeAsk(ask(messages, { model: "claude-haiku-4-5", reasoning: "high" }), { streamed: true })[
      "thinking"
    ];
  const again: Message[] = [{ role: "assistant", content: [call("b")] } as Message, result("b")];
  expect(thinking(user("Go."), thinks, result("a"))).toEqual(budget);
  expect(thinking(user("Go."), thinks, result("a"), ...again)).toEqual(budget);
  expect(thinking(user("Go."), calls, result("a"))).toBeUndefined();
  expect(thinking(user("Go."), calls, result("a"), user("Stop."))).toBeUndefined();
  expect(
    thinking(user("Go."), calls, result("a"), { role: "assistant", content: [] }, user("New.")),
  ).toBeUndefined();
  const over: Message = { role: "assistant", content: [{ type: "text", text: "Done." }] };
  expect(thinking(user("Go."), calls, result("a"), over, user("More."))).toEqual(budget);
});

test("a request goes to the messages path with key and version headers", () => {
  expect(anthropic.path("claude", { streamed: true })).toBe("/v1/messages");
  expect(anthropic.headers("k")).toEqual({ "x-api-key": "k", "anthropic-version": "2023-06-01" });
  expect(anthropic.headers(undefined)).toEqual({ "anthropic-version": "2023-06-01" });
  expect([anthropic.match("/v1/messages?beta=true"), anthropic.match("/v1/messages/count_tokens")]).toEqual([
    {},
    undefined,
  ]);
});
