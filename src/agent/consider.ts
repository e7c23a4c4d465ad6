/** What a call is found to be once it is understood: over already, or to be run, now or after a person's answer. */

import { isDeepStrictEqual } from "node:util";
import type { Fact, FactOf, Place, Sandboxed } from "../protocol/facts.ts";
import { placeWords } from "../protocol/place.ts";
import type { CallState } from "../protocol/session-state.ts";
import { diffOf } from "../tools/diff.ts";
import { failed } from "../tools/tool.ts";
import { question } from "./approvals.ts";
import { areSameChanges, isSamePlace } from "./as-shown.ts";
import { type Plan, planOf } from "./change.ts";
import { type Decided, decisionFact, decisionOn } from "./decision.ts";
import { guardCall, guardChange, guardEdited } from "./guarding.ts";
import { conclude, doesOf, type Job, record, refused } from "./job.ts";
import { produce } from "./run.ts";
import { isBehindPlan, writtenTooEarly } from "./starting.ts";

/** What a call was found to be: over already, or to be run; `before` are facts that go with its start. */
export type Considered =
  | { type: "over" }
  | {
      type: "run";
      /** As it was considered: its arguments may be other ones than the model's. */
      job: Job;
      asks: boolean;
      before: readonly Fact[];
      plan: Plan | undefined;
      sandbox: Sandboxed | undefined;
    };

/** A person has to be asked about it. */
type ToAsk = {
  type: "ask";
  job: Job;
  decision: FactOf<"decision">;
  question: FactOf<"approval-asked">;
  plan: Plan | undefined;
};

const over = { type: "over" } as const;
const unasked = { type: "run", asks: false, before: [], plan: undefined, sandbox: undefined } as const;

/**
 * Decides, plans a change, and asks where a person must be asked: in the order of the calls, however long it takes to
 * find out what to ask. A call of an earlier step keeps its decision.
 */
export function consider(job: Job): Promise<Considered> {
  const { step } = job;
  const ahead = step.asking;
  const considering = considerAndAsk(job, ahead);
  const bothOver = (): Promise<unknown> => ahead;
  step.asking = considering.then(bothOver, bothOver);
  return considering;
}

async function considerAndAsk(first: Job, ahead: Promise<unknown>): Promise<Considered> {
  const found = await examine(first);
  if (found.type !== "ask") return found;
  const { job, decision, question: asked, plan } = found;
  const { room } = job.step;
  await ahead;
  room.signal.throwIfAborted();
  await room.log.append(decision, asked);
  room.extensions.asked?.(asked);
  return { type: "run", job, asks: true, before: [], plan, sandbox: asked.sandbox };
}

async function examine(first: Job): Promise<Considered | ToAsk> {
  const { call, step } = first;
  const known = step.room.log.state.calls.get(call.id);
  if (known?.question) return { ...unasked, job: first };
  if (isBehindPlan(first)) {
    await conclude(first, refused("denied", writtenTooEarly));
    return over;
  }
  const job = await guardCall(first, deny);
  if (!job) return over;
  if (known && job.edited !== undefined) return considerEdited(job, known);
  return known?.asked ? considerAsked(job, known) : considerNew(job);
}

/** What is denied is not even planned: why a plan failed tells what is in the file. */
async function considerNew(job: Job): Promise<Considered | ToAsk> {
  if (doesOf(job) !== "change") return decideOn(job, undefined);
  const early = await decisionOn(job, undefined, job.step.room);
  if (early.verdict === "deny") return deny(job, early);
  const plan = await planFor(job);
  return plan ? decideOn(job, plan) : over;
}

/** A person was asked about it in an earlier step: what is done now must be what they were shown. */
async function considerAsked(job: Job, known: CallState): Promise<Considered> {
  if (doesOf(job) !== "change")
    return job.typed ? considerTyping(job, known) : considerAsShown(job, known, undefined);
  const plan = await planFor(job);
  return plan ? considerAsShown(job, known, plan) : over;
}

/** Undefined where there is nothing to change: then the call has its result. */
async function planFor(job: Job): Promise<Plan | undefined> {
  const planned = await produce(job);
  if (planned.outcome === "ok" && planned.changes?.length) return planOf(planned, planned.changes);
  await conclude(job, planned);
  return undefined;
}

async function decideOn(job: Job, plan: Plan | undefined): Promise<Considered | ToAsk> {
  const { call, prepared, step } = job;
  const decided = await decisionOn(job, plan, step.room);
  const { sandbox } = decided;
  const fact = decisionFact(call.id, decided);
  if (decided.verdict === "deny") return deny(job, decided);
  if (plan && !(await guardChange(job, plan))) return over;
  // Who is to be asked before a question is asked by the question itself.
  if (decided.verdict === "allow" || prepared.asks)
    return { type: "run", job, asks: false, before: [fact], plan, sandbox };
  const whyNot = await prepared.whyNot?.(step.room);
  if (whyNot !== undefined) {
    await conclude(job, failed(whyNot));
    return over;
  }
  const { subject } = decided;
  const repairs = [...(call.repairs ?? []), ...(prepared.repairs ?? [])];
  const place = placeOf(job, subject.directory);
  const preview = plan ? await diffOf(plan.changes) : previewOf(job, place);
  const about = { title: prepared.title, preview, place, repairs, ...commandIn(prepared) };
  const changes = plan ? { changes: plan.described } : {};
  return {
    type: "ask",
    job,
    decision: fact,
    question: { ...question(call.id, about, decided), ...changes },
    plan,
  };
}

const commandIn = ({ command, edited }: Job["prepared"]): { command?: string } =>
  edited && command !== undefined ? { command } : {};

async function deny(job: Job, decided: Decided): Promise<Considered> {
  const { call, edited } = job;
  const whose = edited === undefined ? "" : `The user changed this command to: ${edited}\n`;
  const words = `${whose}Denied: ${decided.because}. Nothing was done; do not try the same again.`;
  await conclude(job, refused("denied", words), [decisionFact(call.id, decided)]);
  return over;
}

/** What a person said yes to must be what is done: a plan that came out differently since is not carried out. */
async function considerAsShown(
  job: Job,
  { asked, answered }: CallState,
  plan: Plan | undefined,
): Promise<Considered> {
  const isSame = plan === undefined || areSameChanges(asked?.changes ?? [], plan.described);
  const sandbox = asked?.sandbox;
  if (isSame || answered?.answer === "deny")
    return { type: "run", job, asks: true, before: [], plan, sandbox };
  const words =
    "The file changed after this change was shown for approval; nothing was written. Read it and try again.";
  await record(job.step.room, job.call.id, "failed", failed(words));
  return over;
}

/** A person has changed the command and allowed that: it is decided on anew, and is asked about no more. */
async function considerEdited(job: Job, known: CallState): Promise<Considered> {
  const { room } = job.step;
  const decided = await decisionOn(job, undefined, room);
  if (job.typed && !isTypedAsAsked(job, known, decided)) {
    await record(room, job.call.id, "failed", failed(otherProgram));
    return over;
  }
  if (decided.verdict === "deny") return deny(job, decided);
  if (!(await guardEdited(job))) return over;
  const before = [decisionFact(job.call.id, decided)];
  return { type: "run", job, asks: false, before, plan: undefined, sandbox: decided.sandbox };
}

/** Another command may have another risk; what reads it, and where, is as the person was told. */
function isTypedAsAsked(job: Job, { asked }: CallState, { subject, sandbox }: Decided): boolean {
  const isContained = asked?.sandbox?.profile === sandbox?.profile && asked?.sandbox?.isOn === sandbox?.isOn;
  return isContained && isSamePlace(asked?.place, placeOf(job, subject.directory));
}

/** The program may be another by the time of the answer: then a person was asked about something else. */
async function considerTyping(job: Job, known: CallState): Promise<Considered> {
  const { asked, answered } = known;
  const { subject, risk, sandbox } = await decisionOn(job, undefined, job.step.room);
  const isSame =
    isSamePlace(asked?.place, placeOf(job, subject.directory)) &&
    isDeepStrictEqual({ risk, sandbox }, { risk: asked?.risk, sandbox: asked?.sandbox });
  if (answered?.answer === "deny" || isSame) return considerAsShown(job, known, undefined);
  await record(job.step.room, job.call.id, "failed", failed(otherProgram));
  return over;
}

export const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";

/** Undefined in the workspace's root. */
function placeOf({ typed }: Job, directory: string | undefined): Place | undefined {
  if (!typed && directory === undefined) return undefined;
  return {
    ...(typed ? { into: typed.program ?? "" } : {}),
    ...(directory === undefined ? {} : { directory }),
  };
}

/** The whole command, and above it where it runs. */
function previewOf({ prepared }: Job, place: Place | undefined): string {
  const command = prepared.command ?? prepared.preview ?? prepared.title;
  return place ? `# ${placeWords(place)}\n${command}` : command;
}
