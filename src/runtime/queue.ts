/** Messages that wait for a turn that runs. */
import { randomUUID } from "node:crypto";
import type { Delivery, FactOf } from "../protocol/facts.ts";
import type { Part } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";

export const queued = (content: Part[], when: Delivery, id?: string): FactOf<"message-queued"> => ({
  type: "message-queued",
  id: id ?? randomUUID(),
  content,
  when,
});

/** A message as it is told: from the queue, or just said. */
type Told = Pick<FactOf<"user-message">, "content" | "queued" | "id">;

/** Everything that waits, in order, and then what was said now. */
export const takeQueue = ({ queue }: SessionState, content: Part[], id?: string): Told[] => [
  ...queue.map((message) => ({ content: message.content, queued: message.id })),
  ...(content.length === 0 ? [] : [id === undefined ? { content } : { content, id }]),
];
