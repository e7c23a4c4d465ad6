/** Streams a turn: its start, its growing message, and its end, which is never silent: some text precedes it (E5). */

import { withAdvice } from "../../protocol/advice.ts";
import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import type { ChatFrame, FrameOf } from "./frames.ts";
import { type TurnReference, aboutEntry, aboutSignal, type ChatState, type Projection } from "./state.ts";
import {
  growth,
  withDelta,
  isBlank,
  settledNow,
  withEntry,
  type TextEntry,
  type TurnText,
  wholeText,
} from "./turn-text.ts";

/** A turn that was resumed, or that began before the client joined, starts with its text so far. */
export function openStream(state: ChatState, about: TurnReference): Projection {
  if (state.streaming || !state.isOpen) return { state, frames: [] };
  const next = { ...state, streaming: true };
  return growMessage(next, state.text, {
    about,
    before: [{ type: "chat.stream.start", ...about, resumed: true }],
  });
}

/** Emits the change of the message. */
function growMessage(
  state: ChatState,
  text: TurnText,
  { about, before = [] }: { about: TurnReference; before?: ChatFrame[] },
): Projection {
  const whole = wholeText(text);
  const { cut, more } = growth(state.shown, whole, text.open !== undefined);
  const kept = cut === undefined ? state.shown : state.shown.slice(0, cut);
  const frames = [...before];
  if (cut !== undefined) frames.push({ type: "chat.stream.reset", ...about, length: cut });
  if (more !== "") frames.push({ type: "chat.stream.delta", ...about, delta: more, offset: kept.length });
  const shown = kept + more;
  return { state: { ...state, text, shown, isEven: shown.length === whole.length }, frames };
}

export function textSignal(state: ChatState, signal: Extract<Signal, { type: "text-delta" }>): Projection {
  const about = aboutSignal(state);
  const text = withDelta(state.text, signal);
  if (text === state.text) return { state, frames: [] };
  // The hot path: a chunk that simply continues the text needs no comparison.
  if (state.isEven && goesOn(state.text, signal)) {
    const frame = {
      type: "chat.stream.delta",
      ...about,
      delta: signal.text,
      offset: state.shown.length,
    } as const;
    return { state: { ...state, text, shown: state.shown + signal.text }, frames: [frame] };
  }
  return growMessage(state, text, { about });
}

const goesOn = ({ open }: TurnText, { block, offset }: { block: number; offset: number }): boolean =>
  open?.block === block && open.hasWords && offset === open.text.length;

/** Repeated reasoning text replaces the earlier text from its offset on. */
export function thoughtSignal(
  state: ChatState,
  { block, offset, text }: Extract<Signal, { type: "reasoning-delta" }>,
): Projection {
  const before = state.thought?.block === block ? state.thought.text : "";
  if (block <= state.text.closed || offset > before.length) return { state, frames: [] };
  const thought = { block, text: (offset === before.length ? before : before.slice(0, offset)) + text };
  const frame = { type: "chat.stream.reasoning", ...aboutSignal(state), delta: text, block, offset } as const;
  return { state: { ...state, thought }, frames: [frame] };
}

/** The fact of a block fills in what lost signals left out. */
export function saying(state: ChatState, entry: TextEntry): Projection {
  const about = aboutEntry(state, entry);
  const { thought, ...rest } = state;
  const before = entry.type === "reasoning" ? restOf(thought, entry, about) : [];
  return growMessage(rest, withEntry(state.text, entry), { about, before });
}

function restOf(
  thought: ChatState["thought"],
  { block, text }: FactOf<"reasoning">,
  about: TurnReference,
): FrameOf<"chat.stream.reasoning">[] {
  const known = thought?.block === block ? thought.text : "";
  if (text === known) return [];
  const offset = text.startsWith(known) ? known.length : 0;
  return [{ type: "chat.stream.reasoning", ...about, delta: text.slice(offset), block, offset }];
}

/** Used where the log has no text for the end of a turn (E6). */
const noWords =
  "This request ended without an answer. What was done is told with each tool; try again to go on.";
const lostWords = "This answer cannot be followed any further. Connect again to see what has become of it.";

export function turnEnd(state: ChatState, entry: FactOf<"turn-end"> & Entry): Projection {
  const about = aboutEntry(state, entry);
  const settled = settledNow(state.text);
  const { because, advice } = entry;
  const last = { ...settled, settled: settled.settled || (isBlank(entry.text) ? noWords : entry.text) };
  const { state: next, frames } = growMessage(state, last, { about });
  if (entry.stopped === "failed") {
    const message = withAdvice(because ?? "The request failed.", advice);
    frames.push({ type: "error", ...about, code: "turn-failed", message });
  }
  frames.push({
    type: "chat.stream.end",
    ...about,
    stopped: entry.stopped,
    because,
    advice,
    text: next.shown,
    changed: entry.changed,
    verified: entry.verified,
  });
  return { state: { ...closeStream(next), isOpen: false, calls: new Map(), asked: new Map() }, frames };
}

/** Ends the client's stream: the session can no longer be followed, or no program works on the turn. */
export function cutOff(state: ChatState, { code, message }: { code: string; message: string }): Projection {
  const about = aboutSignal(state);
  const error = { type: "error", ...about, code, message } as const;
  if (!state.streaming) return { state, frames: [error] };
  const isMute = isBlank(state.shown);
  const delta = {
    type: "chat.stream.delta",
    ...about,
    delta: lostWords,
    offset: state.shown.length,
  } as const;
  const text = isMute ? state.shown + lostWords : state.shown;
  const end = { type: "chat.stream.end", ...about, stopped: "lost", because: message, text } as const;
  return {
    state: closeStream(state),
    frames: [...(isMute ? [delta] : []), error, { ...end, changed: [], verified: [] }],
  };
}

/** Clears the `streaming` flag, however the stream ended. */
function closeStream(state: ChatState): ChatState {
  const { thought: _, ...rest } = state;
  return { ...rest, streaming: false, shown: "", isEven: false };
}
