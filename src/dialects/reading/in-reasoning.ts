/** The error message for a call made in reasoning. */

import type { ReadCall } from "../dialect.ts";

export const inReasoning = {
  problem:
    "The call stood inside your reasoning, so it was not run. Write it again after the end of your reasoning.",
  fault: "call_in_reasoning",
} as const satisfies Pick<ReadCall, "problem" | "fault">;
