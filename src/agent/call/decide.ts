/** The second station of a call: it is allowed, denied, or a person is asked about exactly this. */

import { isDeepStrictEqual } from "node:util";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { Culprit, Fact, FactOf, ExecutionLocation, SandboxRecord } from "../../protocol/facts.ts";
import { placeWords } from "../../protocol/place.ts";
import type { CallState } from "../../protocol/session-state.ts";
import { diffOf } from "../../tools/changes/diff.ts";
import { failedResult } from "../../tools/tool.ts";
import { question } from "../approvals.ts";
import { otherProgram } from "./as-of-now.ts";
import { areSameChanges, isSamePlace } from "./as-shown.ts";
import { type ChangePlan, planOf } from "./change.ts";
import { type SubjectDecision, decisionFact, decisionOn } from "./decision.ts";
import { guardCall, guardChange, guardEdited } from "./guarding.ts";
import { produce } from "./produce.ts";
import type { CallDecision } from "./reading.ts";
import { conclude, doesOf, record, refusedCall } from "./recording.ts";
import { isBehindPlan, writtenTooEarly } from "./starting.ts";
import type { CallJob } from "./step.ts";

export type DecidedCall = {
  type: "decided";
  /** Its arguments may differ from the model's: a hook may have changed them. */
  job: CallJob;
  /** A person was asked, now or in an earlier step. */
  asks: boolean;
  /** Facts to be recorded with its start. */
  before: readonly Fact[];
  /** The changes that it makes, and no others. */
  plan: ChangePlan | undefined;
  sandbox: SandboxRecord | undefined;
};

/** A command that has run; what it changed is held until a person answers. */
export type HeldCommand = { type: "held"; job: CallJob; tried: NonNullable<CallState["tried"]> };

/** A person must be asked about the call. */
type ToAsk = {
  type: "ask";
  job: CallJob;
  decision: FactOf<"decision">;
  question: FactOf<"approval-asked">;
  plan: ChangePlan | undefined;
};

const unasked = { type: "decided", asks: false, before: [], plan: undefined, sandbox: undefined } as const;

/**
 * Decides, plans a change, and asks a person if required, in call order, however long preparing each question takes. A
 * call of an earlier step keeps its decision.
 */
export const decide = (job: CallJob): Promise<DecidedCall | HeldCommand | undefined> =>
  job.step.turnstile.decide((turnToAsk) => decideAndAsk(job, turnToAsk));

async function decideAndAsk(
  first: CallJob,
  turnToAsk: Promise<unknown>,
): Promise<DecidedCall | HeldCommand | undefined> {
  const found = await examine(first);
  if (found?.type !== "ask") return found;
  const { job, decision, question: asked, plan } = found;
  const { context } = job.step;
  await turnToAsk;
  context.signal.throwIfAborted();
  await context.log.append(decision, asked);
  context.extensions.asked?.(asked);
  return { type: "decided", job, asks: true, before: [], plan, sandbox: asked.sandbox };
}

async function examine(first: CallJob): Promise<DecidedCall | HeldCommand | ToAsk | undefined> {
  const { call, step } = first;
  const known = step.context.log.state.calls.get(call.id);
  if (known?.question) return { ...unasked, job: first };
  if (isBehindPlan(first)) {
    await conclude(first, refusedCall("denied", writtenTooEarly));
    return undefined;
  }
  const job = await guardCall(first, deny);
  if (!job) return undefined;
  if (known?.tried) return { type: "held", job, tried: known.tried };
  if (known && job.edited !== undefined) return decideEdited(job, known);
  return known?.asked ? decideAsAsked(job, known) : decideNew(job);
}

/** A denied call is not even planned: the reason why a plan failed reveals file contents. */
async function decideNew(job: CallJob): Promise<DecidedCall | ToAsk | undefined> {
  if (doesOf(job) !== "change") return decideOn(job, undefined);
  const early = await decisionOn(job, undefined, job.step.context);
  if (early.verdict === "deny") return deny(job, early);
  const plan = await planFor(job, { trace: early.trace, isOpen: early.verdict !== "allow" });
  return plan ? decideOn(job, plan) : undefined;
}

/** A person was asked in an earlier step: the call must now do exactly what they were shown. */
async function decideAsAsked(job: CallJob, known: CallState): Promise<DecidedCall | undefined> {
  if (doesOf(job) !== "change")
    return job.typed ? decideTyping(job, known) : decideAsShown(job, known, undefined);
  const plan = await planFor(job);
  return plan ? decideAsShown(job, known, plan) : undefined;
}

/** Undefined if there is nothing to change: then the call has its result. */
async function planFor(job: CallJob, decided?: CallDecision): Promise<ChangePlan | undefined> {
  const planned = await produce(job, withoutUndefined({ decided }));
  if (planned.outcome === "ok" && planned.changes?.length) return planOf(planned, planned.changes);
  await conclude(job, planned);
  return undefined;
}

async function decideOn(
  job: CallJob,
  plan: ChangePlan | undefined,
): Promise<DecidedCall | ToAsk | undefined> {
  const { call, prepared, step } = job;
  const decided = await decisionOn(job, plan, step.context);
  const { sandbox } = decided;
  const fact = decisionFact(call.id, decided);
  if (decided.verdict === "deny") return deny(job, decided);
  if (plan && !(await guardChange(job, plan))) return undefined;
  // A call that asks the person itself needs no approval question first.
  if (decided.verdict === "allow" || prepared.asks)
    return { type: "decided", job, asks: false, before: [fact], plan, sandbox };
  const whyNot = await prepared.whyNot?.(step.context);
  if (whyNot !== undefined) {
    await conclude(job, failedResult(whyNot));
    return undefined;
  }
  const { subject } = decided;
  const repairs = [...(call.repairs ?? []), ...(prepared.repairs ?? [])];
  const place = placeOf(job, subject.directory);
  const preview = plan ? await diffOf(plan.changes) : previewOf(job, place);
  const about = {
    title: prepared.title,
    preview,
    place,
    repairs,
    ...commandIn(prepared),
    ...culpritIn(preview, subject),
  };
  const changes = plan ? { changes: plan.described } : {};
  return {
    type: "ask",
    job,
    decision: fact,
    question: { ...question(call.id, about, decided), ...changes },
    plan,
  };
}

const commandIn = ({ command, edited }: CallJob["prepared"]): { command?: string } =>
  edited && command !== undefined ? { command } : {};

/** What the judgement says of a part of the command, at its place in the preview, which ends with the command. */
function culpritIn(
  preview: string,
  { command = "", judgement }: SubjectDecision["subject"],
): { culprit?: Culprit } {
  const { range, because = "" } = judgement ?? {};
  if (!range || !preview.endsWith(command)) return {};
  const start = preview.length - command.length;
  return { culprit: { from: start + range.from, to: start + range.to, because } };
}

async function deny(job: CallJob, decided: SubjectDecision): Promise<undefined> {
  const { call, edited } = job;
  const whose = edited === undefined ? "" : `The user changed this command to: ${edited}\n`;
  const words = `${whose}Denied: ${decided.because}. Nothing was done; do not try the same again.`;
  await conclude(job, refusedCall("denied", words), [decisionFact(call.id, decided)]);
  return undefined;
}

/** Only a change that a person was shown may be made: a plan that has come out differently since is dropped. */
async function decideAsShown(
  job: CallJob,
  { asked, answered }: CallState,
  plan: ChangePlan | undefined,
): Promise<DecidedCall | undefined> {
  const isSame = plan === undefined || areSameChanges(asked?.changes ?? [], plan.described);
  const sandbox = asked?.sandbox;
  if (isSame || answered?.answer === "deny")
    return { type: "decided", job, asks: true, before: [], plan, sandbox };
  const words =
    "The file changed after this change was shown for approval; nothing was written. Read it and try again.";
  await record(job.step.context, job.call.id, "failed", failedResult(words));
  return undefined;
}

/** A person edited the command and approved it: it is decided on again, without another question. */
async function decideEdited(job: CallJob, known: CallState): Promise<DecidedCall | undefined> {
  const { context } = job.step;
  const decided = await decisionOn(job, undefined, context);
  if (job.typed && !isTypedAsAsked(job, known, decided)) {
    await record(context, job.call.id, "failed", failedResult(otherProgram));
    return undefined;
  }
  if (decided.verdict === "deny") return deny(job, decided);
  if (!(await guardEdited(job))) return undefined;
  const before = [decisionFact(job.call.id, decided)];
  return { type: "decided", job, asks: false, before, plan: undefined, sandbox: decided.sandbox };
}

/** An edited command may have another risk, but the program that reads it, and where, must be as shown. */
function isTypedAsAsked(job: CallJob, { asked }: CallState, { subject, sandbox }: SubjectDecision): boolean {
  const isContained = asked?.sandbox?.profile === sandbox?.profile && asked?.sandbox?.isOn === sandbox?.isOn;
  return isContained && isSamePlace(asked?.place, placeOf(job, subject.directory));
}

/** The terminal may be running another program by the time of the answer: then the approval is void. */
async function decideTyping(job: CallJob, known: CallState): Promise<DecidedCall | undefined> {
  const { asked, answered } = known;
  const { subject, risk, sandbox } = await decisionOn(job, undefined, job.step.context);
  const isSame =
    isSamePlace(asked?.place, placeOf(job, subject.directory)) &&
    isDeepStrictEqual({ risk, sandbox }, { risk: asked?.risk, sandbox: asked?.sandbox });
  if (answered?.answer === "deny" || isSame) return decideAsShown(job, known, undefined);
  await record(job.step.context, job.call.id, "failed", failedResult(otherProgram));
  return undefined;
}

/** Undefined for the workspace root. */
function placeOf({ typed }: CallJob, directory: string | undefined): ExecutionLocation | undefined {
  if (!typed && directory === undefined) return undefined;
  return {
    ...(typed ? { into: typed.program ?? "" } : {}),
    ...(directory === undefined ? {} : { directory }),
  };
}

/** The whole command, preceded by where it runs. */
function previewOf({ prepared }: CallJob, place: ExecutionLocation | undefined): string {
  const command = prepared.command ?? prepared.preview ?? prepared.title;
  return place ? `# ${placeWords(place)}\n${command}` : command;
}
