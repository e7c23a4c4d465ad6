/** What a call types was judged for the program that read it then: whether that still holds. */

import { isDeepStrictEqual } from "node:util";
import type { CallJob } from "./step.ts";
import { judgeCall } from "./understand.ts";

/** Judges typed text again, for the program that reads it now. */
export async function asOfNow(job: CallJob): Promise<CallJob> {
  if (!job.typed) return job;
  const { typed: _, judgement: __, ...rest } = job;
  return { ...rest, ...(await judgeCall(job.prepared, job.step.context)) };
}

/** Whether the program for which the text was judged has been replaced, or has ended. */
export async function isTypedElsewhere({ prepared, typed, step }: CallJob): Promise<boolean> {
  if (typed === undefined) return false;
  const { typedBy } = await import("./judging.ts");
  return !isDeepStrictEqual(typed, typedBy(prepared, step.context));
}

export const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";
