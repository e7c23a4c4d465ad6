/**
 * Reads one message of a model that writes calls as text. Plain text passes at once; a call is reported only when its
 * end is definite; an unfinished call never runs. The result does not depend on how the text is split.
 */

import { sizeInWords } from "../../base/amounts.ts";
import type { EndReason, ModelEvent } from "../../protocol/model-events.ts";
import { namelessCall } from "../../protocol/unreadable.ts";
import { textCallBounds } from "../bounds.ts";
import type { Dialect, MarkedDialect } from "../dialect.ts";
import { cutOff } from "../grammar/json-calls.ts";
import { callsInWrapper, isWrapper } from "../grammar/parallel-calls.ts";
import type { FindRepeated } from "../repeated-calls.ts";
import { markTable, type TextMark } from "./marks.ts";
import {
  beginAnew,
  endThought,
  newMessage,
  say,
  sayMarkup,
  think,
  type MessageState,
  type Trace,
} from "./message.ts";
import {
  type ReadCall,
  ahead,
  takeSpace,
  type OfferedTools,
  type BlockReader,
  type StreamReading,
} from "./reader.ts";
import { endsHere, findMark, isAtStart, runningText } from "./running-text.ts";
import { createTeller, mostCalls } from "./teller.ts";
import { readDoubtful, readInLine, readThought } from "./thought.ts";
import { readWhole } from "./whole.ts";

export interface Extractor {
  push(text: string): ModelEvent[];
  /** Call at the end of the answer: returns everything withheld. */
  end(reason: EndReason): ModelEvent[];
  /** Call if the answer failed: returns the withheld text, but no call. */
  flush(): ModelEvent[];
  /** The number of calls read. */
  readonly calls: number;
  /** The model's original text from its first call on. */
  readonly textSinceCall: string;
  /** Characters examined, including repeats: must grow in proportion to the text. */
  readonly looked: number;
}

export type ExtractorOptions = {
  /** Every dialect that is recognised. */
  dialects: readonly Dialect[];
  /** The dialect that the model was taught or is known to use. */
  known?: Dialect | undefined;
  offered: OfferedTools;
  /** The end of the prompt, if known: a thought may be open already. */
  prefix?: string | undefined;
  /** Makes ids of calls that are unique within a conversation. */
  newId?: (() => string) | undefined;
  trace?: Trace | undefined;
  /** Whether a call stands in what the model was shown. */
  repeated?: FindRepeated | undefined;
};

/** Longest block, in UTF-16 units. */
const maxBlock = textCallBounds.callText.most;

export function createExtractor(options: ExtractorOptions): Extractor {
  const { dialects, known, offered, newId = randomId } = options;
  let out: ModelEvent[] = [];
  const emit = (event: ModelEvent): void => void out.push(event);
  const teller = createTeller({ emit, newId, repeated: options.repeated });
  const table = markTable(dialects, { known, offered });
  const message: MessageState = newMessage({
    table,
    offered,
    teller,
    emit,
    known: known?.name,
    trace: options.trace,
    readMarked: (text) => readMarked(text, options, message.isCut ? "length" : "stop"),
  });
  const reading = readMessage(message, options.prefix ?? "");
  const taken = (): ModelEvent[] => {
    const events = out;
    out = [];
    return events;
  };
  const { input } = message;
  return {
    push(text) {
      if (message.isOver && teller.holds) message.leftovers(text);
      if (message.isOver || text === "") return [];
      input.push(text);
      reading.next();
      return taken();
    },
    end(reason) {
      input.ended = true;
      message.isCut = reason === "length";
      reading.next();
      finish(message, reason);
      return taken();
    },
    flush() {
      flush(message);
      return taken();
    },
    get calls() {
      return teller.count;
    },
    get textSinceCall() {
      return input.sinceMark();
    },
    get looked() {
      return input.looked;
    },
  };
}

/** Undefined unless the text consists only of valid calls of offered tools: otherwise it may be an example. */
function readMarked(text: string, options: ExtractorOptions, reason: EndReason): ReadCall[] | undefined {
  const dialects = options.dialects.filter(({ tier }) => tier !== "whole");
  const own = { dialects, known: options.known, offered: options.offered, newId: () => "" };
  const extractor = createExtractor(own);
  const calls: ReadCall[] = [];
  for (const event of [...extractor.push(text), ...extractor.end(reason)]) {
    if (event.type === "call-start" || event.type === "call-delta") continue;
    if (event.type !== "call-end" || event.call.problem !== undefined) return undefined;
    if (!options.offered.find(event.call.name)) return undefined;
    const { source: _, problem: __, fault: ___, ...call } = event.call;
    calls.push(call);
  }
  return calls.length > 0 ? calls : undefined;
}

export const randomId = (): string => `call_${globalThis.crypto.randomUUID().slice(-12)}`;

/** The closing mark of a thought that the prompt left open. */
function openThought({ table }: MessageState, prefix: string): string | undefined {
  const end = prefix.trimEnd();
  return table.thoughts.find(({ open }) => end.endsWith(open.trimEnd()))?.close;
}

function* readMessage(message: MessageState, prefix: string): StreamReading {
  const { input } = message;
  const thought = openThought(message, prefix);
  let mark = thought === undefined ? yield* openBlock(message, prefix) : yield* readThought(message, thought);
  while (!message.isOver) {
    mark ??= yield* runningText(message);
    if (!mark) return;
    mark = yield* readMark(message, mark);
    if (message.teller.count > mostCalls) message.isOver = true;
  }
  const rest = input.takeAll();
  if (message.teller.holds) message.leftovers(rest);
}

/** Reads a block that the prompt left open, from its opener on; any other part of the prompt is dropped. */
function* openBlock(message: MessageState, prefix: string): StreamReading<TextMark | undefined> {
  const { input, table } = message;
  const given = table.given(prefix);
  if (given === "") return undefined;
  input.begin(given);
  const found = yield* findMark(message, table.at(given, 0));
  if (!found) input.takeGiven();
  return found;
}

/** Reads on from a mark. Returns the opener of a call if one was found inside. */
function* readMark(message: MessageState, mark: TextMark): StreamReading<TextMark | undefined> {
  const { means } = mark;
  switch (means.type) {
    case "call":
      if (message.mayThink === undefined) yield* readBlock(message, mark);
      else yield* readDoubtful(message, mark.text, message.mayThink);
      return undefined;
    case "whole":
      yield* readWhole(message, mark);
      return undefined;
    case "thought":
      if (isAtStart(message, mark)) return yield* readThought(message, means.close);
      yield* readInLine(message, mark.text, means.close);
      return undefined;
    case "thought-end":
      orphanEnd(message);
      return undefined;
    case "turn":
      message.isOver = true;
      return undefined;
    case "result":
      yield* inventedResult(message);
      return undefined;
    case "layout":
      if (message.toUser?.ends.includes(mark.text)) message.toUser = undefined;
      message.text.cut();
      return undefined;
    case "leftover":
      message.teller.doubt();
      return undefined;
    default:
      return means satisfies never;
  }
}

/**
 * The closing mark of a thought that was never opened: the text so far was the thought, unless there was one before.
 */
function orphanEnd(message: MessageState): void {
  message.mayThink = undefined;
  if (message.hasText && !message.hasThought && message.teller.count === 0) {
    message.emit({ type: "text-was-reasoning" });
    message.hasText = false;
  }
  message.hasThought = true;
  beginAnew(message);
}

/** A result's opener at the very end only shows where the server should have stopped. */
function* inventedResult(message: MessageState): StreamReading {
  const rest = yield* ahead(message, 40);
  message.isOver = true;
  if (/^[\s:>]{0,39}$/.test(rest)) return;
  const detail = "The model wrote a tool result itself: what followed was not read.";
  message.emit({ type: "notice", code: "fabricated_result", detail });
}

function* readBlock(message: MessageState, { text, means }: TextMark): StreamReading {
  if (means.type !== "call") return;
  const { input, teller } = message;
  const { dialect } = means;
  const isFirst = teller.count === 0;
  const isBehind = teller.holds;
  input.markHere(message.text.held + text);
  message.text.cut();
  message.toUser = undefined;
  message.isBlock = true;
  input.record(text);
  const reader = readerFor(message, means.dialect);
  const reading = message.isHeadCut ? tellCut(reader) : dialect.read(reader, text);
  while (reading.next().done !== true) {
    if (input.recordedLength > maxBlock) {
      reader.tell({ name: namelessCall, input: {}, rawArguments: "", problem: tooLong });
      message.isOver = true;
      break;
    }
    yield;
  }
  refuseMore(message, dialect);
  // A call of another format may be part of a value that ended too early, and hide its closing tag.
  if (isBehind && dialect.leftovers === undefined) message.leftovers(input.recorded());
  input.stopRecording();
  if (isFirst && teller.count === 0) input.forgetMark();
  endThought(message);
  if (message.isBlock) beginAnew(message);
  if (message.isBlock && message.onlyOne) message.text.apart();
  message.isBlock = false;
  message.onlyOne = undefined;
}

function* tellCut(reader: BlockReader): StreamReading {
  yield* takeSpace(reader);
  reader.input.takeAll();
  reader.tell(cutOff(reader.raw()));
}

/** For blocks allowed once per message, a second one refuses the calls of all. */
function refuseMore(message: MessageState, from: MarkedDialect): void {
  const { onlyOne, singles, input } = message;
  if (!onlyOne) return;
  singles.push(input.recorded());
  if (singles.length < 2) return;
  message.waiting = [{ call: { ...onlyOne, rawArguments: singles.join("\n") }, from, written: "" }];
}

/** Emits a block that turned out not to be a call as text, and lets Markdown tracking continue after it. */
function sayBlock(message: MessageState): void {
  message.isBlock = false;
  message.text.uncut();
  sayMarkup(message, message.input.recorded());
}

const tooLong = `The call is longer than ${sizeInWords(maxBlock)}. Nothing was run. Send it again in smaller parts.`;

function readerFor(message: MessageState, dialect: MarkedDialect): BlockReader {
  const { input, offered, teller } = message;
  let toldUntil = 0;
  /** The block since its last call; a call that was told together with the one before stands in the whole block. */
  const written = (): string => {
    const block = input.recorded();
    const own = block.slice(toldUntil);
    toldUntil = block.length;
    return own === "" ? block : own;
  };
  return {
    input,
    offered,
    endings: [...(dialect.turns ?? []), ...(dialect.results ?? []), ...(dialect.plainResults ?? [])],
    isKnown: dialect.name === message.known,
    get isCut() {
      return message.isCut;
    },
    hasCalled: teller.count > 0,
    raw: () => input.recorded(),
    show: (name, id) => (isWrapper(name, offered) ? undefined : teller.show(name, id)),
    showArguments: teller.showArguments,
    tell: (wrapper) => {
      const whole = written();
      for (const call of callsInWrapper(wrapper, offered) ?? [wrapper])
        if (message.onlyOne) message.waiting.push({ call, from: dialect, written: whole });
        else teller.tell(call, dialect, whole);
    },
    onlyOne: (refusal) => {
      message.onlyOne = refusal;
      message.text.apart();
    },
    notice: (code, detail) => message.emit({ type: "notice", code, detail }),
    say: (text) => say(message, text),
    think: (text) => think(message, text),
    asText: () => sayBlock(message),
    isLast: () => endsHere(message),
    doubt: teller.doubt,
    waiting: () => teller.held,
    toUser: (told) => {
      message.toUser = { ...told, from: dialect.name };
    },
    over: () => {
      message.isOver = true;
    },
  };
}

function finish(message: MessageState, reason: EndReason): void {
  const { teller } = message;
  endThought(message);
  teller.release();
  for (const { call, from, written } of message.waiting) teller.tell(call, from, written);
  const isEmpty = teller.count === 0 && !message.hasText;
  if (isEmpty && message.hadCallInThought && reason !== "length") {
    teller.tell(
      { name: namelessCall, input: {}, rawArguments: "", ...inReasoning },
      { name: message.known ?? "text" },
      "",
    );
  }
  if (teller.count === 0) message.text.rest().forEach(message.emit);
}

/** What a call that was made in reasoning is told. */
export const inReasoning = {
  problem:
    "The call stood inside your reasoning, so it was not run. Write it again after the end of your reasoning.",
  fault: "call_in_reasoning",
} as const satisfies Pick<ReadCall, "problem" | "fault">;

/** The answer failed: emit withheld text; unfinished calls never run. */
function flush(message: MessageState): void {
  const { input } = message;
  if (!message.isBlock) input.takeGiven();
  const rest = message.held.join("") + (message.isBlock ? "" : input.takeAll());
  if (message.thinks) think(message, rest);
  else say(message, rest);
  endThought(message);
  message.isOver = true;
}
