/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */
import { isDeepStrictEqual } from "node:util";
import type { ChangedFile, Fact, FactOf, Outcome, Sandboxed } from "../protocol/facts.ts";
import { currentTurn, type CallState } from "../protocol/session-state.ts";
import type { Call } from "../protocol/messages.ts";
import type { Decision, Subject } from "../safety/decide.ts";
import { unreadableCall } from "../tools/call-problems.ts";
import { diffOf } from "../tools/diff.ts";
import { findTool } from "../tools/index.ts";
import { failed, type PreparedCall } from "../tools/tool.ts";
import { answerWithin, question } from "./approvals.ts";
import { type Plan, planOf } from "./change.ts";
import { mostCalls } from "./limits.ts";
import type { TurnRoom } from "./room.ts";
import { carryOut, doesOf, isStaged, type Job, produce, record, resultFact, runTool } from "./run.ts";
import { takeQuestion } from "./questions.ts";
import { isBehindPlan, mayChange, startsEarly, whyNotStarted, writtenTooEarly } from "./starting.ts";
import type { Step } from "./step.ts";
import { judgementOf, subjectOf, typedBy } from "./subject.ts";

/** What a call was found to be: over already, or to be run; `before` are facts that go with its start. */
type Considered =
  | { type: "over" }
  | { type: "run"; asks: boolean; before: Fact[]; plan: Plan | undefined; sandbox: Sandboxed | undefined };

type Understood = Pick<Job, "tool" | "prepared" | "typed" | "judgement">;

type Refusal = { outcome: Outcome; words: string };

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

/** What is typed is judged for the program that takes it now. */
function asOfNow(job: Job): Job {
  if (!job.typed) return job;
  const { typed: _, judgement: __, ...rest } = job;
  return { ...rest, ...judged(job.prepared, job.step.room) };
}

function judged(prepared: PreparedCall, room: TurnRoom): Pick<Job, "typed" | "judgement"> {
  const typed = typedBy(prepared, room);
  const judgement = judgementOf(prepared, typed, room);
  return { ...(typed ? { typed } : {}), ...(judgement ? { judgement } : {}) };
}

function understand(call: Call, room: TurnRoom): Understood | Refusal {
  const turn = currentTurn(room.log.state);
  const most = turn ? mostCalls(turn, room.limits) : 0;
  if ((turn?.callIds.lastIndexOf(call.id) ?? -1) >= most)
    return { outcome: "cancelled", words: `Not started: the limit of ${most} calls was reached.` };
  const found = findTool(room.tools, call.name);
  if (!found.ok) {
    const words = call.problem === undefined ? found.problem : unreadableCall(call, call.problem, undefined);
    return { outcome: "invalid", words };
  }
  const denied = room.deniedOutright(found.value.name);
  if (denied !== undefined) return { outcome: "denied", words: `Denied: ${denied}.` };
  if (call.problem !== undefined)
    return { outcome: "invalid", words: unreadableCall(call, call.problem, found.value) };
  const prepared = found.value.prepare(call.input);
  if (!prepared.ok) return { outcome: "invalid", words: prepared.problem };
  return { tool: found.value, prepared: prepared.value, ...judged(prepared.value, room) };
}

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
  if (doesOf(job) !== "change") {
    if (!known?.asked) return decideOn(job, undefined);
    return job.typed ? considerTyping(job, known) : considerAgain(job, known, undefined);
  }
  if (!known?.asked) {
    const early = await decision(job, undefined);
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

type Decided = Decision & { subject: Subject };

async function decision(job: Job, plan: Plan | undefined): Promise<Decided> {
  const { room } = job.step;
  const { mode } = room.log.state; // a plan may be approved meanwhile
  const subject = await subjectOf({ ...job, stages: isStaged(job) }, plan?.changes ?? [], room);
  return { ...(await room.decide(subject, mode)), subject };
}

async function decideOn(job: Job, plan: Plan | undefined): Promise<Considered> {
  const { call, prepared, step } = job;
  const decided = await decision(job, plan);
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
  const about = { title: prepared.title, preview, repairs };
  const changes = plan ? { changes: plan.described } : {};
  await step.room.log.append(fact, { ...question(call.id, about, decided), ...changes });
  return { type: "run", asks: true, before: [], plan, sandbox };
}

async function deny({ call, step }: Job, decided: Decided): Promise<Considered> {
  const words = `Denied: ${decided.because}. Nothing was done; do not try the same again.`;
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

/** The program may be another by the time of the answer: then a person was asked about something else. */
async function considerTyping(job: Job, known: CallState): Promise<Considered> {
  const { asked, answered } = known;
  const { subject, risk, sandbox } = await decision(job, undefined);
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
    if (!answer && whyNotStarted(job) === undefined) {
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
  return `The user said no.${note} Nothing was done; do not try the same again.`;
}

const decisionFact = (callId: string, decision: Decision): FactOf<"decision"> => ({
  type: "decision",
  callId,
  verdict: decision.verdict,
  because: decision.because,
  risk: decision.risk,
  trace: decision.trace,
  ...(decision.sandbox === undefined ? {} : { sandbox: decision.sandbox }),
});
