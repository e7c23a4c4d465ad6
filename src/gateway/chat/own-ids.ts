/** Maps clients' own message ids, so that each outcome carries them, up to the turn that takes the message. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import { remoteBounds } from "../../remote/bounds.ts";
import type { ChatFrame } from "./frames.ts";

/** Keyed by the id under which the message was sent. Changed in place. */
export type OwnIds = Map<string, string>;

const most = remoteBounds.commands.most;

/** Call this before the message is sent. The oldest ids are dropped. */
export function noteOwnId(ids: OwnIds, id: string, requestId: string): void {
  ids.set(id, requestId);
  for (const oldest of [...ids.keys()].slice(0, -most)) ids.delete(oldest);
}

export function withOwnId(ids: OwnIds, event: Entry | Signal, frames: ChatFrame[]): ChatFrame[] {
  const id = sentAs(event);
  const requestId = id === undefined ? undefined : ids.get(id);
  if (id === undefined || requestId === undefined) return frames;
  if (event.type !== "message-queued") ids.delete(id);
  return frames.map((frame) => (isNamed(frame) ? { ...frame, requestId } : frame));
}

function sentAs(event: Entry | Signal): string | undefined {
  switch (event.type) {
    case "message-queued":
    case "message-withdrawn":
      return event.id;
    case "user-message":
    case "steer":
      return event.queued ?? event.id;
    default:
      return undefined;
  }
}

const isNamed = (
  frame: ChatFrame,
): frame is ChatFrame & { type: "chat.message" | "chat.queued" | "chat.stream.start" } =>
  frame.type === "chat.message" || frame.type === "chat.queued" || frame.type === "chat.stream.start";
