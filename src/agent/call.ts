/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */

import { nobody } from "../protocol/fact-words.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { Call } from "../protocol/messages.ts";
import { failed } from "../tools/tool.ts";
import { answerWithin } from "./approvals.ts";
import { consider, type Considered, otherProgram } from "./consider.ts";
import { conclude, doesOf, type Job, record, refused, resultFact } from "./job.ts";
import { takeQuestion } from "./questions.ts";
import { type CallNature, placeInQueue, type QueuePlace } from "./queue-place.ts";
import type { TurnRoom } from "./room.ts";
import { carryOut, runTool } from "./run.ts";
import { mayChange, startsEarly, whyNotStarted } from "./starting.ts";
import type { Step } from "./step.ts";
import { asOfNow, isTypedElsewhere, type Refusal, understand } from "./understand.ts";

/**
 * Order: name, aliases, explicit deny, schema, then plan mode, protected places, rules and risk, and the question last.
 * A call takes its place in the queue as soon as it is understood, behind all calls that were written before it. It is
 * decided and asked about at once, too, unless a change or command ahead of it could make that untrue.
 */
export async function performCall(call: Call, step: Step): Promise<void> {
  try {
    const understood = await inOrder(step, () => understand(call, step.room));
    if ("words" in understood) return await refuse(call, understood, step.room);
    await queue({ call, step, ...understood });
  } catch (error) {
    step.stop(error); // interrupted, or the log failed
    throw error;
  }
}

async function refuse(call: Call, { outcome, words, title }: Refusal, room: TurnRoom): Promise<void> {
  room.signal.throwIfAborted();
  const result = resultFact(call.id, outcome, failed(words));
  await room.log.append(title === undefined ? result : { ...result, title });
}

/**
 * One after the other: understanding the first command takes longer, and what is written behind it does not overtake
 * it.
 */
function inOrder<T>(step: Step, work: () => Promise<T>): Promise<T> {
  const done = step.understanding.then(work);
  step.understanding = done.catch(() => undefined);
  return done;
}

async function queue(job: Job): Promise<void> {
  const { step } = job;
  const ahead = {
    exclusive: step.exclusiveAhead,
    unconsidered: step.unconsideredAhead,
    questions: step.questionsAhead,
    isPlanning: step.room.log.state.mode === "plan",
  };
  const place = placeInQueue(natureOf(job), ahead);
  const considering = place.isConsideredEarly ? consider(job) : undefined;
  considering?.catch(() => undefined); // awaited when its turn comes
  const leave = joinQueue(job, place);
  try {
    await step.turnstile.pass(
      place.access,
      async () => {
        if (step.stalled) return;
        await takeTurn(await (considering ?? consider(await asOfNow(job))));
      },
      step.room.signal,
    );
  } finally {
    leave();
    // A question that is still being made would be made again by the next step.
    await considering?.catch(() => undefined);
  }
}

function natureOf({ tool, prepared, typed, judgement, step }: Job): CallNature {
  const isGuarded = step.room.extensions.guards?.(tool) === true;
  return {
    // Who guards it may make of it whatever its tool can do.
    does: isGuarded ? tool.does : doesOf({ tool, prepared }),
    onlyReads: judgement?.onlyReads === true,
    lasts: prepared.lasting === true,
    types: typed !== undefined,
    isGuarded,
  };
}

/** Those that come later know that it is there, until what it returns is called. */
function joinQueue({ prepared, step }: Job, { access, isConsideredEarly }: QueuePlace): () => void {
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

/** The call is at the head of the queue. */
async function takeTurn(considered: Considered, tries = mostTries): Promise<void> {
  if (considered.type === "over") return;
  const { job } = considered;
  const { call, step } = job;
  if (!startsEarly(job)) await step.answerOver;
  if (job.prepared.asks) return takeQuestion(job, job.prepared.asks, considered);
  if (considered.asks) {
    const answer = await answerWithin(step, call.id);
    if (answer?.answer === "deny") return record(step.room, call.id, "denied", failed(refusal(answer)));
    // What a person has written in its place has its own place in the queue, in the next step.
    if ((!answer || answer.command !== undefined) && whyNotStarted(job) === undefined) {
      step.stalled = true;
      return;
    }
  }
  const never = whyNotStarted(job);
  if (never !== undefined) return conclude(job, refused("cancelled", `Not started: ${never}`));
  step.room.signal.throwIfAborted();
  if (await isTypedElsewhere(job)) return typeAnew(job, considered, tries);
  const noted = mayChange(job) ? await step.room.beforeChange() : [];
  if (noted.length > 0) await step.room.log.append(...noted);
  await (considered.plan ? carryOut(job, considered.plan, considered.before) : runTool(job, considered));
}

/** How often a text is judged anew because what reads has changed; it may never rest. */
const mostTries = 3;

/** What nobody was asked about is judged for what reads now. A yes to something else is none to this. */
async function typeAnew(job: Job, { asks }: { asks: boolean }, tries: number): Promise<void> {
  if (asks || tries === 0) return record(job.step.room, job.call.id, "failed", failed(otherProgram));
  return takeTurn(await consider(await asOfNow(job)), tries - 1);
}

function refusal(answer: FactOf<"approval-answered">): string {
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  const who = answer.by === nobody ? "Nobody answered in time, which counts as a no." : "The user said no.";
  return `${who}${note} Nothing was done; do not try the same again.`;
}
