/** When a call may start, as far as that depends on the answer that contains it. */

import { doesOf, isStaged } from "./recording.ts";
import type { CallJob } from "./step.ts";

/**
 * A call read from text may turn out to be an example: until its answer is complete it changes nothing, sends nothing
 * and asks nobody; if the answer was cut off, it never does.
 */
export const startsEarly = (job: CallJob): boolean =>
  job.call.source === "native" ||
  (doesOf(job) === "read" && job.prepared.asks === undefined && job.prepared.hosts === undefined);

export function whyNotStarted(job: CallJob): string | undefined {
  const { outcome } = job.step;
  if (outcome === "broken") return "the answer that asked for it broke off. Try again if it is still needed.";
  if (outcome === "cut" && !startsEarly(job))
    return "the answer that asked for it was cut off at its end. Send the call again, in smaller parts if it is long.";
  return undefined;
}

/**
 * Whether the call was written after a plan that was not yet approved. Approving the plan does not approve the call, as
 * the plan may have been edited.
 */
export function isBehindPlan(job: CallJob): boolean {
  const { calls, draft } = job.step.context.log.state;
  if (doesOf(job) === "read" || job.judgement?.onlyReads === true) return false;
  const ahead = draft.callIds.slice(0, Math.max(0, draft.callIds.indexOf(job.call.id)));
  return ahead.some((id) => calls.get(id)?.question?.steps !== undefined);
}

export const writtenTooEarly =
  "Nothing was done: this was written together with the plan, before anybody could approve that. Once the plan is approved, go by it.";

/** Whether the call may change workspace files. */
export const mayChange = (job: CallJob): boolean =>
  doesOf(job) !== "read" && !isStaged(job) && job.judgement?.onlyReads !== true;
