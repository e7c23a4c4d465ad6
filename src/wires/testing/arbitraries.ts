/** Random answers and requests for the property tests of every wire. */

import * as fc from "fast-check";
import type { JsonObject } from "../../base/json.ts";
import type {
  Ask,
  AssistantPart,
  ToolCall,
  Message,
  Opaque,
  ContentPart,
  ToolDescription,
} from "../../protocol/messages.ts";
import type { EndReason, ModelEvent, Usage } from "../../protocol/model-events.ts";
import { asJson, copyOf } from "../fields.ts";

/** Features that only some formats can carry; an absent one is never generated. */
type Carries = {
  /** The state of a reasoning block, given its text. */
  reasoningState?: (text: string) => fc.Arbitrary<Opaque | undefined>;
  /** The state that travels with a call. */
  callState?: fc.Arbitrary<Opaque | undefined>;
  /** The state of the whole answer. */
  answerState?: fc.Arbitrary<Opaque | undefined>;
};

/** Text with all that breaks naive code: quotes, newlines, backslashes, emoji, separators, markup. */
const nastyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom(
      'say "hi", ok',
      "C:\\Users\\new\\t.txt",
      "line one\nline two\r\n\ttabbed",
      "\u2028\u2029\u0000\u001f",
      "</tool_call>\n```json\n{}",
      "data: x\n\nevent: error",
      "日本語 👩‍👩‍👧 é",
      '{"a":1}',
      "true",
    ),
  );

/** Text with at least one visible character. */
const visibleText = (): fc.Arbitrary<string> => nastyText().map((text) => `w${text}w`);

/** A tool's arguments: any JSON object, as a parser would give it. */
const inputs = (): fc.Arbitrary<JsonObject> =>
  fc
    .dictionary(
      nastyText().filter((key) => key !== "__proto__"),
      fc.oneof(fc.jsonValue({ maxDepth: 4 }), nastyText(), fc.integer(), fc.boolean()),
      { maxKeys: 4 },
    )
    .map((value) => throughJson(copyOf(value)));

/** Sends a value through JSON, which has no negative zero. */
function throughJson(value: JsonObject): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(value));
  return copy;
}

/** A call that a provider sent completely, with a readable id. */
export const calls = (carries: Carries = {}): fc.Arbitrary<ToolCall> =>
  fc
    .record({
      id: fc.uuid().map((id) => `call_${id.slice(0, 8)}${id.slice(-8)}`),
      name: fc.constantFrom("read_file", "write_file", "list-files", "a"),
      input: inputs(),
      state: carries.callState ?? fc.constant(undefined),
    })
    .map(({ state, ...call }) => ({ ...call, source: "native", ...(state ? { state } : {}) }));

/** One whole valid answer: deltas cut anywhere, calls that may interleave, usage, the end. */
export const modelEvents = (carries: Carries = {}): fc.Arbitrary<ModelEvent[]> =>
  fc
    .record({
      model: fc.constantFrom("some-model", "vendor/model:7b"),
      blocks: fc.array(fc.oneof(reasoning(carries), text(), callGroup(carries)), { maxLength: 5 }),
      usage: fc.option(usages(), { nil: undefined, freq: 8 }),
      ending: fc.constantFrom<EndReason>("stop", "stop", "stop", "length", "refusal"),
      state: carries.answerState ?? fc.constant(undefined),
    })
    .map(({ model, blocks, usage, ending, state }) => {
      const body = blocks.flat();
      const called = body.some((event) => event.type === "call-end");
      const end: ModelEvent = {
        type: "answer-end",
        reason: called && ending === "stop" ? "tool-calls" : ending,
        state,
      };
      const told: ModelEvent[] = usage ? [{ type: "usage", usage }] : [];
      return [{ type: "answer-start", model }, ...withUniqueIds(body), ...told, end];
    });

/** One whole valid request; ids are unique and every result follows its call. */
export const asks = (carries: Carries = {}): fc.Arbitrary<Ask> =>
  fc
    .record(
      {
        model: fc.constantFrom("some-model", "vendor/model:7b"),
        system: fc.oneof(fc.constant(""), visibleText()),
        messages: fc.array(turn(carries), { minLength: 1, maxLength: 4 }).map((turns) => turns.flat()),
        tools: fc.uniqueArray(toolDescriptions(), { maxLength: 3, selector: (tool) => tool.name }),
        toolChoice: fc.constantFrom("auto" as const, "none" as const, "required" as const, { name: "a" }),
        maxTokens: fc.integer({ min: 1, max: 100_000 }),
        temperature: fc.constantFrom(0, 0.3, 1),
        stop: fc.array(visibleText(), { minLength: 1, maxLength: 3 }),
        reasoning: fc.constantFrom("off" as const, "low" as const, "medium" as const, "high" as const),
        contextTokens: fc.integer({ min: 1024, max: 1_000_000 }),
      },
      { requiredKeys: ["model", "system", "messages", "tools"] },
    )
    .map((ask) => ({ ...ask, messages: withUniqueCallIds(ask.messages) }));

/** Merges adjacent deltas of one kind and drops empty ones. */
export function mergeDeltas(events: readonly ModelEvent[]): ModelEvent[] {
  const merged: ModelEvent[] = [];
  for (const event of events) {
    const joined = join(merged.at(-1), event);
    if (joined) merged[merged.length - 1] = joined;
    else if (!isEmptyDelta(event)) merged.push(event);
  }
  return merged;
}

/** The same answer with each call in one block where it started, for formats whose blocks cannot interleave. */
export function inBlocks(events: readonly ModelEvent[]): ModelEvent[] {
  const rest = events.filter((event) => event.type !== "call-delta" && event.type !== "call-end");
  return mergeDeltas(
    rest.flatMap((event) => (event.type === "call-start" ? wholeCall(event.id, events) : [event])),
  );
}

/** The same answer without the deltas of calls, which are only for display. */
export const withoutCallDeltas = (events: readonly ModelEvent[]): ModelEvent[] =>
  mergeDeltas(events.filter((event) => event.type !== "call-delta"));

function wholeCall(id: string, events: readonly ModelEvent[]): ModelEvent[] {
  const mine = events.filter(
    (event) =>
      (event.type === "call-start" && event.id === id) ||
      (event.type === "call-delta" && event.id === id) ||
      (event.type === "call-end" && event.call.id === id),
  );
  return mergeDeltas(mine);
}

function join(last: ModelEvent | undefined, next: ModelEvent): ModelEvent | undefined {
  if (last?.type === "text-delta" && next.type === "text-delta")
    return { ...last, text: last.text + next.text };
  if (last?.type === "reasoning-delta" && next.type === "reasoning-delta")
    return { ...last, text: last.text + next.text };
  if (last?.type === "call-delta" && next.type === "call-delta" && last.id === next.id)
    return { ...last, json: last.json + next.json };
  return undefined;
}

function isEmptyDelta(event: ModelEvent): boolean {
  if (event.type === "text-delta" || event.type === "reasoning-delta") return event.text === "";
  return event.type === "call-delta" && event.json === "";
}

const reasoning = (carries: Carries): fc.Arbitrary<ModelEvent[]> =>
  visibleText().chain((text) =>
    fc
      .tuple(pieces(text), carries.reasoningState?.(text) ?? fc.constant(undefined))
      .map(([deltas, state]) => [
        ...deltas.map((piece): ModelEvent => ({ type: "reasoning-delta", text: piece })),
        { type: "reasoning-end", state } as const,
      ]),
  );

const text = (): fc.Arbitrary<ModelEvent[]> =>
  visibleText()
    .chain(pieces)
    .map((deltas) => deltas.map((piece) => ({ type: "text-delta", text: piece })));

/** One to three calls whose events interleave; within a call the order stays. */
const callGroup = (carries: Carries): fc.Arbitrary<ModelEvent[]> =>
  fc.array(callEvents(carries), { minLength: 1, maxLength: 3 }).chain((lists) => {
    const total = lists.reduce((sum, list) => sum + list.length, 0);
    return fc
      .array(fc.nat({ max: 2 }), { minLength: total, maxLength: total })
      .map((picks) => interleave(lists, picks));
  });

const callEvents = (carries: Carries): fc.Arbitrary<ModelEvent[]> =>
  calls(carries).chain((call) =>
    pieces(JSON.stringify(call.input)).map((deltas) => [
      { type: "call-start", id: call.id, name: call.name } as const,
      ...deltas.map((json): ModelEvent => ({ type: "call-delta", id: call.id, json })),
      { type: "call-end", call } as const,
    ]),
  );

function interleave(lists: ModelEvent[][], picks: number[]): ModelEvent[] {
  const queues = lists.map((list) => [...list]);
  return picks.flatMap((pick) => {
    const open = queues.filter((queue) => queue.length > 0);
    return open[pick % Math.max(1, open.length)]?.splice(0, 1) ?? [];
  });
}

/** A text in one to four pieces, cut anywhere, even inside a surrogate pair. */
const pieces = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat({ max: Math.max(0, text.length) }), { maxLength: 3 }).map((places) => {
    const ends = [...places.toSorted((a, b) => a - b), text.length];
    return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== "");
  });

const usages = (): fc.Arbitrary<Usage> =>
  fc
    .record(
      { fresh: tokens(), outputTokens: tokens(), read: tokens(), written: tokens(), reasoning: tokens() },
      { requiredKeys: ["fresh", "outputTokens"] },
    )
    .map(({ fresh, outputTokens, read, written, reasoning }) => ({
      inputTokens: fresh + (read ?? 0) + (written ?? 0),
      outputTokens: outputTokens + (reasoning ?? 0),
      cacheReadTokens: read,
      cacheWriteTokens: written,
      reasoningTokens: reasoning,
    }));

const tokens = (): fc.Arbitrary<number> => fc.integer({ min: 1, max: 200_000 });

/** A user message, then perhaps an answer with all its results. */
const turn = (carries: Carries): fc.Arbitrary<Message[]> =>
  fc
    .tuple(fc.array(parts(), { minLength: 1, maxLength: 2 }), fc.array(answer(carries), { maxLength: 2 }))
    .map(([content, answers]) => [{ role: "user", content }, ...answers.flat()]);

const answer = (carries: Carries): fc.Arbitrary<Message[]> =>
  fc
    .tuple(
      fc.array(assistantPart(carries), { minLength: 1, maxLength: 4 }),
      fc.array(parts(), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([content, output, isError]) => {
      const asked = content.flatMap((part) => (part.type === "call" ? [part.call] : []));
      const results = asked.map((call): Message => ({
        role: "tool",
        callId: call.id,
        name: call.name,
        content: output,
        isError,
      }));
      return [{ role: "assistant", content }, ...results];
    });

const assistantPart = (carries: Carries): fc.Arbitrary<AssistantPart> =>
  fc.oneof(
    visibleText().map((text): AssistantPart => ({ type: "text", text })),
    calls(carries).map((call): AssistantPart => ({ type: "call", call })),
    visibleText().chain((text) =>
      (carries.reasoningState?.(text) ?? fc.constant(undefined)).map((state): AssistantPart => ({
        type: "reasoning",
        text,
        state,
      })),
    ),
  );

/** One-pixel pictures, so that formats which send only the bytes can detect the type. */
const pictures = [
  {
    mediaType: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  },
  { mediaType: "image/gif", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" },
];

const parts = (): fc.Arbitrary<ContentPart> =>
  fc.oneof(
    { weight: 4, arbitrary: visibleText().map((text): ContentPart => ({ type: "text", text })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...pictures).map((picture): ContentPart => ({ type: "image", ...picture })),
    },
  );

const toolDescriptions = (): fc.Arbitrary<ToolDescription> =>
  fc.record({
    name: fc.constantFrom("read_file", "write_file", "list-files", "a"),
    description: visibleText(),
    schema: fc.constantFrom<JsonObject>(
      { type: "object", properties: {} },
      { type: "object", properties: { path: { type: "string", description: "Where" } }, required: ["path"] },
    ),
  });

/** Gives the n-th call of an answer the id `<id>_<n>`, because random ids may collide. */
function withUniqueIds(events: ModelEvent[]): ModelEvent[] {
  const ids = new Map<string, string>();
  const named = (id: string): string => ids.get(id) ?? id;
  return events.map((event) => {
    if (event.type === "call-start") ids.set(event.id, `${event.id}_${ids.size}`);
    if (event.type === "call-start" || event.type === "call-delta") return { ...event, id: named(event.id) };
    if (event.type === "call-end") return { ...event, call: { ...event.call, id: named(event.call.id) } };
    return event;
  });
}

function withUniqueCallIds(messages: Message[]): Message[] {
  let count = 0;
  let open: string[] = [];
  return messages.map((message): Message => {
    if (message.role === "tool") return { ...message, callId: open.shift() ?? message.callId };
    if (message.role === "user") return message;
    open = [];
    const content = message.content.map((part): AssistantPart => {
      if (part.type !== "call") return part;
      open.push(`${part.call.id}_${count++}`);
      return { ...part, call: { ...part.call, id: open.at(-1) ?? "" } };
    });
    return { ...message, content };
  });
}

/** State as another wire might have made it. */
export const foreignState = (from: string): fc.Arbitrary<Opaque> =>
  fc
    .jsonValue({ maxDepth: 2 })
    .map((value): Opaque => ({ from, value: asJson(JSON.parse(JSON.stringify(value))) }));
