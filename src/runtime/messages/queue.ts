/** Messages queued behind a running turn. */

import { randomUUID } from "node:crypto";
import type { Delivery, Fact, FactOf } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { saidTo, type SessionState, takenMessage } from "../../protocol/session-state.ts";

/** What is sent; `id` and `by` as in its command. */
export type SentMessage = { content: ContentPart[]; id?: string | undefined; by?: string | undefined };

/** `facts`: what hooks added to the message, queued along with it. */
export function queuedMessage(
  { content, when, id, by }: SentMessage & { when: Delivery },
  facts: readonly Fact[] = [],
): FactOf<"message-queued"> {
  const said = facts.flatMap((fact) => {
    if (fact.type !== "context-added") return [];
    const { type: _, ...words } = fact;
    return [words];
  });
  const message = { type: "message-queued" as const, id: id ?? randomUUID(), content, when, by };
  return said.length === 0 ? message : { ...message, said };
}

/** A message ready for the log, from the queue or just sent. */
type ReadyMessage = Omit<FactOf<"user-message">, "type">;

/** All queued messages in order, then the new one, each with the facts that belong to it. */
export const takeQueue = (
  { queue }: SessionState,
  sent: SentMessage | undefined,
): { message: ReadyMessage; said: Fact[] }[] => [
  ...queue.map((one) => ({ message: takenMessage(one), said: saidTo(one) })),
  ...(sent ? [{ message: sent, said: [] }] : []),
];
