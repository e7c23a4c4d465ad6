/**
 * The state of the chat projection: what it needs to know of a session to produce the next frames, and to repeat them
 * to a reconnecting client.
 */

import type { Entry, Mode } from "../../protocol/facts.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { noUsage } from "../../protocol/session-state.ts";
import type { ChatFrame, FrameOf } from "./frames.ts";
import { emptyText, type TurnText } from "./turn-text.ts";

export type QuestionFrame =
  | FrameOf<"tool.approval.request">
  | FrameOf<"question.request">
  | FrameOf<"limit.request">;

/** `executes`: the call's result is shell output. */
type ChatCall = { frame: FrameOf<"tool.call">; executes: boolean };

/** Never changed in place. */
export type ChatState = {
  sessionId: string;
  workspace: string;
  title?: string;
  mode?: Mode;
  model?: string;
  /** The number of the last fact. */
  seq: number;
  /** The number of the open or last turn; 0 before the first. */
  turn: number;
  /** The turn has not ended. */
  isOpen: boolean;
  /** The client has received the stream's start, but not its end. */
  streaming: boolean;
  /** The turn's message. */
  text: TurnText;
  /** The part of it that the client has. */
  shown: string;
  /** The client has all of it. */
  isEven: boolean;
  /** The block of reasoning that is streaming. */
  thought?: { block: number; text: string };
  /** Calls without a result, by their ids. */
  calls: ReadonlyMap<string, ChatCall>;
  /** Unanswered questions by call id; for a limit, by `limitKey`. */
  asked: ReadonlyMap<string, QuestionFrame>;
  queue: readonly FrameOf<"chat.queued">[];
  todos?: FrameOf<"todo.update">;
  /** Usage of the turn. */
  usage: Usage;
  cost: number;
};

/** Not a valid call id, so it cannot collide with one. */
export const limitKey = "";

export const emptyChat = (sessionId: string): ChatState => ({
  sessionId,
  workspace: "",
  seq: 0,
  turn: 0,
  isOpen: false,
  streaming: false,
  text: emptyText(),
  shown: "",
  isEven: true,
  calls: new Map(),
  asked: new Map(),
  queue: [],
  usage: noUsage(),
  cost: 0,
});

export type Projection = { state: ChatState; frames: ChatFrame[] };

export type TurnReference = { sessionId: string; turn: number; seq?: number };

export const aboutEntry = ({ sessionId }: ChatState, { turn, seq }: Entry): TurnReference => ({
  sessionId,
  turn,
  seq,
});
export const aboutSignal = ({ sessionId, turn }: ChatState): TurnReference => ({ sessionId, turn });

export function withKey<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map([...map, [key, value]]);
}

export function withoutKey<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return map.has(key) ? new Map([...map].filter(([each]) => each !== key)) : map;
}
