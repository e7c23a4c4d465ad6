/** Counts how many calls of an answer could be read, for statistics about dialects in sessions and measurements. */

import type { CallCounts } from "../protocol/dialect-record.ts";
import type { ToolCall } from "../protocol/messages.ts";
import type { EndReason } from "../protocol/model-events.ts";
import { isUnreadable } from "../protocol/unreadable.ts";

/** A call cut off by the length limit is not counted: it says nothing about the dialect. */
export function countCalls(calls: readonly ToolCall[], reason: EndReason): CallCounts {
  const read = calls.filter(({ problem }) => problem === undefined);
  const unreadable = calls.filter(
    (call) => isUnreadable(call) && !(call.fault === "truncated" && reason === "length"),
  );
  const mended = read.filter(({ repairs = [] }) => repairs.length > 0);
  return { calls: read.length, repairs: mended.length, refusals: unreadable.length };
}
