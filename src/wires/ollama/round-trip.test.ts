import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Ask, Message, ContentPart } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { gather } from "../gather.ts";
import { asks, mergeDeltas, modelEvents } from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { ollama } from "./ollama.ts";

/** The parts of an answer that the lines can carry: calls where they end, adjacent reasoning merged, no refusal. */
function carriedEvents(events: readonly ModelEvent[]): ModelEvent[] {
  const carried: ModelEvent[] = [];
  const called = events.some((event) => event.type === "call-end");
  for (const [at, event] of events.entries()) {
    const last = at === 0 ? undefined : carried.at(-1);
    if (event.type === "call-start" || event.type === "call-delta") continue;
    if (event.type === "reasoning-delta" && last?.type === "reasoning-end") carried.pop();
    if (event.type === "call-end")
      carried.push({ type: "call-start", id: event.call.id, name: event.call.name });
    if (event.type === "usage") carried.push(onlyTotals(event));
    else if (event.type === "answer-end" && event.reason === "refusal")
      carried.push({ ...event, reason: called ? "tool-calls" : "stop" });
    else carried.push(event);
  }
  return mergeDeltas(carried);
}

const onlyTotals = ({ usage }: Extract<ModelEvent, { type: "usage" }>): ModelEvent => ({
  type: "usage",
  usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
});

test("A16: every answer survives streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents(), fc.array(fc.nat()), async (events, places) => {
      const bytes = new TextEncoder().encode((await collect(ollama.encodeEvents(asStream(events)))).join(""));
      const read = await collect(oneByOne(ollama.decodeBatches(cutBytes(bytes, places))));
      expect(mergeDeltas(read)).toEqual(carriedEvents(events));
    }),
    { numRuns: 100 * scale },
  );
});

test("every answer survives as a whole reply, except for the order of its parts", () => {
  fc.assert(
    fc.property(modelEvents(), (events) => {
      const read = gather(ollama.decodeWhole(JSON.parse(JSON.stringify(ollama.encodeWhole(events)))));
      const said = gather(carriedEvents(events));
      const calls = gather(events).parts.filter((part) => part.type === "call");
      expect(read.parts.filter((part) => part.type === "call")).toEqual(calls);
      for (const type of ["text", "reasoning"] as const) {
        const joined = ({ parts }: typeof read): string =>
          parts.map((part) => (part.type === type ? part.text : "")).join("");
        expect(joined(read)).toBe(joined(said));
      }
      expect({ ...read, parts: [] }).toEqual({ ...said, parts: [] });
    }),
    { numRuns: 100 * scale },
  );
});

test("a call with unreadable arguments stays unreadable for the client", () => {
  for (const rawArguments of ["", "{}", '{"a":']) {
    const call = {
      id: "x",
      name: "f",
      input: {},
      source: "native",
      problem: "It was cut off.",
      rawArguments,
    };
    const events: ModelEvent[] = [
      { type: "answer-start", model: "m" },
      { type: "call-end", call },
      { type: "answer-end", reason: "length" },
    ];
    const ended = ollama.decodeWhole(ollama.encodeWhole(events)).find((event) => event.type === "call-end");
    expect(ended).toMatchObject({ call: { input: {}, problem: expect.any(String) as string } });
  }
});

test("a stream without its end closes with an error line", async () => {
  const begun: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "Hi" },
  ];
  const texts = await collect(ollama.encodeEvents(asStream(begun)));
  expect(texts.at(-1)).toBe('{"error":"The connection ended before the answer was complete. Try again."}\n');
  await expect(collect(ollama.encodeEvents(asStream(begun.slice(0, 1))))).rejects.toThrow(ModelError);
});

/** The parts of a request that the format can carry, as the encoder's comment lists them. */
function carriedAsk(ask: Ask): Ask {
  const { toolChoice, reasoning, tools, ...rest } = ask;
  const named =
    typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;
  return {
    ...rest,
    tools: toolChoice === "none" ? [] : named,
    messages: ask.messages.map(carriedMessage),
    ...(reasoning === undefined ? {} : { reasoning: reasoning === "off" ? "off" : "medium" }),
  };
}

function carriedMessage(message: Message): Message {
  if (message.role === "user") return { ...message, content: joined(message.content) };
  if (message.role === "tool") return { ...message, content: joined(message.content), isError: false };
  const of = <T extends "text" | "reasoning">(type: T): { type: T; text: string }[] => {
    const texts = message.content.flatMap((part) => (part.type === type ? [part.text] : []));
    return texts.length > 0 ? [{ type, text: texts.join("\n\n") }] : [];
  };
  const calls = message.content.filter((part) => part.type === "call");
  return { role: "assistant", content: [...of("reasoning"), ...of("text"), ...calls] };
}

function joined(parts: ContentPart[]): ContentPart[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = parts.filter((part) => part.type === "image");
  return texts.length > 0 ? [{ type: "text", text: texts.join("\n\n") }, ...images] : images;
}

test("A14, A15: every request survives encoding and decoding", () => {
  fc.assert(
    fc.property(asks(), fc.boolean(), (ask, streamed) => {
      const body: unknown = JSON.parse(JSON.stringify(ollama.encodeAsk(ask, { streamed })));
      expect(ollama.decodeAsk(body)).toEqual({ ask: carriedAsk(ask), streamed });
    }),
    { numRuns: 100 * scale },
  );
});

test("A14, A15: history contains thinking, content and calls, and each result names its tool", () => {
  const body = ollama.encodeAsk(
    {
      model: "qwen3",
      system: "Be kind.",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image", mediaType: "image/png", data: "iVBO" },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm.", state: { from: "gemini", value: 1 } },
            { type: "text", text: "I look." },
            { type: "call", call: { id: "c1", name: "read_file", input: { path: "a" }, source: "native" } },
            { type: "call", call: { id: "c2", name: "list_files", input: {}, source: "native" } },
          ],
        },
        {
          role: "tool",
          callId: "c1",
          name: "read_file",
          content: [{ type: "text", text: "A" }],
          isError: false,
        },
        {
          role: "tool",
          callId: "c2",
          name: "list_files",
          content: [{ type: "image", mediaType: "image/png", data: "iVBO" }],
          isError: false,
        },
      ],
      tools: [{ name: "read_file", description: "Reads.", schema: { type: "object" } }],
      reasoning: "high",
      maxTokens: 100,
      temperature: 0.2,
      stop: ["X"],
      contextTokens: 32_768,
    },
    { streamed: true },
  );
  expect(body).toEqual({
    model: "qwen3",
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Look", images: ["iVBO"] },
      {
        role: "assistant",
        content: "I look.",
        thinking: "Hm.",
        tool_calls: [
          { id: "c1", type: "function", function: { index: 0, name: "read_file", arguments: { path: "a" } } },
          { id: "c2", type: "function", function: { index: 1, name: "list_files", arguments: {} } },
        ],
      },
      { role: "tool", content: "A", tool_name: "read_file", tool_call_id: "c1" },
      { role: "tool", content: "", images: ["iVBO"], tool_name: "list_files", tool_call_id: "c2" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "read_file", description: "Reads.", parameters: { type: "object" } },
      },
    ],
    think: true,
    options: { num_ctx: 32_768, num_predict: 100, temperature: 0.2, stop: ["X"] },
    stream: true,
  });
});

const asked = (name: string): object => ({ function: { name, arguments: {} } });

test("calls without ids are matched to results by id, else by tool name in order", () => {
  const { ask, streamed } = ollama.decodeAsk({
    model: "m",
    messages: [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: "",
        tool_calls: [asked("f"), asked("g"), asked("f"), { id: "given", ...asked("f") }],
      },
      { role: "tool", content: "g", tool_name: "g" },
      { role: "tool", content: "last f", tool_name: "f", tool_call_id: "given" },
      { role: "tool", content: "first f", tool_name: "f" },
      { role: "tool", content: "second f" },
      { role: "tool", content: "stray", tool_name: "h" },
    ],
  });
  const ids = ask.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "call" ? [part.call.id] : []))
      : [],
  );
  const results = ask.messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
  expect(new Set(ids).size).toBe(4);
  expect(results.slice(0, 4)).toEqual([ids[1], "given", ids[0], ids[2]]);
  expect(ids).not.toContain(results[4]);
  expect(streamed).toBe(true);
});

test("a malformed request is refused with the name of the wrong field", () => {
  const good = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  const table: [unknown, string][] = [
    [[], "body"],
    [{ ...good, model: "" }, "model"],
    [{ ...good, messages: {} }, "messages"],
    [{ ...good, messages: [{ role: "user", content: 3 }] }, "messages[0].content"],
    [{ ...good, messages: [{ role: "user", content: "", images: [3] }] }, "messages[0].images[0]"],
    [{ ...good, messages: [{ role: "robot" }] }, "messages[0].role"],
    [{ ...good, messages: [{ role: "assistant", tool_calls: [{}] }] }, "tool_calls[0].function"],
    [{ ...good, options: 3 }, "options"],
    [{ ...good, options: { num_ctx: "x" } }, "options.num_ctx"],
    [{ ...good, think: 3 }, "think"],
    [{ ...good, tools: [{}] }, "tools[0].function"],
  ];
  for (const [body, field] of table)
    expect(() => ollama.decodeAsk(body)).toThrowError(
      expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) as string }),
    );
});

test("a request goes to the chat path, with the key in a header if there is one", () => {
  expect(ollama.path("m", { streamed: true })).toBe("/api/chat");
  expect([ollama.headers(undefined), ollama.headers("k")]).toEqual([{}, { authorization: "Bearer k" }]);
  expect([ollama.match("/api/chat"), ollama.match("/api/generate")]).toEqual([{}, undefined]);
});
