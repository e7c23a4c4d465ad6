/** Recognises calls that failed by their syntax, not their content: another dialect may help. */

import type { ToolCall } from "./messages.ts";

/** The name given to a call without a name, or without a readable one. */
export const namelessCall = "unreadable_call";

/** An unknown tool, or arguments that do not fit the schema, do not count: the call itself could be read. */
export function isUnreadable({ problem, fault }: Pick<ToolCall, "problem" | "fault">): boolean {
  return problem !== undefined && fault !== undefined && faults.includes(fault);
}

const faults: readonly string[] = [
  "malformed_arguments",
  "malformed_envelope",
  "call_in_reasoning",
  "truncated",
];
