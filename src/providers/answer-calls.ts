/** How the calls of one answer could be read: what is counted of a dialect, in sessions and when it is measured. */

import type { CallCounts } from "../protocol/dialect-record.ts";
import type { Call } from "../protocol/messages.ts";
import type { EndReason } from "../protocol/model-events.ts";
import { isUnreadable } from "../protocol/unreadable.ts";

/** What a length limit cut off says nothing of the dialect. */
export function countCalls(calls: readonly Call[], reason: EndReason): CallCounts {
  const read = calls.filter(({ problem }) => problem === undefined);
  const unreadable = calls.filter(
    (call) => isUnreadable(call) && !(call.fault === "truncated" && reason === "length"),
  );
  const mended = read.filter(({ repairs = [] }) => repairs.length > 0);
  return { calls: read.length, repairs: mended.length, refusals: unreadable.length };
}
