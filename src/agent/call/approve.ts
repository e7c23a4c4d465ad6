/** The third station of a call: whoever had to be asked has agreed, or has answered the question that the call is. */

import { errorMessage } from "../../base/expected.ts";
import { withoutPerson } from "../../protocol/fact-words.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { failedResult, type ToolQuestion, type ToolResult } from "../../tools/tool.ts";
import type { DecidedCall } from "./decide.ts";
import { conclude, record, refusedCall } from "./recording.ts";
import { type CallJob, type CallStep, whyNotStarted } from "./step.ts";

export type ApprovedCall = DecidedCall & {
  /** Who agreed, and for how long; undefined if nobody had to be asked. */
  answer?: FactOf<"approval-answered">;
  /** What a person's reply to the question that the call is amounts to. */
  reply?: ToolResult;
};

/** Undefined: the call has its result, or waits for a person in a later step. */
export async function approve(decided: DecidedCall): Promise<ApprovedCall | undefined> {
  const { job, isAsked } = decided;
  const { call, step, prepared } = job;
  if (prepared.asks) return askQuestion(decided, prepared.asks);
  const answer = isAsked ? await answerWithin(job) : undefined;
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
  if (isAsked && (!answer || answer.command !== undefined)) {
    step.turnstile.close();
    return undefined;
  }
  return { ...decided, answer };
}

function refusal({ note = "", by }: FactOf<"approval-answered">): string {
  const none = withoutPerson(by);
  const who = none === undefined ? "The user said no." : `Denied, because ${none}.`;
  const why = note === "" ? "" : ` ${none === undefined ? "They said" : "The reason"}: "${note}".`;
  return `${who}${why} Nothing was done; do not try the same again.`;
}

/** A question is asked in the log when its turn comes, and answered there at any time. */
async function askQuestion(decided: DecidedCall, asking: ToolQuestion): Promise<ApprovedCall | undefined> {
  const { job, before } = decided;
  const { call, step } = job;
  const { context } = step;
  const known = () => context.log.state.calls.get(call.id);
  if (!known()?.question) {
    const notAsked = whyNotAsked(job, asking);
    if (notAsked) {
      await record(context, call.id, notAsked.outcome, failedResult(notAsked.words));
      return undefined;
    }
    if (!context.interactive()) return decided;
    context.signal.throwIfAborted();
    const { answered: _, ...question } = asking;
    await context.log.append(...before, { type: "question-asked", callId: call.id, ...question });
  }
  const reply = await within(step, () => known()?.reply);
  context.signal.throwIfAborted();
  // A person's reply counts even if the answer that contained the question has broken off since.
  if (reply) return { ...decided, reply: resultOf(asking, reply) };
  const never = whyNotStarted(job);
  if (never === undefined) step.turnstile.close();
  else await record(context, call.id, "cancelled", failedResult(`Not answered: ${never}`));
  return undefined;
}

function resultOf(asking: ToolQuestion, reply: FactOf<"question-answered">): ToolResult {
  try {
    return asking.answered(reply);
  } catch (error) {
    return failedResult(`The tool failed: ${errorMessage(error)}`);
  }
}

type NotAsked = { outcome: "cancelled" | "failed"; words: string };

function whyNotAsked(job: CallJob, asking: ToolQuestion): NotAsked | undefined {
  const never = whyNotStarted(job);
  if (never !== undefined) return { outcome: "cancelled", words: `Not asked: ${never}` };
  if (!asking.steps || job.step.context.log.state.mode === "plan") return undefined;
  return { outcome: "failed", words: planModeIsOff };
}

const planModeIsOff = "Plan mode is off, so nobody has to approve a plan. Go on with the work itself.";

/** A person's answer, if it exists or arrives while the model is still streaming; undefined: wait in a later step. */
export const answerWithin = ({ call, step }: CallJob): Promise<FactOf<"approval-answered"> | undefined> =>
  within(step, () => step.context.log.state.calls.get(call.id)?.answered);

async function within<Word>(step: CallStep, known: () => Word | undefined): Promise<Word | undefined> {
  if (known() === undefined && step.outcome === undefined) await heardWithin(step, known);
  // A call that keeps waiting holds up all calls behind it, so those must be queued by then.
  await step.turnstile.understood;
  return known();
}

async function heardWithin(
  { context: { log, signal }, answerOver }: CallStep,
  known: () => unknown,
): Promise<void> {
  const waiting = new AbortController();
  const answered = log.until(() => known() !== undefined, AbortSignal.any([signal, waiting.signal]));
  await Promise.race([answered.catch(() => undefined), answerOver]);
  waiting.abort();
}
