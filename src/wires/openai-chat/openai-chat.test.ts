import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Opaque } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { inBlocks, mergeDeltas, modelEvents } from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { openaiChat } from "./openai-chat.ts";

const transcript = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/transcripts/openai-chat/${name}`, import.meta.url));

const decode = (bytes: Uint8Array, places: readonly number[] = []): Promise<ModelEvent[]> =>
  collect(oneByOne(openaiChat.decodeBatches(cutBytes(bytes, places))));

const hear = (bytes: Uint8Array): Promise<StreamOutcome> => readAll(openaiChat, bytes);

const native = (id: string, name: string, input: object): ModelEvent =>
  ({ type: "call-end", call: { id, name, input, source: "native" } }) as ModelEvent;

const paris = '{"location":"Paris, France"}';
const model = "gpt-4.1-2025-04-14";

const recorded: Record<string, ModelEvent[]> = {
  "text.sse": [
    { type: "answer-start", model: "gpt-4o-mini" },
    { type: "text-delta", text: "Hello" },
    { type: "answer-end", reason: "stop" },
  ],
  "text-usage.sse": [
    { type: "answer-start", model: "gpt-4o-mini" },
    { type: "text-delta", text: "Hello" },
    { type: "usage", usage: { inputTokens: 19, outputTokens: 10, cacheReadTokens: 0, reasoningTokens: 0 } },
    { type: "answer-end", reason: "stop" },
  ],
  "tool-call.sse": [
    { type: "answer-start", model },
    { type: "call-start", id: "call_DdmO9pD3xa9XTPNJ32zg2hcA", name: "get_weather" },
    { type: "call-delta", id: "call_DdmO9pD3xa9XTPNJ32zg2hcA", json: paris },
    native("call_DdmO9pD3xa9XTPNJ32zg2hcA", "get_weather", { location: "Paris, France" }),
    { type: "answer-end", reason: "tool-calls" },
  ],
  "parallel-calls.sse": [
    { type: "answer-start", model },
    { type: "call-start", id: "call_12345xyz", name: "get_weather" },
    { type: "call-delta", id: "call_12345xyz", json: paris },
    native("call_12345xyz", "get_weather", { location: "Paris, France" }),
    { type: "call-start", id: "call_67890abc", name: "get_weather" },
    { type: "call-delta", id: "call_67890abc", json: '{"location":"Bogotá, Colombia"}' },
    native("call_67890abc", "get_weather", { location: "Bogotá, Colombia" }),
    { type: "call-start", id: "call_99999def", name: "send_email" },
    { type: "call-delta", id: "call_99999def", json: '{"to":"bob@email.com","body":"Hi bob"}' },
    native("call_99999def", "send_email", { to: "bob@email.com", body: "Hi bob" }),
    { type: "answer-end", reason: "tool-calls" },
  ],
  "reasoning-deepseek.sse": [
    { type: "answer-start", model: "deepseek-v4-pro" },
    { type: "reasoning-delta", text: "We need the date first." },
    { type: "reasoning-end", state: { from: "openai-chat", value: { field: "reasoning_content" } } },
    { type: "text-delta", text: "Let me look." },
    { type: "call-start", id: "call_00_date", name: "get_date" },
    { type: "call-delta", id: "call_00_date", json: "{}" },
    native("call_00_date", "get_date", {}),
    {
      type: "usage",
      usage: { inputTokens: 339, outputTokens: 83, cacheReadTokens: 320, reasoningTokens: 24 },
    },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "reasoning-openrouter.sse": [
    { type: "answer-start", model: "anthropic/claude-sonnet-4.5" },
    { type: "reasoning-delta", text: "The user wants Paris." },
    {
      type: "reasoning-end",
      state: {
        from: "openai-chat",
        value: {
          field: "reasoning",
          details: [
            {
              type: "reasoning.text",
              text: "The user wants Paris.",
              signature: "EroBCkYIBxgC",
              format: "anthropic-claude-v1",
              index: 0,
            },
          ],
        },
      },
    },
    { type: "text-delta", text: "Paris it is." },
    { type: "usage", usage: { inputTokens: 10, outputTokens: 20 } },
    { type: "answer-end", reason: "stop" },
  ],
  "azure-crlf.sse": [
    { type: "answer-start", model: "gpt-5-mini-2025-08-07" },
    { type: "call-start", id: "call_TMbEoYn9q0ZKtoxav5LpD9Ts", name: "get_weather" },
    { type: "call-delta", id: "call_TMbEoYn9q0ZKtoxav5LpD9Ts", json: '{"city":"Tokyo"}' },
    native("call_TMbEoYn9q0ZKtoxav5LpD9Ts", "get_weather", { city: "Tokyo" }),
    { type: "answer-end", reason: "tool-calls" },
  ],
};

test.each(Object.entries(recorded))("the recorded stream %s is read", async (name, expected) => {
  expect(mergeDeltas(await decode(transcript(name)))).toEqual(expected);
});

test("an error mid-stream fails the answer and drops the call being written", async () => {
  const { events, error } = await hear(transcript("error-mid-stream.sse"));
  expect(events).toEqual([
    { type: "answer-start", model: "openai/gpt-4o" },
    { type: "text-delta", text: "Half" },
    { type: "call-start", id: "call_1", name: "run_command" },
    { type: "call-delta", id: "call_1", json: '{"command":"ls"}' },
  ]);
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({
    kind: "server",
    midStream: true,
    message: expect.stringContaining("Provider disconnected unexpectedly"),
  });
});

test("a whole reply is read", () => {
  expect(openaiChat.decodeWhole(JSON.parse(transcript("whole.json").toString()))).toEqual([
    { type: "answer-start", model: "gpt-4o-mini" },
    { type: "call-start", id: "call_abc123", name: "get_current_weather" },
    { type: "call-delta", id: "call_abc123", json: '{\n"location": "Boston, MA"\n}' },
    native("call_abc123", "get_current_weather", { location: "Boston, MA" }),
    { type: "usage", usage: { inputTokens: 82, outputTokens: 17, reasoningTokens: 0 } },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

const state = (text: string): fc.Arbitrary<Opaque | undefined> =>
  fc.constantFrom<Opaque | undefined>(
    undefined,
    { from: "anthropic", value: { signature: text } },
    {
      from: "openai-chat",
      value: { field: "reasoning", details: [{ type: "reasoning.encrypted", data: text }] },
    },
  );

/** Applies the losses of this wire: only its own state is carried, and adjacent reasoning is one block. */
function carried(events: readonly ModelEvent[]): ModelEvent[] {
  const blocks: ModelEvent[] = [];
  for (const event of mergeDeltas(events)) {
    const own = event.type === "reasoning-end" ? ownState(event.state) : undefined;
    const last = blocks.at(-1);
    const before = blocks.at(-2);
    if (
      event.type === "reasoning-delta" &&
      last?.type === "reasoning-end" &&
      before?.type === "reasoning-delta"
    ) {
      blocks.splice(-2, 2, { ...before, text: before.text + event.text }, last);
    } else if (own && last?.type === "reasoning-end") last.state = joined(last.state, own);
    else blocks.push(own ? { type: "reasoning-end", state: own } : event);
  }
  return blocks.map(withoutInputAtCut(events));
}

function ownState(state: Opaque | undefined): Opaque {
  const kept = state?.from === "openai-chat" ? (state.value as { details: [] }) : undefined;
  return {
    from: "openai-chat",
    value: { field: "reasoning_content", ...(kept ? { details: kept.details } : {}) },
  };
}

function joined(one: Opaque | undefined, other: Opaque): Opaque {
  const details = [one, other].flatMap(
    (state) => (state?.value as { details?: [] } | undefined)?.details ?? [],
  );
  return {
    from: "openai-chat",
    value: { field: "reasoning_content", ...(details.length > 0 ? { details } : {}) },
  };
}

/** In a truncated answer the decoder does not trust the last call. */
function withoutInputAtCut(events: readonly ModelEvent[]): (event: ModelEvent) => ModelEvent {
  const end = events.at(-1);
  const short = end?.type === "answer-end" && (end.reason === "length" || end.reason === "refusal");
  return (event) => (short && event.type === "call-end" ? native(event.call.id, event.call.name, {}) : event);
}

const plain = (list: readonly ModelEvent[]): ModelEvent[] =>
  told(list).filter((event) => event.type !== "call-delta");

const told = (events: readonly ModelEvent[]): ModelEvent[] => inBlocks(events).map(withoutInputAtCut(events));

/** Answers as JSON can express them: it writes -0 as 0. */
const answers = (): fc.Arbitrary<ModelEvent[]> =>
  modelEvents({ reasoningState: state }).map((events) => JSON.parse(JSON.stringify(events)) as ModelEvent[]);

test("answers survive streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(answers(), fc.array(fc.nat()), async (events, places) => {
      const text = (await collect(openaiChat.encodeEvents(asStream(events)))).join("");
      expect(told(await decode(Buffer.from(text), places))).toEqual(carried(inBlocks(events)));
    }),
    { numRuns: 200 * scale },
  );
});

test("answers survive as whole replies, with reasoning, text and calls each in one place", () => {
  const order = [
    "answer-start",
    "reasoning-delta",
    "reasoning-end",
    "text-delta",
    "call-start",
    "usage",
    "answer-end",
  ];
  const rank = (event: ModelEvent): number =>
    order.indexOf(event.type.startsWith("call-") ? "call-start" : event.type);
  fc.assert(
    fc.property(answers(), (events) => {
      const body = JSON.parse(JSON.stringify(openaiChat.encodeWhole(events)));
      const sorted = inBlocks(events).toSorted((a, b) => rank(a) - rank(b));
      expect(plain(openaiChat.decodeWhole(body))).toEqual(plain(carried(mergeDeltas(sorted))));
    }),
    { numRuns: 200 * scale },
  );
});
