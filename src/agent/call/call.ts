/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */

import { nobody } from "../../protocol/fact-words.ts";
import type { FactOf } from "../../protocol/facts.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { failedResult } from "../../tools/tool.ts";
import { answerWithin } from "../approvals.ts";
import { takeQuestion } from "../questions.ts";
import type { TurnContext } from "../turn-context.ts";
import { consider, type ConsideredCall, otherProgram } from "./consider.ts";
import { conclude, doesOf, type CallJob, record, refusedCall, resultFact } from "./job.ts";
import { type CallNature, placeInQueue, type QueuePlace } from "./queue-place.ts";
import { carryOut, recordCommand, runTool } from "./run.ts";
import { mayChange, startsEarly, whyNotStarted } from "./starting.ts";
import type { CallStep } from "./step.ts";
import { afterHolding } from "./trial.ts";
import { asOfNow, isTypedElsewhere, type Refusal, understand } from "./understand.ts";

/**
 * Checks in this order: name, aliases, explicit deny, schema, plan mode, protected places, rules and risk, then the
 * question to a person. A call joins the queue as soon as it is understood, behind all calls written before it. It is
 * also decided and asked about at once, unless a change or command ahead of it could invalidate the decision.
 */
export async function performCall(call: ToolCall, step: CallStep): Promise<void> {
  try {
    const understood = await inOrder(step, () => understand(call, step.context));
    if ("words" in understood) return await refuse(call, understood, step.context);
    await queue({ call, step, ...understood });
  } catch (error) {
    step.stop(error); // interrupted, or the log failed
    throw error;
  }
}

async function refuse(
  call: ToolCall,
  { outcome, words, title }: Refusal,
  context: TurnContext,
): Promise<void> {
  context.signal.throwIfAborted();
  const result = resultFact(call.id, outcome, failedResult(words));
  await context.log.append(title === undefined ? result : { ...result, title });
}

/** Runs work in call order: understanding the first command takes longer, and later calls must not overtake it. */
function inOrder<T>(step: CallStep, work: () => Promise<T>): Promise<T> {
  const done = step.understanding.then(work);
  step.understanding = done.catch(() => undefined);
  return done;
}

async function queue(job: CallJob): Promise<void> {
  const { step } = job;
  const ahead = {
    exclusive: step.exclusiveAhead,
    unconsidered: step.unconsideredAhead,
    questions: step.questionsAhead,
    isPlanning: step.context.log.state.mode === "plan",
  };
  const place = placeInQueue(natureOf(job), ahead);
  const considering = place.isConsideredEarly ? consider(job) : undefined;
  considering?.catch(() => undefined); // awaited when the call's turn comes
  const leave = joinQueue(job, place);
  try {
    await step.turnstile.pass(
      place.access,
      async () => {
        if (step.stalled) return;
        await takeTurn(await (considering ?? consider(await asOfNow(job))));
      },
      step.context.signal,
    );
  } finally {
    leave();
    // Wait for a question in progress, or the next step would ask it a second time.
    await considering?.catch(() => undefined);
  }
}

function natureOf({ tool, prepared, typed, judgement, step }: CallJob): CallNature {
  const isGuarded = step.context.extensions.guards?.(tool) === true;
  return {
    // A guarding extension may turn the call into anything its tool can do.
    does: isGuarded ? tool.does : doesOf({ tool, prepared }),
    onlyReads: judgement?.onlyReads === true,
    lasts: prepared.lasting === true,
    types: typed !== undefined,
    isGuarded,
  };
}

/** Registers the call with those behind it, until the returned function is called. */
function joinQueue({ prepared, step }: CallJob, { access, isConsideredEarly }: QueuePlace): () => void {
  const exclusive = access === "exclusive" ? 1 : 0;
  const unconsidered = isConsideredEarly ? 0 : exclusive;
  const questions = prepared.asks ? 1 : 0;
  step.exclusiveAhead += exclusive;
  step.unconsideredAhead += unconsidered;
  step.questionsAhead += questions;
  return () => {
    step.exclusiveAhead -= exclusive;
    step.unconsideredAhead -= unconsidered;
    step.questionsAhead -= questions;
  };
}

/** Runs the call, now at the head of the queue. */
async function takeTurn(considered: ConsideredCall, tries = mostTries): Promise<void> {
  if (considered.type === "over") return;
  const { job } = considered;
  const { call, step } = job;
  if (considered.type === "held") return settleHeld(considered);
  if (!startsEarly(job)) await step.answerOver;
  if (job.prepared.asks) return takeQuestion(job, job.prepared.asks, considered);
  if (considered.asks) {
    const answer = await answerWithin(step, call.id);
    if (answer?.answer === "deny")
      return record(step.context, call.id, "denied", failedResult(refusal(answer)));
    // A command that a person substituted gets its own place in the queue, in the next step.
    if ((!answer || answer.command !== undefined) && whyNotStarted(job) === undefined) {
      step.stalled = true;
      return;
    }
  }
  const never = whyNotStarted(job);
  if (never !== undefined) return conclude(job, refusedCall("cancelled", `Not started: ${never}`));
  step.context.signal.throwIfAborted();
  if (await isTypedElsewhere(job)) return typeAnew(job, considered, tries);
  const noted = mayChange(job) ? await step.context.beforeChange() : [];
  if (noted.length > 0) await step.context.log.append(...noted);
  await (considered.plan ? carryOut(job, considered.plan, considered.before) : runTool(job, considered));
}

async function settleHeld({ job, tried }: Extract<ConsideredCall, { type: "held" }>): Promise<void> {
  const answer = await answerWithin(job.step, job.call.id);
  if (!answer) {
    job.step.stalled = true;
    return;
  }
  const produced = await afterHolding(job, tried, answer);
  if (produced) await recordCommand(job, produced);
}

/** How often a typed text is judged again because the program reading it changed; it may keep changing. */
const mostTries = 3;

/** If nobody was asked, judges the text for the program reading it now. An approval for another program is void. */
async function typeAnew(job: CallJob, { asks }: { asks: boolean }, tries: number): Promise<void> {
  if (asks || tries === 0) return record(job.step.context, job.call.id, "failed", failedResult(otherProgram));
  return takeTurn(await consider(await asOfNow(job)), tries - 1);
}

function refusal(answer: FactOf<"approval-answered">): string {
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  const who = answer.by === nobody ? "Nobody answered in time, which counts as a no." : "The user said no.";
  return `${who}${note} Nothing was done; do not try the same again.`;
}
