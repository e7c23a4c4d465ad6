/** What awaits a person's answer: approvals, questions of the model, limits. */

import type { Entry, FactOf, Signal, Stamp } from "../protocol/facts.ts";
import { pendingApprovals, pendingQuestions, type SessionState } from "../protocol/session-state.ts";

export type OpenQuestion = FactOf<"approval-asked"> | FactOf<"question-asked"> | FactOf<"limit-asked">;

/** As the log has it. */
export type PersonQuestion = OpenQuestion & Stamp;

export const isAsked = <Event extends { type: string }>(event: Event): event is Event & OpenQuestion =>
  event.type === "approval-asked" || event.type === "question-asked" || event.type === "limit-asked";

/** All unanswered questions, in the order in which to ask them. */
export const openQuestions = (state: SessionState): OpenQuestion[] => [
  ...pendingApprovals(state),
  ...pendingQuestions(state),
  ...(state.limitAsked ? [state.limitAsked] : []),
];

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
