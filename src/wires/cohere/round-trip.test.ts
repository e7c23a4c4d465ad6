import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Ask, AssistantPart, Message, ContentPart } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { scale } from "../../testing/scale.ts";
import { oneByOne } from "../frames.ts";
import { gather } from "../gather.ts";
import { asks, inBlocks, mergeDeltas, modelEvents } from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { cohere } from "./cohere.ts";

const thought = { from: "cohere", value: "thinking" };

/** The parts of an answer that the events can carry: calls one after the other, thoughts marked as such, no refusal. */
function carriedEvents(events: readonly ModelEvent[]): ModelEvent[] {
  const called = events.some((event) => event.type === "call-end");
  return inBlocks(events).map((event) => {
    if (event.type === "reasoning-end") return { ...event, state: thought };
    if (event.type === "usage") return { ...event, usage: counted(event.usage) };
    return event.type === "answer-end" && event.reason === "refusal"
      ? { ...event, reason: called ? "tool-calls" : "stop" }
      : event;
  });
}

const counted = ({
  cacheWriteTokens: _written,
  reasoningTokens: _reasoning,
  ...usage
}: Extract<ModelEvent, { type: "usage" }>["usage"]) => usage;

test("every answer survives streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents(), fc.array(fc.nat()), async (events, places) => {
      const written = (await collect(cohere.encodeEvents(asStream(events)))).join("");
      const read = await collect(
        oneByOne(cohere.decodeBatches(cutBytes(new TextEncoder().encode(written), places))),
      );
      expect(inBlocks(mergeDeltas(read))).toEqual(carriedEvents(events));
    }),
    { numRuns: 100 * scale },
  );
});

test("every answer survives as a whole reply, except for the position of its calls", () => {
  fc.assert(
    fc.property(modelEvents(), (events) => {
      const body: unknown = JSON.parse(JSON.stringify(cohere.encodeWhole(events)));
      const read = gather(cohere.decodeWhole(body));
      const said = gather(carriedEvents(events));
      const calls = (parts: AssistantPart[]): AssistantPart[] => parts.filter(({ type }) => type === "call");
      expect(calls(read.parts)).toEqual(calls(said.parts));
      for (const type of ["text", "reasoning"] as const)
        expect(joined(read.parts, type)).toBe(joined(said.parts, type));
      expect({ ...read, parts: [] }).toEqual({ ...said, parts: [] });
    }),
    { numRuns: 100 * scale },
  );
});

const joined = (parts: AssistantPart[], type: "text" | "reasoning"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

test("calls are written one at a time, each ending before the next starts", async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents(), async (events) => {
      const frames = (await collect(cohere.encodeEvents(asStream(events)))).join("");
      const order = [...frames.matchAll(/^event: tool-call-(start|delta|end)\ndata: .*?"index":(\d+)/gm)];
      let open: string | undefined;
      for (const [, what, index] of order) {
        expect(open).toBe(what === "start" ? undefined : index);
        open = what === "end" ? undefined : index;
      }
      expect(open).toBeUndefined();
    }),
  );
});

test("a call that is unreadable or never ended stays unreadable for the client", async () => {
  const begun: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "call-start", id: "x", name: "f" },
  ];
  const call = { id: "x", name: "f", input: {}, source: "native", problem: "It was cut off." };
  const bodies: ModelEvent[][] = [
    ...["", "{}", '{"a":'].map((rawArguments): ModelEvent[] => [
      { type: "call-end", call: { ...call, rawArguments } },
    ]),
    [],
    [{ type: "call-delta", id: "x", json: '{"a":1}' }],
  ];
  for (const body of bodies)
    for (const reason of ["stop", "length"] as const) {
      const events: ModelEvent[] = [...begun, ...body, { type: "answer-end", reason }];
      const written = (await collect(cohere.encodeEvents(asStream(events)))).join("");
      const read = await collect(
        oneByOne(cohere.decodeBatches(cutBytes(new TextEncoder().encode(written), []))),
      );
      expect(read.find((event) => event.type === "call-end")).toMatchObject({
        call: { input: {}, problem: expect.any(String) as string },
      });
      const whole = cohere.decodeWhole(cohere.encodeWhole(events));
      for (const event of whole)
        if (event.type === "call-end") expect(event.call.problem).toEqual(expect.any(String));
    }
});

test("a stream without its end closes with an error, or throws if nothing was written", async () => {
  const begun: ModelEvent[] = [
    { type: "answer-start", model: "m" },
    { type: "text-delta", text: "Hi" },
  ];
  const texts = await collect(cohere.encodeEvents(asStream(begun)));
  expect(texts.at(-1)).toBe(
    'event: message-end\ndata: {"type":"message-end","delta":{"error":"The connection ended before the answer was complete. Try again.","finish_reason":"ERROR"}}\n\ndata: [DONE]\n\n',
  );
  await expect(collect(cohere.encodeEvents(asStream([])))).rejects.toThrow(ModelError);
});

/** The parts of a request that the format can carry, as the encoder's comment lists them. */
function carriedAsk(ask: Ask): Ask {
  const { toolChoice, reasoning, contextTokens: _, ...rest } = ask;
  const named =
    typeof toolChoice === "object" ? ask.tools.filter(({ name }) => name === toolChoice.name) : ask.tools;
  const choice = typeof toolChoice === "object" ? "required" : toolChoice;
  return {
    ...rest,
    tools: named,
    messages: withoutPictures(ask.messages).flatMap(carriedMessage),
    ...(choice === undefined || choice === "auto" || named.length === 0 ? {} : { toolChoice: choice }),
    ...(reasoning === undefined ? {} : { reasoning: reasoning === "off" ? "off" : "on" }),
  } as Ask;
}

/** Pictures of results move into a separate message; they are left out on both sides. */
const withoutPictures = (messages: readonly Message[]): Message[] =>
  messages.map((message) =>
    message.role === "tool"
      ? { ...message, content: message.content.filter(({ type }) => type === "text") }
      : message,
  );

function carriedMessage(message: Message): Message[] {
  if (message.role === "user") return [message];
  if (message.role === "tool")
    return [{ ...message, content: carriedResult(message.content), isError: false }];
  const calls = message.content.filter(({ type }) => type === "call");
  const words = message.content.flatMap((part) => (part.type === "call" ? [] : [part]));
  const own = words.some((part) => part.type === "reasoning" && part.state);
  if (calls.length > 0) {
    const text = words.map((part) => part.text).join("\n\n");
    const plan: AssistantPart = { type: "reasoning", text, ...(own ? { state: thought } : {}) };
    return [{ role: "assistant", content: text === "" ? calls : [plan, ...calls] }];
  }
  const content = words.filter((part) => part.type === "text" || part.state);
  return content.some(({ type }) => type === "text") ? [{ role: "assistant", content }] : [];
}

function carriedResult(content: readonly ContentPart[]): ContentPart[] {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return [{ type: "text", text: text === "" ? "(no output)" : text }];
}

test("every request survives encoding and decoding", () => {
  const state = fc.option(fc.constant(thought), { nil: undefined });
  fc.assert(
    fc.property(asks({ reasoningState: () => state }), fc.boolean(), (any, streamed) => {
      // With thinking off, thoughts become plans, which another test covers.
      const asked = { ...any, messages: withoutPictures(any.messages) };
      if (asked.reasoning === "off") delete asked.reasoning;
      const body: unknown = JSON.parse(JSON.stringify(cohere.encodeAsk(asked, { streamed })));
      const read = cohere.decodeAsk(body);
      const { reasoning, ...ask } = read.ask;
      expect({ ...ask, ...(reasoning ? { reasoning: reasoning === "off" ? "off" : "on" } : {}) }).toEqual(
        carriedAsk(asked),
      );
      expect(read.streamed).toBe(streamed);
    }),
    { numRuns: 100 * scale },
  );
});
