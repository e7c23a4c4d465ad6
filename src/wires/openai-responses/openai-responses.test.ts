import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Opaque } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { readAll, type StreamOutcome } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { inBlocks, mergeDeltas, modelEvents } from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { openaiResponses } from "./openai-responses.ts";

const transcript = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/transcripts/openai-responses/${name}`, import.meta.url));

const decode = (bytes: Uint8Array, places: readonly number[] = []): Promise<ModelEvent[]> =>
  collect(oneByOne(openaiResponses.decodeBatches(cutBytes(bytes, places))));

const hear = (bytes: Uint8Array): Promise<StreamOutcome> => readAll(openaiResponses, bytes);

const native = (id: string, name: string, input: object): ModelEvent =>
  ({ type: "call-end", call: { id, name, input, source: "native" } }) as ModelEvent;

const model = "gpt-4.1-2025-04-14";
const paris = '{"location":"Paris, France"}';
const usage: ModelEvent = {
  type: "usage",
  usage: { inputTokens: 291, outputTokens: 23, cacheReadTokens: 0, reasoningTokens: 0 },
};
const thought = "**Checking the weather**\n\nThe user wants Paris.";

const recorded: Record<string, ModelEvent[]> = {
  "text.sse": [
    { type: "answer-start", model },
    { type: "text-delta", text: "Hi there! How can I assist you today?" },
    { type: "usage", usage: { inputTokens: 37, outputTokens: 11, reasoningTokens: 0 } },
    { type: "answer-end", reason: "stop" },
  ],
  "tool-call.sse": [
    { type: "answer-start", model },
    { type: "call-start", id: "call_1234xyz", name: "get_weather" },
    { type: "call-delta", id: "call_1234xyz", json: paris },
    native("call_1234xyz", "get_weather", { location: "Paris, France" }),
    usage,
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
    usage,
    { type: "answer-end", reason: "tool-calls" },
  ],
  "reasoning.sse": [
    { type: "answer-start", model: "o4-mini-2025-04-16" },
    { type: "reasoning-delta", text: `${thought}\n\nI have the coordinates.` },
    {
      type: "reasoning-end",
      state: {
        from: "openai-responses",
        value: {
          id: "rs_6820f383d7c08191846711c5df8233bc0ac5ba57aafcbac7",
          type: "reasoning",
          summary: [
            { type: "summary_text", text: thought },
            { type: "summary_text", text: "I have the coordinates." },
          ],
          encrypted_content: "gAAAAABoIPOHmVpvRSm3xMmc1nW0W1WqGa8A",
        },
      },
    },
    { type: "call-start", id: "call_unLAR8MvFNptuiZK6K6HCy5k", name: "get_weather" },
    {
      type: "call-delta",
      id: "call_unLAR8MvFNptuiZK6K6HCy5k",
      json: '{"latitude":48.8566,"longitude":2.3522}',
    },
    native("call_unLAR8MvFNptuiZK6K6HCy5k", "get_weather", { latitude: 48.8566, longitude: 2.3522 }),
    {
      type: "usage",
      usage: { inputTokens: 81, outputTokens: 1035, cacheReadTokens: 64, reasoningTokens: 832 },
    },
    { type: "answer-end", reason: "tool-calls" },
  ],
  "incomplete.sse": [
    { type: "answer-start", model },
    { type: "call-start", id: "call_1234xyz", name: "get_weather" },
    { type: "call-delta", id: "call_1234xyz", json: '{"location' },
    {
      type: "call-end",
      call: {
        id: "call_1234xyz",
        name: "get_weather",
        input: {},
        source: "native",
        rawArguments: '{"location',
        problem: "The answer was cut off at its length limit.",
        fault: "truncated",
      },
    },
    usage,
    { type: "answer-end", reason: "length" },
  ],
};

test.each(Object.entries(recorded))("the recorded stream %s is read", async (name, expected) => {
  expect(mergeDeltas(await decode(transcript(name)))).toEqual(expected);
});

test("an error event or a failed response fails the answer mid-stream", async () => {
  for (const [name, words] of [
    ["error-mid-stream.sse", "Something went wrong"],
    ["failed.sse", "The model failed to generate a response."],
  ] as const) {
    const { events, error } = await hear(transcript(name));
    expect(mergeDeltas(events)).toEqual([
      { type: "answer-start", model },
      { type: "text-delta", text: "Hi there" },
    ]);
    expect(error).toMatchObject({ kind: "server", midStream: true, message: expect.stringContaining(words) });
  }
});

test("a whole reply is read", () => {
  const id = "call_unLAR8MvFNptuiZK6K6HCy5k";
  expect(openaiResponses.decodeWhole(JSON.parse(transcript("whole.json").toString()))).toEqual([
    { type: "answer-start", model },
    { type: "call-start", id, name: "get_current_weather" },
    native(id, "get_current_weather", { location: "Boston, MA", unit: "celsius" }),
    usage,
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

const state = (text: string): fc.Arbitrary<Opaque | undefined> =>
  fc.constantFrom<Opaque | undefined>(
    undefined,
    { from: "anthropic", value: { signature: text } },
    {
      from: "openai-responses",
      value: {
        id: "rs_1",
        type: "reasoning",
        summary: [{ type: "summary_text", text }],
        encrypted_content: text,
      },
    },
  );

/** Applies the losses of this wire: only its own state is carried, under a new id; unknown token counts are 0. */
function carried(events: readonly ModelEvent[]): ModelEvent[] {
  let text = "";
  return inBlocks(events).map((event): ModelEvent => {
    if (event.type === "reasoning-delta") text = event.text;
    if (event.type === "usage")
      return {
        ...event,
        usage: { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, ...event.usage },
      };
    if (event.type !== "reasoning-end") return event;
    const own: { encrypted_content?: string } =
      event.state?.from === "openai-responses" ? { encrypted_content: text } : {};
    const item = {
      id: expect.stringMatching(/^rs_/) as string,
      type: "reasoning",
      summary: [{ type: "summary_text", text }],
      ...own,
    };
    return { type: "reasoning-end", state: { from: "openai-responses", value: item } };
  });
}

/** Answers as JSON can express them: it writes -0 as 0. */
const answers = (): fc.Arbitrary<ModelEvent[]> =>
  modelEvents({ reasoningState: state }).map((events) => JSON.parse(JSON.stringify(events)) as ModelEvent[]);

test("answers survive streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(answers(), fc.array(fc.nat()), async (events, places) => {
      const text = (await collect(openaiResponses.encodeEvents(asStream(events)))).join("");
      expect(inBlocks(await decode(Buffer.from(text), places))).toEqual(carried(events));
    }),
    { numRuns: 200 * scale },
  );
});

test("a call that was repaired after its deltas does not fail a whole reply", () => {
  const events: ModelEvent[] = [
    { type: "answer-start", model },
    { type: "call-start", id: "call_1", name: "read_file" },
    { type: "call-delta", id: "call_1", json: '{"path":' },
    { type: "call-end", call: { id: "call_1", name: "read_file", input: {}, source: "hermes" } },
    { type: "answer-end", reason: "tool-calls" },
  ];
  expect(openaiResponses.encodeWhole(events)["output"]).toMatchObject([
    { type: "function_call", call_id: "call_1", status: "completed", arguments: "{}" },
  ]);
});

test("answers survive as whole replies", () => {
  fc.assert(
    fc.property(answers(), (events) => {
      const body = JSON.parse(JSON.stringify(openaiResponses.encodeWhole(events)));
      expect(openaiResponses.decodeWhole(body)).toEqual(
        carried(events).filter((event) => event.type !== "call-delta"),
      );
    }),
    { numRuns: 200 * scale },
  );
});
