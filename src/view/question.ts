/** Builds the question that a person is asked about a call, as any surface shows it. */

import { withoutUndefined } from "../base/without-undefined.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { QuestionBlock } from "./blocks.ts";
import { waitingIn } from "./waiting-changes.ts";

/** Drops the parts of the block that are not the question: the policy layers' verdicts and the answer. */
export function questionIn({
  callId,
  title,
  because,
  risk,
  preview,
  changes = [],
  command,
  culprit,
  place,
  grant,
  scopes,
  sandbox,
  repairs,
  held,
}: FactOf<"approval-asked">): Omit<QuestionBlock, "type" | "key"> {
  return {
    callId,
    title,
    because,
    risk,
    preview,
    ...(changes.length > 0 ? { isDiff: true } : {}),
    command,
    culprit,
    place,
    grant,
    scopes,
    sandbox,
    repairs,
    ...withoutUndefined({ waiting: waitingIn({ held, changes }) }),
  };
}
