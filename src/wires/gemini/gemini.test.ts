import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Ask, Message } from "../../protocol/messages.ts";
import { ModelError, type ModelErrorKind, type ModelEvent } from "../../protocol/model-events.ts";
import { cutBytes } from "../../testing/byte-pieces.ts";
import { oneByOne } from "../frames.ts";
import { asks, inBlocks, modelEvents } from "../testing/arbitraries.ts";
import { asStream } from "../testing/stream-summary.ts";
import { gemini } from "./gemini.ts";
import { stateOf } from "./state.ts";

const read = (bytes: Uint8Array, places: readonly number[] = []): Promise<ModelEvent[]> =>
  collect(oneByOne(gemini.decodeBatches(cutBytes(bytes, places))));

const signature = fc.base64String({ minLength: 4, maxLength: 40 }).filter((text) => text !== "");
const carries = {
  reasoningState: () => fc.option(signature.map(stateOf), { nil: undefined }),
  callState: fc.option(signature.map(stateOf), { nil: undefined }),
  answerState: fc.option(signature.map(stateOf), { nil: undefined }),
};

/** Lost in transit: tokens written to the cache, and how calls were chunked. */
function kept(events: ModelEvent[]): ModelEvent[] {
  return inBlocks(events).map((event) => {
    if (event.type !== "usage") return event;
    const { cacheWriteTokens: _, ...usage } = event.usage;
    return { type: "usage", usage };
  });
}

test("events survive streaming, however the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents(carries), fc.array(fc.nat()), async (events, places) => {
      const written = (await collect(gemini.encodeEvents(asStream(events)))).join("");
      expect(kept(await read(Buffer.from(written), places))).toEqual(kept(events));
    }),
  );
});

test("events survive a whole reply", () => {
  fc.assert(
    fc.property(modelEvents(carries), (events) => {
      const body: unknown = JSON.parse(JSON.stringify(gemini.encodeWhole(events)));
      expect(kept(gemini.decodeWhole(body))).toEqual(kept(events));
    }),
  );
});

test("requests survive encoding and decoding", () => {
  fc.assert(
    fc.property(asks(carries), fc.boolean(), (ask, streamed) => {
      const body: unknown = JSON.parse(JSON.stringify(gemini.encodeAsk(ask, { streamed })));
      const matched = gemini.match(`/v1beta${gemini.path(ask.model, { streamed })}`);
      expect(gemini.decodeAsk(body, matched)).toEqual({ ask: whatIsSaid(ask), streamed });
    }),
  );
});

test("an unreadable call stays unreadable for the client and never gets empty arguments", () => {
  for (const rawArguments of ["{broken", '{"a":1}', ""]) {
    const unread = { id: "a", name: "f", input: {}, source: "native", problem: "no", rawArguments };
    const whole = gemini.encodeWhole([
      { type: "answer-start", model: "m" },
      { type: "call-start", id: "a", name: "f" },
      { type: "call-end", call: unread },
      { type: "answer-end", reason: "tool-calls" },
    ]);
    const ended = gemini.decodeWhole(whole).find((event) => event.type === "call-end");
    expect(ended?.call.problem).toEqual(expect.any(String));
  }
});

test.each<ModelErrorKind>([
  "auth",
  "rate-limit",
  "overloaded",
  "context-overflow",
  "bad-request",
  "unknown-model",
  "timeout",
  "server",
])("an error of kind %s is decoded to that kind, as a reply and in a stream", async (kind) => {
  const error = new ModelError(kind, "It went wrong.", { retryAfter: 1500 });
  const { status, headers, body } = gemini.encodeError(error);
  const reply = gemini.decodeError(status, headers, JSON.stringify(body));
  expect({ kind: reply.kind, retryAfter: reply.retryAfter }).toEqual({ kind, retryAfter: 1500 });
  async function* failing(): AsyncGenerator<ModelEvent> {
    yield { type: "answer-start", model: "m" };
    yield { type: "text-delta", text: "x" };
    throw error;
  }
  const written = (await collect(gemini.encodeEvents(failing()))).join("");
  await expect(read(Buffer.from(written))).rejects.toMatchObject({ kind, midStream: true });
});

/** Lost in transit: boundaries between messages of one role, a tool choice without tools, the context window. */
function whatIsSaid(ask: Ask): Ask {
  const { contextTokens: _, ...said } = ask;
  if (said.tools.length === 0) delete said.toolChoice;
  const messages: Message[] = [];
  for (const message of said.messages.map(withoutCuts)) {
    const last = messages.at(-1);
    if (last?.role === "assistant" && message.role === "assistant") last.content.push(...message.content);
    else if (last?.role === "user" && message.role === "user") last.content.push(...message.content);
    else messages.push(message);
  }
  return { ...said, messages };
}

/** Joins a result's texts, before its pictures. */
function withoutCuts(message: Message): Message {
  if (message.role === "assistant") return { ...message, content: [...message.content] };
  if (message.role === "user") return { ...message, content: [...message.content] };
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const pictures = message.content.filter((part) => part.type === "image");
  return {
    ...message,
    content: [...(texts.length > 0 ? [{ type: "text" as const, text: texts.join("\n") }] : []), ...pictures],
  };
}

test("the path names the model and whether the reply is streamed", () => {
  const cases = ["gemini-2.5-flash", "vendor/model:7b", "a b"].flatMap((model) =>
    [true, false].map((streamed) => ({ model, streamed })),
  );
  for (const { model, streamed } of cases) {
    const path = gemini.path(model, { streamed });
    expect(gemini.match(path)).toEqual({ model, streamed });
    expect(gemini.match(`/v1beta${path}`)).toEqual({ model, streamed });
  }
  expect(gemini.path("models/gemini-2.5-flash", { streamed: true })).toBe(
    "/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
  );
  const others = [
    "/v1/messages",
    "/v1beta/models",
    "/v1beta/models/x:countTokens",
    "/v1beta/models/%E0:generateContent",
    "",
  ];
  for (const path of others) expect(gemini.match(path)).toBeUndefined();
});

test("the key goes into its own header, which is absent without a key", () => {
  expect(gemini.headers("k")).toEqual({ "x-goog-api-key": "k" });
  expect(gemini.headers(undefined)).toEqual({});
});
