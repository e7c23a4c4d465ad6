/** What a call is found to be once it is understood: over already, or to be run, now or after a person's answer. */

import { isDeepStrictEqual } from "node:util";
import type { ChangedFile, Fact, Sandboxed } from "../protocol/facts.ts";
import { isSameStanding, standingsOf } from "../protocol/fold-changes.ts";
import type { CallState } from "../protocol/session-state.ts";
import { diffOf } from "../tools/diff.ts";
import { failed } from "../tools/tool.ts";
import { question } from "./approvals.ts";
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

const over = { type: "over" } as const;
const unasked = { type: "run", asks: false, before: [], plan: undefined, sandbox: undefined } as const;

/** Decides, plans a change, and asks where a person must be asked. A call of an earlier step keeps its decision. */
export async function consider(first: Job): Promise<Considered> {
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
async function considerNew(job: Job): Promise<Considered> {
  if (doesOf(job) !== "change") return decideAndAsk(job, undefined);
  const early = await decisionOn(job, undefined, job.step.room);
  if (early.verdict === "deny") return deny(job, early);
  const plan = await planFor(job);
  return plan ? decideAndAsk(job, plan) : over;
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

async function decideAndAsk(job: Job, plan: Plan | undefined): Promise<Considered> {
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
  const preview = await previewOf(job, plan, subject.directory);
  const about = { title: prepared.title, preview, repairs, ...commandIn(prepared) };
  const changes = plan ? { changes: plan.described } : {};
  const asked = { ...question(call.id, about, decided), ...changes };
  await step.room.log.append(fact, asked);
  step.room.extensions.asked?.(asked);
  return { type: "run", job, asks: true, before: [], plan, sandbox };
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
  const isSame = plan === undefined || areSame(asked?.changes ?? [], plan.described);
  const sandbox = asked?.sandbox;
  if (isSame || answered?.answer === "deny")
    return { type: "run", job, asks: true, before: [], plan, sandbox };
  const words =
    "The file changed after this change was shown for approval; nothing was written. Read it and try again.";
  await record(job.step.room, job.call.id, "failed", failed(words));
  return over;
}

/** Content, kind and mode of each file, before and after. */
const areSame = (shown: readonly ChangedFile[], now: readonly ChangedFile[]): boolean =>
  shown.length === now.length && shown.every((file, at) => isSameFile(file, now[at]));

function isSameFile(shown: ChangedFile, now: ChangedFile | undefined): boolean {
  if (now?.path !== shown.path) return false;
  const [then, today] = [standingsOf(shown), standingsOf(now)];
  return isSameStanding(then.before, today.before) && isSameStanding(then.after, today.after);
}

/** A person has changed the command and allowed that: it is decided on anew, and is asked about no more. */
async function considerEdited(job: Job, known: CallState): Promise<Considered> {
  const { room } = job.step;
  const decided = await decisionOn(job, undefined, room);
  if (job.typed && !(await isTypedAsAsked(job, known, decided))) {
    await record(room, job.call.id, "failed", failed(otherProgram));
    return over;
  }
  if (decided.verdict === "deny") return deny(job, decided);
  if (!(await guardEdited(job))) return over;
  const before = [decisionFact(job.call.id, decided)];
  return { type: "run", job, asks: false, before, plan: undefined, sandbox: decided.sandbox };
}

/** Into the same program in the same place: what the question says of that stands before the command. */
async function isTypedAsAsked(
  job: Job,
  { asked }: CallState,
  { subject, sandbox }: Decided,
): Promise<boolean> {
  const now = await previewOf(job, undefined, subject.directory);
  const isSamePlace = asked?.sandbox?.profile === sandbox?.profile && asked?.sandbox?.isOn === sandbox?.isOn;
  return isSamePlace && headOf(now, job.prepared.command) === headOf(asked?.preview ?? "", asked?.command);
}

const headOf = (preview: string, command = ""): string =>
  preview.slice(0, Math.max(0, preview.length - command.length));

/** The program may be another by the time of the answer: then a person was asked about something else. */
async function considerTyping(job: Job, known: CallState): Promise<Considered> {
  const { asked, answered } = known;
  const { subject, risk, sandbox } = await decisionOn(job, undefined, job.step.room);
  const now = { preview: await previewOf(job, undefined, subject.directory), risk, sandbox };
  const then = { preview: asked?.preview, risk: asked?.risk, sandbox: asked?.sandbox };
  if (answered?.answer === "deny" || isDeepStrictEqual(now, then))
    return considerAsShown(job, known, undefined);
  await record(job.step.room, job.call.id, "failed", failed(otherProgram));
  return over;
}

export const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";

/** What a person is shown: the diff, or the whole command and where it runs unless that is the workspace's root. */
async function previewOf(
  { prepared, typed }: Job,
  plan: Plan | undefined,
  directory: string | undefined,
): Promise<string> {
  if (plan) return diffOf(plan.changes);
  const command = prepared.command ?? prepared.preview ?? prepared.title;
  const into = typed ? ` typed into ${inOneLine(typed.program ?? "whatever reads")}` : "";
  const where = directory === undefined ? "" : ` in ${inOneLine(directory)}`;
  return into === "" && where === "" ? command : `#${into}${where}\n${command}`;
}

/** A line end in a name must not look like the end of the name. */
const inOneLine = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);
