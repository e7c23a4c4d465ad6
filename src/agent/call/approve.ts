/** The third station of a call: whoever had to be asked has agreed. */

import { nobody } from "../../protocol/fact-words.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { failedResult } from "../../tools/tool.ts";
import { answerWithin } from "../approvals.ts";
import type { DecidedCall } from "./decide.ts";
import { conclude, record, refusedCall } from "./recording.ts";
import { whyNotStarted } from "./starting.ts";

/** `answer`: who agreed, and for how long; undefined if nobody had to be asked. */
export type ApprovedCall = DecidedCall & { answer: FactOf<"approval-answered"> | undefined };

/** Undefined: the call has its result, or waits for a person in a later step. */
export async function approve(decided: DecidedCall): Promise<ApprovedCall | undefined> {
  const { job, asks } = decided;
  const { call, step } = job;
  const answer = asks ? await answerWithin(step, call.id) : undefined;
  if (answer?.answer === "deny") {
    await record(step.context, call.id, "denied", failedResult(refusal(answer)));
    return undefined;
  }
  const never = whyNotStarted(job);
  if (never !== undefined) {
    await conclude(job, refusedCall("cancelled", `Not started: ${never}`));
    return undefined;
  }
  // A command that a person substituted gets its own place in the queue, in the next step.
  if (asks && (!answer || answer.command !== undefined)) {
    step.turnstile.close();
    return undefined;
  }
  return { ...decided, answer };
}

function refusal(answer: FactOf<"approval-answered">): string {
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  const who = answer.by === nobody ? "Nobody answered in time, which counts as a no." : "The user said no.";
  return `${who}${note} Nothing was done; do not try the same again.`;
}
