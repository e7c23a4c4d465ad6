/** Collects everything that awaits a person's answer: approvals, questions of the model, limits. */

import type { FactOf } from "../../protocol/facts.ts";
import { pendingApprovals, pendingQuestions, type SessionState } from "../../protocol/session-state.ts";

export type OpenQuestion = FactOf<"approval-asked"> | FactOf<"question-asked"> | FactOf<"limit-asked">;

export const isAsked = (event: { type: string }): event is OpenQuestion =>
  event.type === "approval-asked" || event.type === "question-asked" || event.type === "limit-asked";

/** All unanswered questions, in the order in which to ask them. */
export const openQuestions = (state: SessionState): OpenQuestion[] => [
  ...pendingApprovals(state),
  ...pendingQuestions(state),
  ...(state.limitAsked ? [state.limitAsked] : []),
];
