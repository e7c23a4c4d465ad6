/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */

import { isDeepStrictEqual } from "node:util";
import type { ToolCall } from "../../protocol/messages.ts";
import { failedResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { answerWithin, type ApprovedCall, approve } from "./approve.ts";
import type { CallNature } from "./call-turnstile.ts";
import { carryOut, recordCommand } from "./carry-out.ts";
import { decide, type DecidedCall, type HeldCommand, otherProgram } from "./decide.ts";
import { record, resultFact } from "./recording.ts";
import { type AheadRun, type CallJob, type CallStep, mayChange, startsEarly } from "./step.ts";
import { asOfNow, type UnclearCall, understand } from "./understand.ts";

/**
 * Checks in this order: name, aliases, explicit deny, schema, plan mode, protected places, rules and risk, then the
 * question to a person. A call joins the queue as soon as it is understood, behind all calls written before it. It is
 * also decided and asked about at once, unless a change or command ahead of it could invalidate the decision.
 */
export async function performCall(call: ToolCall, step: CallStep): Promise<void> {
  try {
    const understood = await step.turnstile.understand(() => understand(call, step.context));
    if ("words" in understood) return await refuse(call, understood, step.context);
    await queue({ ...understood, step });
  } catch (error) {
    step.stop(error); // interrupted, or the log failed
    throw error;
  }
}

async function refuse(
  call: ToolCall,
  { outcome, words, ...about }: UnclearCall,
  context: TurnContext,
): Promise<void> {
  context.signal.throwIfAborted();
  await context.log.append({ ...resultFact(call.id, outcome, failedResult(words)), ...about });
}

async function queue(job: CallJob): Promise<void> {
  const { turnstile, context, passing } = job.step;
  const isPlanning = context.log.state.mode === "plan";
  let ahead: AheadRun | undefined;
  const decideNow = async (isDue: boolean): ReturnType<typeof decide> => {
    const decided = await decide(isDue ? await asOfNow(job, context) : job);
    if (isDue || decided?.type !== "decided" || !job.named || before.size === 0) return decided;
    const begun = (await import("./ahead.ts")).withAhead(decided, before);
    ahead = begun.job.ahead;
    return begun;
  };
  const before = new Map(passing);
  passing.set(job.call.id, job.named);
  try {
    await turnstile.pass({ nature: natureOf(job), isPlanning, decide: decideNow, takeTurn }, context.signal);
  } finally {
    await ahead?.drop();
    passing.delete(job.call.id);
  }
}

function natureOf({ tool, prepared, does, typed, judgement, step }: CallJob): CallNature {
  const isGuarded = step.context.extensions.guards?.(tool) === true;
  return {
    // A guarding extension may turn the call into anything its tool can do.
    does: isGuarded ? tool.does : does,
    onlyReads: judgement?.onlyReads === true,
    lasts: prepared.lasting === true,
    types: typed !== undefined,
    isGuarded,
    asks: prepared.asks !== undefined,
  };
}

/** The call is at the head of the queue. */
async function takeTurn(decided: DecidedCall | HeldCommand | undefined, tries = mostTries): Promise<void> {
  if (!decided) return;
  if (decided.type === "held") return settleHeld(decided);
  const { job } = decided;
  const { context } = job.step;
  if (!startsEarly(job)) await job.step.answerOver;
  const approved = await approve(decided);
  if (!approved) return;
  context.signal.throwIfAborted();
  const problem = await whatChanged(approved);
  if (problem !== undefined) return decideAnew(approved, tries, problem);
  const noted = mayChange(job) ? await context.beforeChange() : [];
  if (noted.length > 0) await context.log.append(...noted);
  await carryOut(approved);
}

async function settleHeld({ job, tried }: HeldCommand): Promise<void> {
  const answer = await answerWithin(job);
  if (!answer) return job.step.turnstile.close();
  const produced = await (await import("./trial.ts")).afterHolding(job, tried, answer);
  if (produced) await recordCommand(job, produced);
}

/**
 * What a text was typed for, or what a line would run without a question and with more than the sandbox holds, must be
 * what was judged: a call ahead of it may have put another program in its place.
 */
async function whatChanged({ job, answer, sandbox }: ApprovedCall): Promise<string | undefined> {
  const isHeld = sandbox?.isOn === true && sandbox.profile !== "open" && !sandbox.outside?.length;
  if (!job.typed && (answer || isHeld || !job.judgement)) return undefined;
  const { typed, judgement } = await asOfNow(job, job.step.context);
  if (job.typed) return isDeepStrictEqual(typed, job.typed) ? undefined : otherProgram;
  return isDeepStrictEqual(judgement, job.judgement) ? undefined : changingProgram;
}

const changingProgram =
  "It was not run: what its words would run changes again and again while it waits for its turn.";

/** How often a line is judged again because its programs changed; they may keep changing. */
const mostTries = 3;

/** If nobody was asked, judges the line for the programs that are there now. An approval for others is void. */
async function decideAnew({ job, answer }: ApprovedCall, tries: number, problem: string): Promise<void> {
  const { context } = job.step;
  if (answer || tries === 0) return record(context, job.call.id, "failed", failedResult(problem));
  return takeTurn(await decide(await asOfNow(job, context)), tries - 1);
}
