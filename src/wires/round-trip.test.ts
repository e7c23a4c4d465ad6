import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { Ask, AssistantPart, Message, Opaque } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { cutBytes } from "../testing/byte-pieces.ts";
import { oneByOne } from "./frames.ts";
import { wires } from "./index.ts";
import { asks, foreignState, modelEvents } from "./testing/arbitraries.ts";
import { asStream } from "./testing/stream-summary.ts";
import type { Wire } from "./wire.ts";

/** Properties of every wire; promises of a single wire are tested in its own directory. */

const all = Object.values(wires);

const sent = (wire: Wire, ask: Ask, streamed = true): unknown =>
  JSON.parse(JSON.stringify(wire.encodeAsk(ask, { streamed })));

function received(wire: Wire, ask: Ask): Ask {
  const streamed = true;
  const path = ["", "/v1", "/v1beta"].map((base) => base + wire.path(ask.model, { streamed }));
  const matched = path.map((each) => wire.match(each)).find((found) => found !== undefined);
  return wire.decodeAsk(sent(wire, ask), matched).ask;
}

test("each wire is registered under its own name", () => {
  expect(Object.entries(wires).map(([name, wire]) => name === wire.name)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
});

describe("a request", () => {
  const picture = { type: "image" as const, mediaType: "image/png", data: "iVBORw0KGgo=" };
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const ask: Ask = {
    model: "some-model",
    system: "Be brief.",
    messages: [
      { role: "user", content: [{ type: "text", text: "What is this? 日本" }, picture] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "A picture." },
          { type: "text", text: "I look at the files." },
          {
            type: "call",
            call: { id: "call_1", name: "read_file", input: { path: 'a "b".txt' }, source: "native" },
          },
          { type: "call", call: { id: "call_2", name: "read_file", input: { path: "c" }, source: "native" } },
        ],
      },
      {
        role: "tool",
        callId: "call_1",
        name: "read_file",
        content: [{ type: "text", text: "one" }],
        isError: false,
      },
      {
        role: "tool",
        callId: "call_2",
        name: "read_file",
        content: [{ type: "text", text: "gone" }],
        isError: true,
      },
      { role: "assistant", content: [{ type: "text", text: "A logo." }] },
      { role: "user", content: [{ type: "text", text: "Thanks" }] },
    ],
    tools: [{ name: "read_file", description: "Reads a file", schema }],
    maxTokens: 100,
  };

  test.each(all)("with all features survives $name", (wire) => {
    expect(essence(received(wire, ask))).toEqual(essence(asked(wire, ask)));
  });

  test.each(all)("of any kind keeps its meaning through $name", (wire) => {
    fc.assert(
      fc.property(asks(), (any) => {
        const ask = whatAllCarry(any);
        expect(essence(received(wire, ask))).toMatchObject(essence(asked(wire, ask)));
      }),
    );
  });
});

/** Removes differences between formats: some move the pictures of results, have no tool choice, or require a limit. */
function whatAllCarry(ask: Ask): Ask {
  const { toolChoice: _, ...rest } = ask;
  const messages = rest.messages.map((message): Message => {
    if (message.role !== "tool") return message;
    return { ...message, content: message.content.filter((part) => part.type === "text") };
  });
  return { ...rest, messages };
}

/** One format cannot carry text beside calls: it becomes the plan of those calls. */
function asked(wire: Wire, ask: Ask): Ask {
  if (wire.name !== "cohere") return ask;
  const messages = ask.messages.map((message): Message => {
    const called = message.role === "assistant" && message.content.some(({ type }) => type === "call");
    return called ? { ...message, content: message.content.filter(({ type }) => type !== "text") } : message;
  });
  return { ...ask, messages };
}

/** The content without thoughts, message boundaries and ids. */
function essence(ask: Ask): object {
  const calls = ask.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) =>
          part.type === "call" ? [{ name: part.call.name, input: part.call.input }] : [],
        )
      : [],
  );
  const ids = ask.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "call" ? [part.call.id] : []))
      : [],
  );
  return {
    model: ask.model,
    system: ask.system,
    tools: ask.tools,
    ...(ask.maxTokens === undefined ? {} : { maxTokens: ask.maxTokens }),
    calls,
    answers: textOf(ask, "assistant"),
    asked: textOf(ask, "user"),
    results: ask.messages.flatMap((message) =>
      message.role === "tool" ? [ids.indexOf(message.callId)] : [],
    ),
    pictures: ask.messages.flatMap((message) =>
      message.role === "assistant"
        ? []
        : message.content.flatMap((part) => (part.type === "image" ? [part.data] : [])),
    ),
  };
}

const textOf = (ask: Ask, role: Message["role"]): string =>
  ask.messages
    .filter((message) => message.role === role)
    .flatMap((message) =>
      message.content.flatMap((part: AssistantPart | Message["content"][number]) =>
        part.type === "text" ? [part.text] : [],
      ),
    )
    .join("")
    .replaceAll(/\s/g, "");

describe("an answer", () => {
  test.each(all)("survives $name however the stream is split", async (wire) => {
    await fc.assert(
      fc.asyncProperty(modelEvents(), fc.array(fc.nat()), async (events, places) => {
        const written = Buffer.from((await collect(wire.encodeEvents(asStream(events)))).join(""));
        expect(heard(await collect(oneByOne(wire.decodeBatches(cutBytes(written, places)))))).toMatchObject(
          heard(sayable(wire, events)),
        );
      }),
    );
  });

  test.each(all)("survives $name as a whole reply", (wire) => {
    fc.assert(
      fc.property(modelEvents(), (events) => {
        const body: unknown = JSON.parse(JSON.stringify(wire.encodeWhole(events)));
        expect(heard(wire.decodeWhole(body))).toMatchObject(heard(sayable(wire, events)));
      }),
    );
  });
});

/** Two formats cannot express a refusal. */
function sayable(wire: Wire, events: readonly ModelEvent[]): ModelEvent[] {
  const called = events.some((event) => event.type === "call-end");
  return events.map((event) =>
    ["ollama", "cohere"].includes(wire.name) && event.type === "answer-end" && event.reason === "refusal"
      ? { ...event, reason: called ? "tool-calls" : "stop" }
      : event,
  );
}

/** The content of an answer, regardless of the order of its blocks and how they are chunked. */
function heard(events: readonly ModelEvent[]): object {
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  const reason = events.findLast((event) => event.type === "answer-end")?.reason;
  const broken = reason === "length" || reason === "refusal";
  return {
    model: events.flatMap((event) => (event.type === "answer-start" ? [event.model] : [])),
    text: events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join(""),
    thoughts: events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : [])).join(""),
    // In formats without an end mark for calls, a call in a stopped answer may be cut off and is marked.
    calls: calls.map(({ id, ...call }) => (broken ? id : { id, ...call })).toSorted(byText),
    ...(usage ? { usage: [usage.inputTokens, usage.outputTokens] } : {}),
    reason,
  };
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe("a conversation started on another wire", () => {
  test.each(all)("continues over $name as if it had no state", (wire) => {
    const others = all.filter((other) => other !== wire).map((other) => foreignState(other.name));
    const state = fc.option(fc.oneof(...others), { nil: undefined });
    const conversations = asks({ reasoningState: () => state, callState: state });
    fc.assert(
      fc.property(conversations, state, (ask, answerState) => {
        const stateful = withAnswerState(ask, answerState);
        expect(sent(wire, stateful)).toEqual(sent(wire, withoutState(stateful)));
        expect(() => received(wire, stateful)).not.toThrow();
      }),
    );
  });

  test.each(all)("with arbitrary state labelled as from $name can still be sent", (wire) => {
    const state = fc.option(foreignState(wire.name), { nil: undefined });
    fc.assert(
      fc.property(asks({ reasoningState: () => state, callState: state }), state, (ask, answerState) => {
        expect(() => sent(wire, withAnswerState(ask, answerState))).not.toThrow();
      }),
    );
  });
});

const withAnswerState = (ask: Ask, state: Opaque | undefined): Ask => ({
  ...ask,
  messages: ask.messages.map((message) =>
    message.role === "assistant" && state ? { ...message, state } : message,
  ),
});

const withoutState = (ask: Ask): Ask => ({
  ...ask,
  messages: ask.messages.map((message): Message => {
    if (message.role !== "assistant") return message;
    const content = message.content.map((part): AssistantPart => {
      if (part.type === "reasoning") return { type: "reasoning", text: part.text };
      if (part.type === "text") return part;
      const { state: _, ...call } = part.call;
      return { type: "call", call };
    });
    return { role: "assistant", content };
  }),
});
