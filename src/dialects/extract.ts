/** Converts the text of a model that writes calls as text into the events of a model with native tools. */

import { isJsonObject, type Json } from "../base/json.ts";
import type { Message, ToolCall, ToolDescription } from "../protocol/messages.ts";
import type { ModelEvent, Usage } from "../protocol/model-events.ts";
import { resolveToolName } from "../protocol/tool-name.ts";
import { namelessCall } from "../protocol/unreadable.ts";
import type { Dialect } from "./dialect.ts";
import { callsInWrapper, isWrapper } from "./grammar/parallel-calls.ts";
import { callInReasoning } from "./reading/call-in-reasoning.ts";
import { eventFilter } from "./reading/completion-marker.ts";
import { createExtractor, randomId, type Extractor, type ExtractorOptions } from "./reading/extractor.ts";
import type { Trace } from "./reading/message.ts";
import type { OfferedTools } from "./reading/reader.ts";
import { withheldWatch } from "./reading/withheld.ts";
import { repeatedIn } from "./repeated-calls.ts";

export type ExtractOptions = {
  tools: readonly ToolDescription[];
  /** Every dialect that is recognised. */
  dialects: readonly Dialect[];
  /** The dialect that the model was taught or is known to use. */
  known?: Dialect | undefined;
  /** The model has native tools: a call in its text counts only if it made no native call (N13). */
  isNative?: boolean | undefined;
  /** The end of the prompt, if known. */
  prefix?: string | undefined;
  /** Makes ids of calls that are unique within a conversation. */
  newId?: (() => string) | undefined;
  /** What the model was shown: a call that stands in it is marked (`repeats`). */
  shown?: readonly Message[] | undefined;
  /** Called with every mark that was found, and what it was taken for. */
  trace?: Trace | undefined;
};

export async function* extract(
  events: AsyncIterable<ModelEvent>,
  { tools, shown = [], ...options }: ExtractOptions,
): AsyncGenerator<ModelEvent> {
  const clean = eventFilter();
  const withheld = withheldWatch(tools);
  const repeated = repeatedIn(shown, options.dialects);
  const reading =
    tools.length === 0
      ? plainReading()
      : readingOf({ ...options, repeated, offered: offeredTools(tools), wasTold: wasTold(shown) });
  try {
    // Loops instead of `yield*`, which costs three extra turns of the event loop per event.
    for await (const event of events)
      for (const one of clean(event)) {
        const told = [...reading.step(one)].map(withSafeKeys);
        for (const out of told) yield out;
        if (one.type === "text-delta") for (const out of withheld(one.text, told)) yield out;
      }
  } catch (error) {
    // The answer failed: emit withheld text; unfinished calls never run.
    for (const one of clean(undefined)) for (const out of reading.step(one)) yield out;
    for (const out of reading.flush()) yield out;
    throw error;
  }
}

/** N17: a key that programs in JavaScript take for something else is no argument. */
function withSafeKeys(event: ModelEvent): ModelEvent {
  if (event.type !== "call-end" || event.call.problem !== undefined || !holdsKey(event.call.input, unsafeKey))
    return event;
  const problem = `The arguments hold the key ${unsafeKey}, which no tool takes. Nothing was run.`;
  return { type: "call-end", call: { ...event.call, input: {}, problem, fault: "invalid_arguments" } };
}

const unsafeKey = "__proto__";

const holdsKey = (value: Json, key: string): boolean =>
  Array.isArray(value)
    ? value.some((one) => holdsKey(one, key))
    : isJsonObject(value) &&
      (Object.hasOwn(value, key) || Object.values(value).some((one) => holdsKey(one, key)));

type ReadingOfEvents = { step(event: ModelEvent): Iterable<ModelEvent>; flush(): Iterable<ModelEvent> };

/** Without offered tools everything is text; calls that were announced and did not come are nobody's loss. */
function plainReading(): ReadingOfEvents {
  let called = false;
  return {
    step: (event) => {
      called ||= event.type === "call-end";
      const isStop = event.type === "answer-end" && event.reason === "tool-calls" && !called;
      return [isStop ? { ...event, reason: "stop" } : event];
    },
    flush: () => [],
  };
}

function readingOf(
  options: ExtractorOptions & Pick<ExtractOptions, "isNative"> & Pick<ExtractionState, "wasTold">,
): ReadingOfEvents {
  const answer: ExtractionState = {
    options,
    extractor: createExtractor(options),
    waiting: options.isNative === true ? [] : undefined,
    isNative: false,
    isSilent: true,
    wasTold: options.wasTold,
    thoughts: [],
    wrappers: new Map(),
    usage: undefined,
  };
  return { step: (event) => step(answer, event), flush: () => answer.extractor.flush() };
}

type ExtractionState = {
  readonly options: ExtractorOptions;
  readonly extractor: Extractor;
  /** With native tools: everything from the first call in text on, until it is clear whether that call counts. */
  waiting: ModelEvent[] | undefined;
  /** After a native call, everything in text is plain text. */
  isNative: boolean;
  /** The model was told before that a call it announced did not come. */
  readonly wasTold: boolean;
  /** Neither text nor calls so far. */
  isSilent: boolean;
  readonly thoughts: string[];
  /** The withheld beginnings of native calls that are wrappers, by id. */
  readonly wrappers: Map<string, CallModelEvent>;
  usage: Usage | undefined;
};

function* step(answer: ExtractionState, event: ModelEvent): Generator<ModelEvent> {
  switch (event.type) {
    case "text-delta":
      yield* passOn(answer, answer.isNative ? [event] : answer.extractor.push(event.text));
      return;
    case "usage":
      answer.usage = event.usage;
      return;
    case "answer-end":
      yield* atEnd(answer, event);
      return;
    case "call-start":
    case "call-delta":
    case "call-end":
      yield* nativeCall(answer);
      yield* withoutWrapper(answer, event);
      return;
    case "reasoning-delta":
      answer.thoughts.push(event.text);
      yield event;
      return;
    default:
      yield event;
  }
}

function* atEnd(answer: ExtractionState, event: ModelEvent & { type: "answer-end" }): Generator<ModelEvent> {
  if (!answer.isNative) yield* passOn(answer, answer.extractor.end(event.reason));
  yield* answer.waiting ?? [];
  if (answer.isSilent && event.reason !== "length") yield* callInReasoning(answer.thoughts, answer.options);
  else if (event.reason === "tool-calls" && !hasCalls(answer) && !answer.wasTold) yield* missingCall(answer);
  if (answer.usage) yield { type: "usage", usage: answer.usage };
  yield answerEnd(answer, event);
}

function* passOn(answer: ExtractionState, events: readonly ModelEvent[]): Generator<ModelEvent> {
  for (const event of events) {
    if (event.type === "text-delta" || event.type === "call-end") answer.isSilent = false;
    const { waiting } = answer;
    if (waiting && (waiting.length > 0 || event.type === "call-start")) waiting.push(event);
    else yield event;
  }
}

/** After a native call, what looked like calls in the text was plain text. */
function* nativeCall(answer: ExtractionState): Generator<ModelEvent> {
  answer.isSilent = false;
  if (answer.isNative) return;
  answer.isNative = true;
  if (answer.waiting && answer.waiting.length > 0) {
    answer.waiting = [];
    const text = answer.extractor.textSinceCall;
    if (text !== "") yield { type: "text-delta", text };
  } else yield* answer.extractor.flush();
}

type CallModelEvent = Extract<ModelEvent, { type: "call-start" | "call-delta" | "call-end" }>;

/** A wrapper for parallel calls is not told: the calls in it are, when it is complete. */
function* withoutWrapper(
  { options, wrappers }: ExtractionState,
  event: CallModelEvent,
): Generator<ModelEvent> {
  const { offered } = options;
  if (event.type === "call-start" && isWrapper(event.name, offered)) wrappers.set(event.id, event);
  const start = wrappers.get(event.type === "call-end" ? event.call.id : event.id);
  const inner = event.type === "call-end" ? callsInWrapper(event.call, offered) : undefined;
  if (event.type !== "call-end" || inner === undefined) {
    if (start === undefined) yield event;
    else if (event.type === "call-end") yield* [start, event];
    return;
  }
  const { rawArguments: _, repairs: __, ...outer } = event.call;
  for (const [index, read] of inner.entries()) {
    const id = index === 0 ? outer.id : newIdOf(options);
    if (index > 0 || start !== undefined) yield { type: "call-start", id, name: read.name };
    yield {
      type: "call-end",
      call: { ...(index === 0 ? outer : { source: outer.source }), ...read, id },
    };
  }
}

function answerEnd(
  { extractor, isNative }: ExtractionState,
  event: ModelEvent & { type: "answer-end" },
): ModelEvent {
  if (event.reason !== "stop" && event.reason !== "tool-calls") return event;
  return { ...event, reason: hasCalls({ extractor, isNative }) ? "tool-calls" : "stop" };
}

const hasCalls = ({ extractor, isNative }: Pick<ExtractionState, "extractor" | "isNative">): boolean =>
  isNative || extractor.calls > 0;

/** The answer ended in order to use a tool, and holds words only: its call was lost, or never written. */
function* missingCall({ options }: ExtractionState): Generator<ModelEvent> {
  const id = newIdOf(options);
  const call: ToolCall = { id, name: namelessCall, source: "text", input: {}, ...emptyToolUse };
  yield { type: "call-start", id, name: call.name };
  yield { type: "call-end", call };
}

const newIdOf = ({ newId = randomId }: ExtractorOptions): string => newId();

const emptyToolUse = {
  problem:
    "Your answer ended in order to use a tool, but it holds no call, so nothing was run. Write the call now; if you need none, finish your answer without one.",
  fault: "empty_tool_use",
} as const;

/** Some servers announce calls at the end of every answer: the model is told once. */
const wasTold = (shown: readonly Message[]): boolean =>
  shown.some(
    ({ role, content }) =>
      role === "assistant" &&
      content.some((part) => part.type === "call" && part.call.fault === emptyToolUse.fault),
  );

/** The offered tools, as readers look them up. */
export function offeredTools(tools: readonly ToolDescription[]): OfferedTools {
  const names = tools.map(({ name }) => name);
  const known = new Map<string, string | undefined>();
  return {
    tools,
    find(written) {
      if (!known.has(written)) known.set(written, resolveToolName(written, names));
      const name = known.get(written);
      return name === undefined ? undefined : tools.find((one) => one.name === name);
    },
  };
}
