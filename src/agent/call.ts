/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */
import { isDeepStrictEqual } from "node:util";
import { nobody } from "../protocol/fact-words.ts";
import type { ChangedFile, Fact, FactOf, Sandboxed } from "../protocol/facts.ts";
import type { CallState } from "../protocol/session-state.ts";
import type { Call } from "../protocol/messages.ts";
import { diffOf } from "../tools/diff.ts";
import { failed } from "../tools/tool.ts";
import { answerWithin, question } from "./approvals.ts";
import { type Plan, planOf } from "./change.ts";
import { type Decided, decisionFact, decisionOn } from "./decision.ts";
import { carryOut, doesOf, type Job, produce, record, resultFact, runTool } from "./run.ts";
import { takeQuestion } from "./questions.ts";
import { isBehindPlan, mayChange, startsEarly, whyNotStarted, writtenTooEarly } from "./starting.ts";
import type { Step } from "./step.ts";
import { typedBy } from "./subject.ts";
import { asOfNow, understand } from "./understand.ts";

/** What a call was found to be: over already, or to be run; `before` are facts that go with its start. */
type Considered =
  | { type: "over" }
  | { type: "run"; asks: boolean; before: Fact[]; plan: Plan | undefined; sandbox: Sandboxed | undefined };

/**
 * Order: name, aliases, explicit deny, schema, then plan mode, protected places, rules and risk, and the
 * question last (DESIGN.md 3.6). Its place in the queue is taken at once; so are its decision and question,
 * unless a change or command ahead of it could make them untrue.
 */
export async function performCall(call: Call, step: Step): Promise<void> {
  try {
    const understood = understand(call, step.room);
    if ("words" in understood)
      return await record(step.room, call.id, understood.outcome, failed(understood.words));
    await queue({ call, step, ...understood });
  } catch (error) {
    step.stop(error); // interrupted, or the log failed
    throw error;
  }
}

async function queue(job: Job): Promise<void> {
  const { step, judgement } = job;
  const does = doesOf(job);
  // A command that only reads runs where nothing can be changed; on a terminal one follows the other.
  const types = job.typed !== undefined;
  const exclusive = types || (does !== "read" && (judgement?.onlyReads !== true || lasts(job)));
  // What plan mode denies waits for nobody; and who takes what is typed, the calls ahead may change.
  const known = step.questionsAhead === 0 || step.room.log.state.mode === "plan";
  const early = known && (step.exclusiveAhead === 0 || (does === "execute" && !types));
  const considering = early ? consider(job) : undefined;
  considering?.catch(() => undefined); // awaited when its turn comes
  const asks = job.prepared.asks !== undefined;
  if (exclusive) step.exclusiveAhead += 1;
  if (asks) step.questionsAhead += 1;
  try {
    await step.turnstile.pass(
      exclusive ? "exclusive" : "shared",
      async () => {
        if (step.stalled) return;
        if (considering) return takeTurn(job, await considering);
        const now = asOfNow(job);
        await takeTurn(now, await consider(now));
      },
      step.room.signal,
    );
  } finally {
    if (exclusive) step.exclusiveAhead -= 1;
    if (asks) step.questionsAhead -= 1;
    // A question that is still being made would be made again by the next step.
    await considering?.catch(() => undefined);
  }
}

const lasts = ({ prepared }: Job): boolean => prepared.lasting === true;

/**
 * Decides, plans a change, and asks where a person must be asked. A call of an earlier step keeps its decision.
 * What is denied is not even planned: why a plan failed tells what is in the file.
 */
async function consider(job: Job): Promise<Considered> {
  const { call, step } = job;
  const known = step.room.log.state.calls.get(call.id);
  if (known?.question) return { type: "run", asks: false, before: [], plan: undefined, sandbox: undefined };
  if (isBehindPlan(job)) {
    await record(step.room, call.id, "denied", failed(writtenTooEarly));
    return { type: "over" };
  }
  if (known && job.edited !== undefined) return considerEdited(job, known);
  if (doesOf(job) !== "change") {
    if (!known?.asked) return decideOn(job, undefined);
    return job.typed ? considerTyping(job, known) : considerAgain(job, known, undefined);
  }
  if (!known?.asked) {
    const early = await decisionOn(job, undefined, step.room);
    if (early.verdict === "deny") return deny(job, early);
  }
  const planned = await produce(job);
  if (planned.outcome !== "ok" || !planned.changes?.length) {
    await record(step.room, call.id, planned.outcome, planned);
    return { type: "over" };
  }
  const plan = await planOf(planned, planned.changes);
  return known?.asked ? considerAgain(job, known, plan) : decideOn(job, plan);
}

async function decideOn(job: Job, plan: Plan | undefined): Promise<Considered> {
  const { call, prepared, step } = job;
  const decided = await decisionOn(job, plan, step.room);
  const { sandbox } = decided;
  const fact = decisionFact(call.id, decided);
  if (decided.verdict === "deny") return deny(job, decided);
  // Who is to be asked before a question is asked by the question itself.
  if (decided.verdict === "allow" || prepared.asks)
    return { type: "run", asks: false, before: [fact], plan, sandbox };
  const whyNot = await prepared.whyNot?.(step.room);
  if (whyNot !== undefined) {
    await record(step.room, call.id, "failed", failed(whyNot));
    return { type: "over" };
  }
  const { subject } = decided;
  const repairs = [...(call.repairs ?? []), ...(prepared.repairs ?? [])];
  const preview = await previewOf(job, plan, subject.directory);
  const about = { title: prepared.title, preview, repairs, ...commandIn(prepared) };
  const changes = plan ? { changes: plan.described } : {};
  await step.room.log.append(fact, { ...question(call.id, about, decided), ...changes });
  return { type: "run", asks: true, before: [], plan, sandbox };
}

const commandIn = ({ command, edited }: Job["prepared"]): { command?: string } =>
  edited && command !== undefined ? { command } : {};

async function deny({ call, step, edited }: Job, decided: Decided): Promise<Considered> {
  const whose = edited === undefined ? "" : `The user changed this command to: ${edited}\n`;
  const words = `${whose}Denied: ${decided.because}. Nothing was done; do not try the same again.`;
  await step.room.log.append(decisionFact(call.id, decided), resultFact(call.id, "denied", failed(words)));
  return { type: "over" };
}

/** What a person said yes to must be what is done: a plan that came out differently since is not carried out. */
async function considerAgain(
  job: Job,
  { asked, answered }: CallState,
  plan: Plan | undefined,
): Promise<Considered> {
  const isSame = plan === undefined || areSame(asked?.changes ?? [], plan.described);
  const sandbox = asked?.sandbox;
  if (isSame || answered?.answer === "deny") return { type: "run", asks: true, before: [], plan, sandbox };
  const words =
    "The file changed after this change was shown for approval; nothing was written. Read it and try again.";
  await record(job.step.room, job.call.id, "failed", failed(words));
  return { type: "over" };
}

/** A person has changed the command and allowed that: it is decided on anew, and is asked about no more. */
async function considerEdited(job: Job, known: CallState): Promise<Considered> {
  const { room } = job.step;
  const decided = await decisionOn(job, undefined, room);
  if (job.typed && !(await isTypedAsAsked(job, known, decided))) {
    await record(room, job.call.id, "failed", failed(otherProgram));
    return { type: "over" };
  }
  if (decided.verdict === "deny") return deny(job, decided);
  const before = [decisionFact(job.call.id, decided)];
  return { type: "run", asks: false, before, plan: undefined, sandbox: decided.sandbox };
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
    return considerAgain(job, known, undefined);
  await record(job.step.room, job.call.id, "failed", failed(otherProgram));
  return { type: "over" };
}

function areSame(before: readonly ChangedFile[], now: readonly ChangedFile[]): boolean {
  return contentsOf(before) === contentsOf(now);
}

const contentsOf = (files: readonly ChangedFile[]): string =>
  files.map((file) => `${file.path} ${file.before} ${file.after}`).join("\n");

/** What a person is shown: the diff, or the whole command and where it runs unless that is the workspace's root. */
async function previewOf(
  { prepared, typed }: Job,
  plan: Plan | undefined,
  directory: string | undefined,
): Promise<string> {
  if (plan) return diffOf(plan.changes);
  const command = prepared.command ?? prepared.title;
  const into = typed ? ` typed into ${inOneLine(typed.program ?? "whatever reads")}` : "";
  const where = directory === undefined ? "" : ` in ${inOneLine(directory)}`;
  return into === "" && where === "" ? command : `#${into}${where}\n${command}`;
}

/** A line end in a name must not look like the end of the name. */
const inOneLine = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);

/** The call is at the head of the queue. */
async function takeTurn(job: Job, considered: Considered, tries = mostTries): Promise<void> {
  const { call, step } = job;
  if (considered.type === "over") return;
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
  if (never !== undefined) return record(step.room, call.id, "cancelled", failed(`Not started: ${never}`));
  step.room.signal.throwIfAborted();
  if (isTypedElsewhere(job)) return typeAnew(job, considered, tries);
  const noted = mayChange(job) ? await step.room.beforeChange() : [];
  if (noted.length > 0) await step.room.log.append(...noted);
  await (considered.plan ? carryOut(job, considered.plan, considered.before) : runTool(job, considered));
}

/** How often a text is judged anew because what reads has changed; it may never rest. */
const mostTries = 3;

/** What nobody was asked about is judged for what reads now. A yes to something else is none to this. */
async function typeAnew(job: Job, { asks }: { asks: boolean }, tries: number): Promise<void> {
  if (asks || tries === 0) return record(job.step.room, job.call.id, "failed", failed(otherProgram));
  const now = asOfNow(job);
  return takeTurn(now, await consider(now), tries - 1);
}

/** The program for which its text was judged may have ended meanwhile. */
const isTypedElsewhere = ({ prepared, typed, step }: Job): boolean =>
  typed !== undefined && !isDeepStrictEqual(typed, typedBy(prepared, step.room));

const otherProgram =
  "Nothing was typed: since this was decided, what reads in the terminal, or where its shell stands, has changed. Read the terminal, then write again.";

function refusal(answer: FactOf<"approval-answered">): string {
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  const who = answer.by === nobody ? "Nobody answered in time, which counts as a no." : "The user said no.";
  return `${who}${note} Nothing was done; do not try the same again.`;
}
