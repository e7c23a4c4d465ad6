/** Tracks the unanswered questions of a turn. */

import type { Entry, Signal } from "../protocol/facts.ts";

export type PersonQuestion = Extract<Entry, { type: "approval-asked" | "question-asked" | "limit-asked" }>;

/** Keyed by `askedId`. */
export type Pending = Map<string, PersonQuestion>;

/** At most one limit question is open at a time. */
export const askedId = (asked: PersonQuestion): string =>
  asked.type === "limit-asked" ? "limit" : asked.callId;

/**
 * Updates `pending` in place for one event. `answered`: the numbers of questions that have an answer already, although
 * its fact may not have been heard yet.
 */
export function notePending(
  pending: Pending,
  event: Entry | Signal,
  answered: ReadonlySet<number> = new Set(),
): void {
  switch (event.type) {
    case "approval-asked":
    case "question-asked":
    case "limit-asked":
      if (!answered.has(event.seq)) pending.set(askedId(event), event);
      return;
    case "approval-answered":
    case "question-answered":
    case "result":
      pending.delete(event.callId);
      return;
    case "limit-answered":
      pending.delete("limit");
      return;
    case "turn-end":
      pending.clear();
      return;
    default:
  }
}
