/** The chat protocol as a pure projection: turns each fact or signal of a session into frames. */

import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import { addUsage } from "../../protocol/fold-answer.ts";
import { noUsage } from "../../protocol/session-state.ts";
import { contentOf } from "../../view/message-blocks.ts";
import {
  approvalAnswered,
  approvalAsked,
  callFrames,
  limitAnswered,
  limitAsked,
  questionAnswered,
  questionAsked,
  resultFrames,
  markCallStart,
} from "./calls.ts";
import type { ChatEntry } from "./calls.ts";
import type { ChatFrame, FrameOf } from "./frames.ts";
import { type TurnReference, aboutEntry, aboutSignal, type ChatState, type Projection } from "./state.ts";
import { openStream, saying, textSignal, thoughtSignal, turnEnd } from "./stream.ts";
import { emptyText } from "./turn-text.ts";

/** Signals may be missing, late or repeated; facts arrive once each and in order. The given state is not changed. */
export function projectChat(state: ChatState, event: Entry | Signal): Projection {
  if (!("seq" in event)) return projectSignal(state, event);
  const about = aboutEntry(state, event);
  const start = isWork(event) ? openStream(state, about) : { state, frames: [] };
  const { state: next, frames } = projectEntry(start.state, event);
  return { state: { ...next, seq: event.seq }, frames: [...start.frames, ...frames] };
}

function projectSignal(state: ChatState, signal: Signal): Projection {
  if (!state.isOpen || ("text" in signal && signal.text === "")) return { state, frames: [] };
  switch (signal.type) {
    case "text-delta":
    case "reasoning-delta": {
      const start = openStream(state, aboutSignal(state));
      const { state: next, frames } =
        signal.type === "text-delta" ? textSignal(start.state, signal) : thoughtSignal(start.state, signal);
      return start.frames.length === 0
        ? { state: next, frames }
        : { state: next, frames: [...start.frames, ...frames] };
    }
    case "retrying": {
      const { because, waitMs, attempt } = signal;
      const about = aboutSignal(state);
      return { state, frames: [{ type: "chat.stream.retrying", ...about, because, waitMs, attempt }] };
    }
    case "call-delta":
    case "output-delta":
    case "compacting":
      return { state, frames: [] };
    default:
      return signal satisfies never;
  }
}

/** Facts which show that a program is working on the turn. */
function isWork({ type }: Entry): boolean {
  switch (type) {
    case "turn-resumed":
    case "text":
    case "reasoning":
    case "call":
    case "answer-end":
    case "approval-asked":
    case "question-asked":
    case "limit-asked":
    case "call-start":
    case "result":
    case "turn-end":
      return true;
    default:
      return false;
  }
}

function projectEntry(state: ChatState, entry: Entry): Projection {
  switch (entry.type) {
    case "text":
    case "reasoning":
      return saying(state, entry);
    case "call":
      return callFrames(state, entry);
    case "answer-end":
      return answerEnd(state, entry);
    case "call-start":
      return markCallStart(state, entry);
    case "result":
      return resultFrames(state, entry);
    case "approval-asked":
      return approvalAsked(state, entry);
    case "approval-answered":
      return approvalAnswered(state, entry);
    case "question-asked":
      return questionAsked(state, entry);
    case "question-answered":
      return questionAnswered(state, entry);
    case "limit-asked":
      return limitAsked(state, entry);
    case "limit-answered":
      return limitAnswered(state, entry);
    case "turn-end":
      return turnEnd(state, entry);
    case "user-message":
    case "steer":
    case "message-queued":
    case "message-withdrawn":
      return ofPeople(state, entry);
    default:
      return aboutSession(state, entry);
  }
}

type OtherEntryType = Exclude<
  Entry["type"],
  | "text"
  | "reasoning"
  | "call"
  | "answer-end"
  | "call-start"
  | "result"
  | "approval-asked"
  | "approval-answered"
  | "question-asked"
  | "question-answered"
  | "limit-asked"
  | "limit-answered"
  | "turn-end"
  | "user-message"
  | "steer"
  | "message-queued"
  | "message-withdrawn"
>;

function aboutSession(state: ChatState, entry: ChatEntry<OtherEntryType>): Projection {
  const about = aboutEntry(state, entry);
  const telling = (frame: ChatFrame): Projection => ({ state, frames: [frame] });
  switch (entry.type) {
    case "session-start":
      return { state: { ...state, workspace: entry.workspace }, frames: [] };
    case "session-renamed":
      return { state: { ...state, title: entry.title }, frames: [] };
    case "turn-start":
      return { state: { ...state, model: entry.model, mode: entry.mode }, frames: [] };
    case "mode-set":
      return { state: { ...state, mode: entry.mode }, frames: [] };
    case "model-set":
      return { state: { ...state, model: entry.model }, frames: [] };
    case "failure-detected": {
      const { pattern, count, text, callId } = entry;
      const call = callId === undefined ? {} : { callId };
      return telling({ type: "failure.detected", ...about, pattern, count, message: text, ...call });
    }
    case "todos-set": {
      const todos = { type: "todo.update", ...about, items: entry.items } as const;
      return { state: { ...state, todos }, frames: [todos] };
    }
    case "warning":
      return telling({ type: "warning", ...about, code: entry.code, message: entry.text });
    default:
      return { state, frames: [] };
  }
}

type OfPeople = ChatEntry<"user-message" | "steer" | "message-queued" | "message-withdrawn">;

function ofPeople(state: ChatState, entry: OfPeople): Projection {
  const about = aboutEntry(state, entry);
  switch (entry.type) {
    case "message-queued": {
      const { id, when, content } = entry;
      const frame = { type: "chat.queued", ...about, id, ...contentOf(content), when } as const;
      return { state: { ...state, queue: [...state.queue, frame] }, frames: [frame] };
    }
    case "message-withdrawn":
      return {
        state: withoutQueued(state, entry.id),
        frames: [{ type: "chat.withdrawn", ...about, id: entry.id }],
      };
    case "steer":
    case "user-message": {
      const next = withoutQueued(state, entry.queued);
      const frame = messageFrame(entry, about, state.isOpen ? "steer" : "request");
      return state.isOpen ? { state: next, frames: [frame] } : beginTurn(next, about, frame);
    }
    default:
      return entry satisfies never;
  }
}

function messageFrame(
  { content, queued }: FactOf<"user-message"> | FactOf<"steer">,
  about: TurnReference,
  how: "request" | "steer",
): FrameOf<"chat.message"> {
  const waited = queued === undefined ? {} : { queuedId: queued };
  return { type: "chat.message", ...about, ...contentOf(content), how, ...waited };
}

const withoutQueued = (state: ChatState, id: string | undefined): ChatState =>
  id === undefined ? state : { ...state, queue: state.queue.filter((waiting) => waiting.id !== id) };

function beginTurn(state: ChatState, about: TurnReference, message: ChatFrame): Projection {
  const { thought: _, ...rest } = state;
  return {
    state: {
      ...rest,
      turn: about.turn,
      isOpen: true,
      streaming: true,
      text: emptyText(state.text.closed),
      shown: "",
      isEven: true,
      calls: new Map(),
      asked: new Map(),
      usage: noUsage(),
      cost: 0,
    },
    frames: [message, { type: "chat.stream.start", ...about }],
  };
}

function answerEnd(state: ChatState, entry: ChatEntry<"answer-end">): Projection {
  const { state: next, frames } = saying(state, entry);
  const { usage, cost, model } = entry;
  if (!usage) return { state: next, frames };
  const turnUsage = { ...next.usage };
  addUsage(turnUsage, usage);
  const turnCost = next.cost + (cost ?? 0);
  const paid = cost === undefined ? {} : { cost };
  const about = aboutEntry(state, entry);
  const report = { type: "usage.report", ...about, model, usage, ...paid, turnUsage, turnCost } as const;
  return { state: { ...next, usage: turnUsage, cost: turnCost }, frames: [...frames, report] };
}
