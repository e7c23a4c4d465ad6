/** Plays a session's events to a chat protocol client, for tests. */

import type { Entry, Signal } from "../../../protocol/facts.ts";
import { step } from "../../../protocol/fold.ts";
import { conversation, emptyState } from "../../../protocol/session-state.ts";
import { catchUp } from "../catch-up.ts";
import { emptyHistory, remember } from "../history.ts";
import { projectChat } from "../project.ts";
import { type ChatState, emptyChat } from "../state.ts";
import { type ChatClient, chatClient, parseFrame, receive } from "./client.ts";

export type ChatEvent = Entry | Signal;

/** Plays the events to a client, each frame in its wire format. */
export function play(state: ChatState, client: ChatClient, events: readonly ChatEvent[]): ChatState {
  let now = state;
  for (const event of events) {
    const { state: next, frames } = projectChat(now, event);
    for (const frame of frames) receive(client, parseFrame(structuredClone(frame)));
    now = next;
  }
  return now;
}

/** Joins as a connection does that was opened after this many events. */
export function join(
  events: readonly ChatEvent[],
  at: number,
  isWorkedOn = true,
): { state: ChatState; client: ChatClient } {
  const [client, past] = [chatClient(), events.slice(0, at).filter((event) => "seq" in event)];
  let [state, history] = [emptyChat("s"), emptyHistory];
  for (const event of past) {
    const projected = projectChat(state, event);
    state = projected.state;
    for (const frame of projected.frames) history = remember(history, frame);
  }
  const first = catchUp(state, history, { title: "", isWorkedOn });
  for (const frame of first.frames) receive(client, parseFrame(structuredClone(frame)));
  return { state: first.state, client };
}

export const factsOf = (events: readonly ChatEvent[]): Entry[] =>
  events.flatMap((event) => ("seq" in event ? [event] : []));

/** The stored conversation, according to the fold. */
export const storedConversation = (events: readonly ChatEvent[]) =>
  conversation(factsOf(events).reduce(step, emptyState()));

export const plain = (messages: readonly { role: string; text: string }[]) =>
  messages.map(({ role, text }) => ({ role, text }));

/** Drops the marked signals; facts are never lost. */
export const without = (events: readonly ChatEvent[], lost: readonly boolean[]): ChatEvent[] =>
  events.filter((event, at) => "seq" in event || lost[at % lost.length] !== true);
