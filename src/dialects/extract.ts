/**
 * Finds the calls in what a model writes as text. Plain text passes at once; a call is only told when its end is
 * definite; whatever is cut off never runs (FORMATS 4.2–4.8). The result is the same however the text is cut.
 */
import type { EndReason, ModelEvent, Usage } from "../protocol/model-events.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import { callBlock, type CallBlock } from "./call-block.ts";
import type { Dialect } from "./dialect.ts";
import { outlet, type Outlet } from "./outlet.ts";
import { textMask } from "./scan.ts";

export type ExtractOptions = {
  tools: readonly ToolDescription[];
  /** Makes the ids of calls: unique within a conversation. */
  newId?: (() => string) | undefined;
};

/** Text of a model that writes calls as text, as events of a model that has native tools. */
export async function* extract(
  events: AsyncIterable<ModelEvent>,
  dialect: Dialect,
  { tools, newId }: ExtractOptions,
): AsyncGenerator<ModelEvent> {
  // Without tools on offer everything is text.
  if (tools.length === 0) {
    yield* events;
    return;
  }
  const extractor = createExtractor(dialect, newId);
  let usage: Usage | undefined;
  try {
    for await (const event of events) {
      if (event.type === "text-delta") yield* extractor.push(event.text);
      else if (event.type === "usage") usage = event.usage;
      else if (event.type === "answer-end") {
        yield* extractor.end(event.reason);
        if (usage) yield { type: "usage", usage };
        const plain = event.reason === "stop" || event.reason === "tool-calls";
        yield plain ? { ...event, reason: extractor.calls > 0 ? "tool-calls" : "stop" } : event;
      } else yield event;
    }
  } catch (error) {
    // The answer failed: what was held back is shown, what was not finished never runs.
    yield* extractor.flush();
    throw error;
  }
}

export interface Extractor {
  push(text: string): ModelEvent[];
  /** The answer ended: holds nothing back any more. */
  end(reason: EndReason): ModelEvent[];
  /** The answer failed: gives the text that was held back, and no call. */
  flush(): ModelEvent[];
  /** How many calls were told. */
  readonly calls: number;
  /** How many characters were looked at, some more than once: must grow with the text and no faster. */
  readonly looked: number;
}

/** Longest text after an opener that may be held until it is clear whether a call begins. */
const maxAhead = 160;
/** More calls than this in one answer are not honest. */
const maxCalls = 32;
const thinkOpener = "<think>";
const thinkCloser = "</think>";

export function createExtractor(dialect: Dialect, newId: () => string = randomId): Extractor {
  const state: State = {
    dialect,
    newId,
    mode: "text",
    pending: "",
    ended: undefined,
    mask: textMask(),
    text: outlet("text-delta"),
    reasoning: outlet("reasoning-delta"),
    recorded: undefined,
    block: undefined,
    out: [],
    calls: 0,
    looked: 0,
  };
  return {
    push(text) {
      state.pending += text;
      run(state);
      return taken(state);
    },
    end(reason) {
      state.ended = reason;
      run(state);
      finish(state, reason);
      return taken(state);
    },
    flush() {
      if (state.mode === "text") state.out.push(...state.text.put(state.pending));
      if (state.mode === "reasoning")
        state.out.push(...state.reasoning.put((state.recorded ?? "") + state.pending));
      state.mode = "over";
      return taken(state);
    },
    get calls() {
      return state.calls;
    },
    get looked() {
      return state.looked;
    },
  };
}

type State = {
  readonly dialect: Dialect;
  readonly newId: () => string;
  mode: "text" | "reasoning" | "call" | "over";
  /** What came and was not consumed: the last chunk, or a beginning that may still become a marker. */
  pending: string;
  ended: EndReason | undefined;
  mask: ReturnType<typeof textMask>;
  text: Outlet;
  reasoning: Outlet;
  /** Inside a thought: everything from the first opener on, which is only a call if the thought never closes. */
  recorded: string | undefined;
  block: CallBlock | undefined;
  out: ModelEvent[];
  calls: number;
  looked: number;
};

/** Each step consumes a part of `pending` and returns false when it needs more text. */
function run(state: State): void {
  for (let more = state.pending !== ""; more;) {
    if (state.mode === "text") more = stepText(state);
    else if (state.mode === "reasoning") more = stepReasoning(state);
    else if (state.mode === "call") more = stepCall(state);
    else {
      state.pending = "";
      more = false;
    }
  }
}

function taken(state: State): ModelEvent[] {
  const { out } = state;
  state.out = [];
  return out;
}

function stepText(state: State): boolean {
  const { pending, mask, dialect } = state;
  for (let at = 0; at < pending.length; at += 1) {
    const code = pending.charCodeAt(at);
    state.looked += 1;
    if (code === 60 && !mask.masked()) {
      const marker = markerAt(state, at, [dialect.opener, thinkOpener, thinkCloser, ...dialect.endings]);
      if (marker === "more") return hold(state, at);
      if (marker !== undefined && marker !== thinkOpener) return enter(state, at, marker);
      if (marker === thinkOpener && mask.atLineStart()) return enter(state, at, marker);
    }
    mask.step(code);
  }
  state.out.push(...state.text.put(pending));
  state.pending = "";
  return false;
}

/** The marker that stands at a place; "more" when what is there may still become one. */
function markerAt(state: State, at: number, markers: readonly string[]): string | undefined {
  const { pending, dialect } = state;
  const final = state.ended !== undefined;
  for (const marker of markers) {
    const here = pending.slice(at, at + marker.length);
    if (here.length < marker.length && !final && marker.startsWith(here)) return "more";
    if (here !== marker) continue;
    if (marker !== dialect.opener) return marker;
    const ahead = pending.slice(at + marker.length, at + marker.length + maxAhead);
    state.looked += ahead.length;
    const verdict = dialect.begins(ahead);
    if (verdict === "call") return marker;
    if (verdict === "more" && ahead.length < maxAhead && !final) return "more";
  }
  return undefined;
}

function hold(state: State, at: number): false {
  state.out.push(...state.text.put(state.pending.slice(0, at)));
  state.pending = state.pending.slice(at);
  return false;
}

function enter(state: State, at: number, marker: string): boolean {
  const { dialect } = state;
  hold(state, at);
  state.pending = state.pending.slice(marker.length);
  if (marker === thinkCloser) return state.pending !== "";
  state.text.cut();
  if (marker === dialect.opener) {
    state.mode = "call";
    state.block = callBlock(dialect, state.newId);
  } else if (marker === thinkOpener) {
    state.mode = "reasoning";
    state.reasoning = outlet("reasoning-delta");
    state.reasoning.cut();
  } else state.mode = "over";
  return true;
}

function stepReasoning(state: State): boolean {
  const { pending, dialect } = state;
  for (let at = pending.indexOf("<"); at !== -1; at = pending.indexOf("<", at + 1)) {
    const opener = state.recorded === undefined ? [dialect.opener] : [];
    const marker = markerAt(state, at, [thinkCloser, ...opener]);
    if (marker === undefined) continue;
    think(state, at);
    if (marker === "more") return false;
    if (marker === thinkCloser) closeThought(state);
    else state.recorded = "";
    if (marker === thinkCloser) return true;
    // The opener itself belongs to the record: consume it here, so that it is not found again.
    think(state, marker.length);
    return state.pending !== "";
  }
  think(state, pending.length);
  return false;
}

/** Consumes so many characters of a thought. */
function think(state: State, length: number): void {
  const text = state.pending.slice(0, length);
  state.pending = state.pending.slice(length);
  state.looked += length;
  if (state.recorded === undefined) state.out.push(...state.reasoning.put(text));
  else state.recorded += text;
}

function closeThought(state: State): void {
  state.out.push(...state.reasoning.put(state.recorded ?? ""), { type: "reasoning-end" });
  state.pending = state.pending.slice(thinkCloser.length);
  state.recorded = undefined;
  state.mode = "text";
}

function stepCall(state: State): boolean {
  const { block } = state;
  if (!block) return false;
  const took = block.take(state.pending, state.ended !== undefined);
  state.looked += took.looked;
  state.pending = state.pending.slice(took.length);
  tell(state, took.events);
  if (took.next === "more") return false;
  state.block = undefined;
  if (state.mode === "over") return true;
  state.mode = took.next;
  state.text.cut();
  return true;
}

function tell(state: State, events: readonly ModelEvent[]): void {
  for (const event of events) {
    if (event.type === "call-end") state.calls += 1;
    state.out.push(event);
  }
  if (state.calls >= maxCalls) state.mode = "over";
}

function finish(state: State, reason: EndReason): void {
  if (state.mode === "call" && state.block) {
    const { events, rest } = state.block.end(reason === "length");
    tell(state, events);
    state.text.cut();
    state.out.push(...state.text.put(rest));
  } else if (state.mode === "reasoning") {
    const { recorded } = state;
    // A thought that was never closed but holds a call: the model forgot the end of the thought, not the call.
    const isAnswer = recorded !== undefined && reason !== "length";
    if (recorded !== undefined && !isAnswer) state.out.push(...state.reasoning.put(recorded));
    state.out.push({ type: "reasoning-end" });
    state.mode = "text";
    state.recorded = undefined;
    if (!isAnswer) return;
    state.pending = recorded;
    state.mask = textMask();
    run(state);
    finish(state, reason);
    return;
  }
  if (state.calls === 0) state.out.push(...state.text.rest());
}

const randomId = (): string =>
  "call_" +
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join(
    "",
  );
