/** Calls whose way of writing failed, not their content: another dialect may help. */

import type { Call } from "./messages.ts";

/** The name of a call that says none, or none that can be read. */
export const namelessCall = "unreadable_call";

/** A tool that does not exist, or arguments that do not fit it, were read well enough. */
export function isUnreadable({ problem, fault }: Pick<Call, "problem" | "fault">): boolean {
  return problem !== undefined && fault !== undefined && faults.includes(fault);
}

const faults: readonly string[] = [
  "malformed_arguments",
  "malformed_envelope",
  "call_in_reasoning",
  "truncated",
];
