/** The second station of a call: it is allowed, denied, or a person is asked about exactly this. */

import { isDeepStrictEqual } from "node:util";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { Culprit, Fact, FactOf, ExecutionLocation } from "../../protocol/facts.ts";
import { placeWords } from "../../protocol/place.ts";
import type { CallState } from "../../protocol/session-state.ts";
import { diffOf } from "../../tools/changes/diff.ts";
import { failedResult } from "../../tools/tool.ts";
import { areSameChanges, isSamePlace } from "./as-shown.ts";
import { type ChangePlan, planOf } from "./change.ts";
import { type SubjectDecision, decisionFact, decisionOn, question } from "./decision.ts";
import { guardCall, guardChange, guardEdited } from "./extension-checks.ts";
import { type CallDecision, produce } from "./produce.ts";
import { conclude, record, refusedCall } from "./recording.ts";
import { type CallJob, isBehindPlan } from "./step.ts";

export type DecidedCall = {
  type: "decided";
  /** Its arguments may differ from the model's: a hook may have changed them. */
  job: CallJob;
  /** A person was asked, now or in an earlier step. */
  isAsked: boolean;
  /** Facts to be recorded with its start. */
  before: readonly Fact[];
  /** The changes that it makes, and no others. */
  plan?: ChangePlan;
  sandbox?: FactOf<"decision">["sandbox"];
};

/** A command that has run; what it changed is held until a person answers. */
export type HeldCommand = { type: "held"; job: CallJob; tried: NonNullable<CallState["tried"]> };

/** A person must be asked about the call: these facts do so. */
type QuestionedCall = {
  type: "ask";
  decision: FactOf<"decision">;
  question: FactOf<"approval-asked">;
  call: DecidedCall;
};

/**
 * Decides, plans a change, and asks a person if required, in call order, however long preparing each question takes. A
 * call of an earlier step keeps its decision.
 */
export const decide = (job: CallJob): Promise<DecidedCall | HeldCommand | undefined> =>
  job.step.turnstile.decide(async (turnToAsk) => {
    try {
      return await decideAndAsk(job, turnToAsk);
    } catch (error) {
      job.step.stop(error); // before the next call asks, which has waited for this one
      throw error;
    }
  });

async function decideAndAsk(
  job: CallJob,
  turnToAsk: Promise<unknown>,
): Promise<DecidedCall | HeldCommand | undefined> {
  const decided = await examine(job);
  if (decided?.type !== "ask") return decided;
  const { context } = job.step;
  await turnToAsk;
  context.signal.throwIfAborted();
  await context.log.append(decided.decision, decided.question);
  context.extensions.asked?.(decided.question);
  return decided.call;
}

async function examine(understood: CallJob): Promise<DecidedCall | HeldCommand | QuestionedCall | undefined> {
  const { call, step } = understood;
  const known = step.context.log.state.calls.get(call.id);
  if (known?.question) return { type: "decided", job: understood, isAsked: false, before: [] };
  if (isBehindPlan(understood)) {
    await conclude(understood, refusedCall("denied", writtenTooEarly));
    return undefined;
  }
  const job = await guardCall(understood, deny);
  if (!job) return undefined;
  if (known?.tried) return { type: "held", job, tried: known.tried };
  if (known && job.edited !== undefined) return decideEdited(job, known);
  return known?.asked ? decideAsAsked(job, known) : decideNew(job);
}

const writtenTooEarly =
  "Nothing was done: this was written together with the plan, before anybody could approve that. Once the plan is approved, go by it.";

/** A denied call is not even planned: the reason why a plan failed reveals file contents. */
async function decideNew(job: CallJob): Promise<DecidedCall | QuestionedCall | undefined> {
  if (job.does !== "change") return decideOn(job, undefined);
  const early = await decisionOn(job, undefined, job.step.context);
  if (early.verdict === "deny") return deny(job, early);
  const plan = await planFor(job, { trace: early.trace, isOpen: early.verdict !== "allow" });
  return plan ? decideOn(job, plan) : undefined;
}

/** Undefined if there is nothing to change: then the call has its result. */
async function planFor(job: CallJob, decided?: CallDecision): Promise<ChangePlan | undefined> {
  const planned = await produce(job, { decided });
  if (planned.outcome === "ok" && planned.changes?.length) return planOf(planned, planned.changes);
  await conclude(job, planned);
  return undefined;
}

async function decideOn(
  job: CallJob,
  plan: ChangePlan | undefined,
): Promise<DecidedCall | QuestionedCall | undefined> {
  const { call, prepared, step } = job;
  const decided = await decisionOn(job, plan, step.context);
  const { sandbox } = decided;
  const decision = decisionFact(call.id, decided);
  if (decided.verdict === "deny") return deny(job, decided);
  if (plan && !(await guardChange(job, plan))) return undefined;
  // A call that asks the person itself needs no approval question first.
  if (decided.verdict === "allow" || prepared.asks)
    return { type: "decided", job, isAsked: false, before: [decision], plan, sandbox };
  const whyNot = await prepared.whyNot?.(step.context);
  if (whyNot !== undefined) {
    await conclude(job, failedResult(whyNot));
    return undefined;
  }
  return {
    type: "ask",
    decision,
    question: await questionAbout(job, plan, decided),
    call: { type: "decided", job, isAsked: true, before: [], plan, sandbox },
  };
}

async function questionAbout(
  job: CallJob,
  plan: ChangePlan | undefined,
  decided: SubjectDecision,
): Promise<FactOf<"approval-asked">> {
  const { call, prepared } = job;
  const { subject } = decided;
  const place = placeOf(job, subject.directory);
  const preview = plan ? await diffOf(plan.changes) : previewOf(job, place);
  const about = {
    title: prepared.title,
    preview,
    place,
    repairs: [...(call.repairs ?? []), ...(prepared.repairs ?? [])],
    command: prepared.edited && prepared.command,
    culprit: culpritIn(preview, subject),
  };
  return withoutUndefined({ ...question(call.id, about, decided), changes: plan?.described });
}

/** What the judgement says of a part of the command, at its place in the preview, which ends with the command. */
function culpritIn(
  preview: string,
  { command = "", judgement }: SubjectDecision["subject"],
): Culprit | undefined {
  const { range, because = "" } = judgement ?? {};
  if (!range || !preview.endsWith(command)) return undefined;
  const start = preview.length - command.length;
  return { from: start + range.from, to: start + range.to, because };
}

async function deny(job: CallJob, decided: SubjectDecision): Promise<undefined> {
  const { call, edited } = job;
  const whose = edited === undefined ? "" : `The user changed this command to: ${edited}\n`;
  const words = `${whose}Denied: ${decided.because}. Nothing was done; do not try the same again.`;
  await conclude(job, refusedCall("denied", words), [decisionFact(call.id, decided)]);
  return undefined;
}

/** A person was asked in an earlier step: the call must now do exactly what they were shown. */
async function decideAsAsked(job: CallJob, known: CallState): Promise<DecidedCall | undefined> {
  const plan = job.does === "change" ? await planFor(job) : undefined;
  if (job.does === "change" && !plan) return undefined;
  const changed = known.answered?.answer === "deny" ? undefined : await whyNotAsShown(job, known, plan);
  if (changed === undefined)
    return { type: "decided", job, isAsked: true, before: [], plan, sandbox: known.asked?.sandbox };
  await record(job.step.context, job.call.id, "failed", failedResult(changed));
  return undefined;
}

/** The plan may come out differently by now, and the terminal may run another program: then the approval is void. */
async function whyNotAsShown(
  job: CallJob,
  { asked }: CallState,
  plan: ChangePlan | undefined,
): Promise<string | undefined> {
  if (plan) return areSameChanges(asked?.changes ?? [], plan.described) ? undefined : otherChange;
  if (!job.typed) return undefined;
  const { subject, risk, sandbox } = await decisionOn(job, undefined, job.step.context);
  const isSame =
    isSamePlace(asked?.place, placeOf(job, subject.directory)) &&
    isDeepStrictEqual({ risk, sandbox }, { risk: asked?.risk, sandbox: asked?.sandbox });
  return isSame ? undefined : otherProgram;
}

const otherChange =
  "The file changed after this change was shown for approval; nothing was written. Read it and try again.";

export const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";

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
  return { type: "decided", job, isAsked: false, before, sandbox: decided.sandbox };
}

/** An edited command may have another risk, but the program that reads it, and where, must be as shown. */
function isTypedAsAsked(job: CallJob, { asked }: CallState, { subject, sandbox }: SubjectDecision): boolean {
  const isContained = asked?.sandbox?.profile === sandbox?.profile && asked?.sandbox?.isOn === sandbox?.isOn;
  return isContained && isSamePlace(asked?.place, placeOf(job, subject.directory));
}

/** Undefined for the workspace root. */
function placeOf({ typed }: CallJob, directory: string | undefined): ExecutionLocation | undefined {
  if (!typed && directory === undefined) return undefined;
  return withoutUndefined({ into: typed && (typed.program ?? ""), directory });
}

/** The whole command, preceded by where it runs. */
function previewOf({ prepared }: CallJob, place: ExecutionLocation | undefined): string {
  const command = prepared.command ?? prepared.preview ?? prepared.title;
  return place ? `# ${placeWords(place)}\n${command}` : command;
}
