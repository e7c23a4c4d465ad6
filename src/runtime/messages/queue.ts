/** Messages queued behind a running turn. */

import { randomUUID } from "node:crypto";
import type { Delivery, Fact, FactOf } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { saidTo, type SessionState } from "../../protocol/session-state.ts";

/** `facts`: what hooks added to the message, queued along with it. */
export function queuedMessage(
  { content, when, id }: { content: ContentPart[]; when: Delivery; id?: string | undefined },
  facts: readonly Fact[] = [],
): FactOf<"message-queued"> {
  const said = facts.flatMap((fact) => {
    if (fact.type !== "context-added") return [];
    const { type: _, ...words } = fact;
    return [words];
  });
  const message = { type: "message-queued" as const, id: id ?? randomUUID(), content, when };
  return said.length === 0 ? message : { ...message, said };
}

/** A message ready for the log, from the queue or just sent. */
type ReadyMessage = Pick<FactOf<"user-message">, "content" | "queued" | "id">;

/** All queued messages in order, then the new one, each with the facts that belong to it. */
export const takeQueue = (
  { queue }: SessionState,
  content: ContentPart[],
  id?: string,
): { message: ReadyMessage; said: Fact[] }[] => [
  ...queue.map((one) => ({ message: { content: one.content, queued: one.id }, said: saidTo(one) })),
  ...(content.length === 0 ? [] : [{ message: id === undefined ? { content } : { content, id }, said: [] }]),
];
