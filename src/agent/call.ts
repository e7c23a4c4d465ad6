/** One call, from its name to its result. Every refusal and failure is a result that the model can act on (C8). */
import { shownTo } from "../safety/containment.ts";
import type { Decision, Subject } from "../safety/decide.ts";
import type { Judgement } from "../safety/judgement.ts";
import type { Call } from "../protocol/messages.ts";
import type { ChangedFile, Fact, FactOf, Outcome, Sandboxed } from "../protocol/facts.ts";
import { currentTurn, type CallState } from "../protocol/fold.ts";
import { unreadableCall } from "../tools/call-problems.ts";
import { commitChanges, describeChange, diffOf, type Change } from "../tools/change.ts";
import { findTool } from "../tools/index.ts";
import { failed, type PreparedCall, type Produced, type Tool } from "../tools/tool.ts";
import { answerWithin, question } from "./approvals.ts";
import type { TurnRoom } from "./room.ts";
import type { Step } from "./step.ts";
import { judgementOf, subjectOf } from "./subject.ts";

/** A call whose name and arguments were understood. */
type Job = { call: Call; tool: Tool; prepared: PreparedCall; judgement?: Judgement; step: Step };

/** A planned change and what facts say of it. */
type Plan = { produced: Produced; changes: readonly Change[]; described: ChangedFile[] };

/** What a call was found to be: over already, or to be run; `before` are facts that go with its start. */
type Considered =
  | { type: "over" }
  | { type: "run"; asks: boolean; before: Fact[]; plan: Plan | undefined; sandbox: Sandboxed | undefined };

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
  const { step, tool, judgement } = job;
  // A command that only reads runs where nothing can be changed.
  const exclusive = tool.does !== "read" && judgement?.onlyReads !== true;
  const early = step.exclusiveAhead === 0 || tool.does === "execute";
  const considering = early ? consider(job) : undefined;
  considering?.catch(() => undefined); // awaited when its turn comes
  if (exclusive) step.exclusiveAhead += 1;
  try {
    await step.turnstile.pass(
      exclusive ? "exclusive" : "shared",
      async () => {
        if (!step.stalled) await takeTurn(job, await (considering ?? consider(job)));
      },
      step.room.signal,
    );
  } finally {
    if (exclusive) step.exclusiveAhead -= 1;
    // A question that is still being made would be made again by the next step.
    await considering?.catch(() => undefined);
  }
}

function understand(
  call: Call,
  room: TurnRoom,
): { tool: Tool; prepared: PreparedCall; judgement?: Judgement } | Refusal {
  const { maxCalls } = room.limits;
  if ((currentTurn(room.log.state)?.callIds.lastIndexOf(call.id) ?? -1) >= maxCalls)
    return { outcome: "cancelled", words: `Not started: the limit of ${maxCalls} calls was reached.` };
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
  const judgement = judgementOf(prepared.value, room);
  return { tool: found.value, prepared: prepared.value, ...(judgement ? { judgement } : {}) };
}

/**
 * Decides, plans a change, and asks where a person must be asked. A call of an earlier step keeps its decision.
 * What is denied is not even planned: why a plan failed tells what is in the file.
 */
async function consider(job: Job): Promise<Considered> {
  const { call, tool, step } = job;
  const known = step.room.log.state.calls.get(call.id);
  if (tool.does !== "change")
    return known?.asked ? considerAgain(job, known, undefined) : decideOn(job, undefined);
  if (!known?.asked) {
    const early = await decision(job, undefined);
    if (early.verdict === "deny") return deny(job, early);
  }
  const planned = await produce(job);
  if (planned.outcome !== "ok" || !planned.changes?.length) {
    await record(step.room, call.id, planned.outcome, planned);
    return { type: "over" };
  }
  const plan = planOf(planned, planned.changes);
  return known?.asked ? considerAgain(job, known, plan) : decideOn(job, plan);
}

type Decided = Decision & { subject: Subject };

async function decision(job: Job, plan: Plan | undefined): Promise<Decided> {
  const { room } = job.step;
  const subject = await subjectOf(job, plan?.changes ?? [], room);
  return { ...(await room.decide(subject, room.log.state.mode)), subject };
}

async function decideOn(job: Job, plan: Plan | undefined): Promise<Considered> {
  const { call, prepared, step } = job;
  const decided = await decision(job, plan);
  const { sandbox } = decided;
  const fact = decisionFact(call.id, decided);
  if (decided.verdict === "allow") return { type: "run", asks: false, before: [fact], plan, sandbox };
  if (decided.verdict === "deny") return deny(job, decided);
  const { subject } = decided;
  const repairs = [...(call.repairs ?? []), ...(prepared.repairs ?? [])];
  const about = { title: prepared.title, preview: previewOf(job, plan, subject.directory), repairs };
  const changes = plan ? { changes: plan.described } : {};
  await step.room.log.append(fact, { ...question(call.id, about, decided), ...changes });
  return { type: "run", asks: true, before: [], plan, sandbox };
}

async function deny({ call, step }: Job, decided: Decided): Promise<Considered> {
  const words = `Denied: ${decided.because}. Nothing was done; do not try the same again.`;
  await step.room.log.append(decisionFact(call.id, decided), resultFact(call.id, "denied", failed(words)));
  return { type: "over" };
}

function planOf(produced: Produced, changes: readonly Change[]): Plan {
  return { produced, changes, described: changes.map(describeChange) };
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

function areSame(before: readonly ChangedFile[], now: readonly ChangedFile[]): boolean {
  return contentsOf(before) === contentsOf(now);
}

const contentsOf = (files: readonly ChangedFile[]): string =>
  files.map((file) => `${file.path} ${file.before} ${file.after}`).join("\n");

/** What a person is shown: the diff, or the whole command and where it runs unless that is the workspace's root. */
function previewOf({ prepared }: Job, plan: Plan | undefined, directory: string | undefined): string {
  if (plan) return diffOf(plan.changes);
  const command = prepared.command ?? prepared.title;
  if (directory === undefined) return command;
  // A line end in a name must not look like the end of the name.
  return `# in ${/\p{Cc}/u.test(directory) ? JSON.stringify(directory) : directory}\n${command}`;
}

/** The call is at the head of the queue. */
async function takeTurn(job: Job, considered: Considered): Promise<void> {
  const { call, step } = job;
  if (considered.type === "over") return;
  if (!startsEarly(job)) await step.answerOver;
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
  await (considered.plan ? applyChanges(job, considered.plan, considered.before) : runTool(job, considered));
}

/** FORMATS.md 4.8: calls read from text change nothing before their answer is over, and nothing if it was cut off. */
const startsEarly = ({ call, tool }: Job): boolean => call.source === "native" || tool.does === "read";

function whyNotStarted(job: Job): string | undefined {
  const { outcome } = job.step;
  if (outcome === "broken") return "the answer that asked for it broke off. Ask again if it is still needed.";
  if (outcome === "cut" && !startsEarly(job))
    return "the answer that asked for it was cut off at its end. Send the call again, in smaller parts if it is long.";
  return undefined;
}

function refusal(answer: FactOf<"approval-answered">): string {
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  return `The user said no.${note} Nothing was done; do not try the same again.`;
}

async function runTool(job: Job, { before, sandbox }: Extract<Considered, { type: "run" }>): Promise<void> {
  const { room } = job.step;
  await room.log.append(...before, startFact(job));
  await record(room, job.call.id, undefined, await produce(job, sandbox));
}

/** Before-images first, then the intent, then the disk, then the fact (DESIGN.md 3.6). */
async function applyChanges(
  job: Job,
  { produced, changes, described }: Plan,
  before: readonly Fact[],
): Promise<void> {
  const { room } = job.step;
  for (const change of changes) if (change.before) await room.putBlob(change.before);
  await room.log.append(...before, { ...startFact(job), changes: described });
  const committed = await commitChanges(room.workspace, changes, {
    stillCurrent: () => !room.signal.aborted,
  });
  if (!committed.ok) {
    const outcome = room.signal.aborted ? "cancelled" : "failed";
    await room.log.append(resultFact(job.call.id, outcome, failed(committed.problem)));
    return;
  }
  const applied: Fact = { type: "change-applied", callId: job.call.id, changes: described };
  await room.log.append(applied, resultFact(job.call.id, undefined, produced));
}

function startFact({ call, tool, prepared }: Job): FactOf<"call-start"> {
  const repairs = prepared.repairs?.length ? { repairs: prepared.repairs } : {};
  return { type: "call-start", callId: call.id, title: prepared.title, does: tool.does, ...repairs };
}

/** Where it was not told: for questions of earlier versions, and tools that start no programs. */
const strictest: Sandboxed = { profile: "read", isOn: true };

/** Runs the tool itself; an exception becomes a failed result, an interruption stays one. */
async function produce(job: Job, sandbox: Sandboxed = strictest): Promise<Produced> {
  const { room } = job.step;
  let offset = 0;
  try {
    return await job.prepared.run({
      workspace: room.workspace,
      signal: room.signal,
      output: (words) => {
        room.log.signal({ type: "output-delta", callId: job.call.id, offset, text: words });
        offset += words.length;
      },
      environment: room.environment,
      contain: room.contain(sandbox, shownTo(job.judgement)),
      keep: (bytes) => room.putBlob(bytes),
      seen: (path) => room.log.state.seen.get(path) ?? undefined,
    });
  } catch (error) {
    room.signal.throwIfAborted();
    return failed(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function record(
  room: TurnRoom,
  callId: string,
  outcome: Outcome | undefined,
  produced: Produced,
): Promise<void> {
  room.signal.throwIfAborted(); // agent/finish answers what an interruption left open
  await room.log.append(resultFact(callId, outcome, produced));
}

function resultFact(callId: string, outcome: Outcome | undefined, produced: Produced): FactOf<"result"> {
  return {
    type: "result",
    callId,
    outcome: outcome ?? produced.outcome,
    content: produced.content,
    ...(produced.seen === undefined ? {} : { seen: produced.seen }),
    ...(produced.full === undefined ? {} : { full: produced.full }),
  };
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
