/** Messages that wait for a turn that runs. */
import { randomUUID } from "node:crypto";
import type { Delivery, FactOf } from "../protocol/facts.ts";
import type { Part } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";

export const queued = (content: Part[], when: Delivery): FactOf<"message-queued"> => ({
  type: "message-queued",
  id: randomUUID(),
  content,
  when,
});

/** Everything that waits, as one message. */
export const takeQueue = ({ queue }: SessionState): Part[] => queue.flatMap(({ content }) => content);
