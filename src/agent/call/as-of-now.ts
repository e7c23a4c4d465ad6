/** A command line was judged for the programs that were there then: whether that still holds when its turn comes. */

import { isDeepStrictEqual } from "node:util";
import type { SandboxRecord } from "../../protocol/facts.ts";
import type { CallJob } from "./step.ts";
import { judgeCall } from "./understand.ts";

/** Judges a command line or a typed text again, for the programs that are there now. */
export async function asOfNow(job: CallJob): Promise<CallJob> {
  if (!job.typed && !job.judgement) return job;
  const { typed: _, judgement: __, named: ___, ...rest } = job;
  return { ...rest, ...(await judgeCall(job.prepared, job.step.context)) };
}

/** Whether the program for which the text was judged has been replaced, or has ended. */
export async function isTypedElsewhere({ prepared, typed, step }: CallJob): Promise<boolean> {
  if (typed === undefined) return false;
  const { typedBy } = await import("./judging.ts");
  return !isDeepStrictEqual(typed, typedBy(prepared, step.context));
}

/**
 * Whether what runs without a question, and with more than the sandbox holds, would be judged otherwise by now: a call
 * ahead of it may have put a program in the place of one of its own.
 */
export async function runsOtherwise({
  job,
  answer,
  sandbox,
}: {
  job: CallJob;
  /** A person's. */
  answer?: unknown;
  sandbox: SandboxRecord | undefined;
}): Promise<boolean> {
  const isHeld = sandbox?.isOn === true && sandbox.profile !== "open" && !sandbox.outside?.length;
  if (answer || isHeld || job.typed || !job.judgement) return false;
  return !isDeepStrictEqual((await asOfNow(job)).judgement, job.judgement);
}

export const changingProgram =
  "It was not run: what its words would run changes again and again while it waits for its turn.";

export const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";
