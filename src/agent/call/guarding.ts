/** Lets extensions refuse or change a call, or refuse its changes, before a person is asked (C7). */

import { errorMessage } from "../../base/expected.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { Fact } from "../../protocol/facts.ts";
import { StaleEpoch, StoreError } from "../../session/store.ts";
import { failedResult, type ToolResult } from "../../tools/tool.ts";
import { type ChangePlan, planOf } from "./change.ts";
import { decisionOn, type SubjectDecision } from "./decision.ts";
import { aboutCall, conclude, isStaged, record, refusedCall } from "./recording.ts";
import type { CallJob } from "./step.ts";
import { understand } from "./understand.ts";

/** The job to continue with, perhaps with other arguments; undefined: the call is over and has its result. */
export async function guardCall(
  job: CallJob,
  deny: (job: CallJob, decided: SubjectDecision) => Promise<unknown>,
): Promise<CallJob | undefined> {
  const { call, step } = job;
  const { context } = step;
  const { extensions, log } = context;
  if (!extensions.guards?.(job.tool) || log.state.calls.get(call.id)?.hooked) return job;
  // Extensions are not consulted about a call that is denied anyway.
  const decided = await decisionOn(job, undefined, context);
  if (decided.verdict === "deny") {
    await deny(job, decided);
    return undefined;
  }
  const said = await extensions.beforeCall?.(aboutCall(job), context.signal);
  context.signal.throwIfAborted();
  if (said?.veto !== undefined) return refuse(job, said.veto, said.facts);
  if (said && said.facts.length > 0) await log.append(...said.facts);
  return said?.input ? understoodAnew(job) : job;
}

/** The new arguments are checked like the model's own, from the beginning. */
async function understoodAnew({ call, step }: CallJob): Promise<CallJob | undefined> {
  const understood = await understand(call, step.context);
  if (!("words" in understood)) return { ...understood, step };
  const words = `${understood.words}\n(A hook had changed the arguments.)`;
  await record(step.context, call.id, understood.outcome, failedResult(words));
  return undefined;
}

/** Extensions cannot change a command that a person wrote, but they may refuse it. False: the call is over. */
export async function guardEdited(job: CallJob): Promise<boolean> {
  const { context } = job.step;
  const { extensions } = context;
  if (!extensions.guards?.(job.tool)) return true;
  const said = await extensions.beforeCall?.(aboutCall(job), context.signal);
  context.signal.throwIfAborted();
  const facts = (said?.facts ?? []).map((fact) => {
    if (fact.type !== "hook-ran") return fact;
    const { input: _, ...ran } = fact;
    return ran;
  });
  if (said?.veto !== undefined) {
    await refuse(job, said.veto, facts);
    return false;
  }
  if (facts.length > 0) await context.log.append(...facts);
  return true;
}

/** Whether extensions allow the changes. False: the call is over. */
export async function guardChange(job: CallJob, { changes, described }: ChangePlan): Promise<boolean> {
  const { context } = job.step;
  if (isStaged(job) || !context.extensions.beforeChange) return true;
  const about = { callId: job.call.id, tool: job.tool.name, files: described, changes };
  const said = await context.extensions.beforeChange(about, context.signal);
  context.signal.throwIfAborted();
  if (said.veto !== undefined) {
    await refuse(job, said.veto, said.facts);
    return false;
  }
  if (said.facts.length > 0) await context.log.append(...said.facts);
  return true;
}

/** The same for files a command changed in an overlay; another program may be changing one of them at this moment. */
export async function guardCommand(
  job: CallJob,
  produced: ToolResult & { changes: readonly Change[] },
): Promise<boolean> {
  const { context } = job.step;
  if (!context.extensions.beforeChange) return true;
  try {
    return await guardChange(job, await planOf(produced, produced.changes));
  } catch (error) {
    if (error instanceof StoreError || error instanceof StaleEpoch || context.signal.aborted) throw error;
    const because = errorMessage(error);
    const words = `The command has run, but none of its changes of files was made: ${because}. Try again.`;
    await record(context, job.call.id, "failed", failedResult(words));
    return false;
  }
}

/**
 * Stores the refusal in one transaction with its `hook-ran` facts: after a crash in between, the call would count as
 * checked and run.
 */
async function refuse(job: CallJob, veto: string, facts: readonly Fact[]): Promise<undefined> {
  const { call, step } = job;
  // A command in an overlay has already run; only its file changes are refused.
  const hasRun = step.context.log.state.calls.get(call.id)?.start !== undefined;
  const done = hasRun ? "The command has run, but none of its changes of files was made" : "Nothing was done";
  const words = `Refused by ${veto}. ${done}; do not try the same again.`;
  await conclude(job, refusedCall("denied", words), facts);
  return undefined;
}
