/** A call that may run: its tool, what it changes, and its result. */
import { failpoint } from "../base/failpoint.ts";
import type { Judgement } from "../safety/judgement.ts";
import { changedBy, shownTo } from "../safety/containment.ts";
import type { Does, Fact, FactOf, Outcome, Sandboxed } from "../protocol/facts.ts";
import type { Call } from "../protocol/messages.ts";
import { StoreError } from "../session/store.ts";
import { failed, type PreparedCall, type Produced, text, type Tool } from "../tools/tool.ts";
import {
  applyCommand,
  applyPlan,
  type Origin,
  type Plan,
  planOf,
  type Staged,
  stagedChanges,
  stagePlan,
} from "./change.ts";
import { editedWords } from "../protocol/edited-command.ts";
import { readAgain, wayToAll } from "../protocol/fold-told.ts";
import { earlierResult } from "./context/earlier-result.ts";
import type { Typed } from "../tools/terminal/typed.ts";
import type { TurnRoom } from "./room.ts";
import type { Step } from "./step.ts";

/**
 * A call whose name and arguments were understood; `typed`: what it types, and into what; `edited`: the command that a
 * person has put in place of the model's.
 */
export type Job = {
  call: Call;
  tool: Tool;
  prepared: PreparedCall;
  edited?: string;
  typed?: Typed;
  judgement?: Judgement;
  step: Step;
};

export const doesOf = ({ tool, prepared }: Pick<Job, "tool" | "prepared">): Does =>
  prepared.does ?? tool.does;

/** Whether it only shows its changes and keeps them under a token: asked for, or because of the mode. */
export const isStaged = (job: Job): boolean => stagesIn(job, job.step.room);

export function stagesIn(
  { tool, prepared }: Pick<Job, "tool" | "prepared">,
  { log }: Pick<TurnRoom, "log">,
): boolean {
  if (prepared.token !== undefined || doesOf({ tool, prepared }) === "read") return false;
  return prepared.stages === true || log.state.mode === "staged";
}

/** A command may have changed files, over a layer or by itself: they go the way of all changes, once it has ended. */
export async function runTool(
  job: Job,
  { before, sandbox }: { before: readonly Fact[]; sandbox: Sandboxed | undefined },
): Promise<void> {
  const { room } = job.step;
  await room.log.append(...before, startFact(job));
  const produced = await produce(job, sandbox);
  failpoint("call-ended");
  try {
    await recordCommand(job, produced);
  } finally {
    await produced.settled?.();
  }
}

async function recordCommand(job: Job, produced: Produced): Promise<void> {
  const { room } = job.step;
  const { changes = [], uncovered = [] } = produced;
  if (changes.length === 0 && (uncovered.length === 0 || isStaged(job)))
    return record(room, job.call.id, undefined, produced);
  if (isStaged(job)) {
    room.signal.throwIfAborted();
    return stage(job, async () => planOf(produced, changes), []);
  }
  // An interruption does not undo what the command did until then.
  const { fact, problems } = await applyCommand(produced, originOf(job), room);
  await room.log.append(fact);
  return record(room, job.call.id, undefined, withNotes(produced, problems));
}

function withNotes(produced: Produced, notes: readonly string[]): Produced {
  if (notes.length === 0) return produced;
  return {
    ...produced,
    outcome: produced.outcome === "ok" ? "failed" : produced.outcome,
    content: [...produced.content, ...text(notes.map((note) => `[${note}]`).join("\n"))],
  };
}

/** A tool's changes: made, or only shown and kept under a token. */
export async function carryOut(job: Job, plan: Plan, before: readonly Fact[]): Promise<void> {
  const { room } = job.step;
  if (isStaged(job)) return stage(job, async () => plan, before);
  const applied = await applyPlan(plan, { ...originOf(job), before }, room);
  if (applied.ok) {
    await room.log.append(applied.value, resultFact(job.call.id, undefined, plan.produced));
    return;
  }
  const outcome = room.signal.aborted ? "cancelled" : "failed";
  await room.log.append(resultFact(job.call.id, outcome, failed(applied.problem)));
}

/** B9: where staging is the mode's doing, the tool's own words would claim too much. */
async function stage(job: Job, plan: () => Promise<Plan>, before: readonly Fact[]): Promise<void> {
  const { room } = job.step;
  const legacy = job.prepared.stages !== true && doesOf(job) === "change";
  let staged: Staged;
  try {
    staged = await stagePlan(await plan(), { callId: job.call.id, legacy }, room);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // Somebody changed a file whose content was just to be read.
    const because = error instanceof Error ? error.message : String(error);
    await room.log.append(...before);
    return record(room, job.call.id, "failed", failed(`Nothing was staged: ${because}. Try again.`));
  }
  await room.log.append(...before, staged.fact, resultFact(job.call.id, undefined, staged.produced));
}

function originOf(job: Job): Origin {
  const { token } = job.prepared;
  return { callId: job.call.id, intent: startFact(job), ...(token === undefined ? {} : { token }) };
}

export function startFact(job: Job): FactOf<"call-start"> {
  const { call, prepared } = job;
  const repairs = prepared.repairs?.length ? { repairs: prepared.repairs } : {};
  return { type: "call-start", callId: call.id, title: prepared.title, does: doesOf(job), ...repairs };
}

/** Where it was not told: for questions of earlier versions, and tools that start no programs. */
const strictest: Sandboxed = { profile: "read", isOn: true };

/** Runs the tool itself; an exception becomes a failed result, an interruption stays one. */
export async function produce(job: Job, sandbox: Sandboxed = strictest): Promise<Produced> {
  const { room } = job.step;
  let offset = 0;
  try {
    const produced = await job.prepared.run({
      workspace: room.workspace,
      files: room.files,
      terminals: room.terminals,
      signal: room.signal,
      output: (words) => {
        room.log.signal({ type: "output-delta", callId: job.call.id, offset, text: words });
        offset += words.length;
      },
      environment: room.environment,
      contain: room.contain(sandbox, {
        shown: shownTo(job.judgement),
        changed: changedBy(job.judgement),
        stages: isStaged(job),
      }),
      keep: (bytes) => room.putBlob(bytes),
      seen: (path) => room.log.state.seen.get(path) ?? undefined,
      staged: (token) => stagedChanges(token, room),
      result: (callId) => earlierResult(callId, room),
    });
    return withEdit(withWayToAll(produced, job), job);
  } catch (error) {
    room.signal.throwIfAborted();
    return failed(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Of an output that was cut the model learns how to see the rest. */
function withWayToAll(produced: Produced, { call, step }: Job): Produced {
  const canRead = step.room.tools.some(({ name }) => name === readAgain);
  if (produced.full === undefined || !canRead) return produced;
  return {
    ...produced,
    content: [...produced.content, ...text(wayToAll(call.id))],
  };
}

/** The model learns what has run in place of what it wrote. */
const withEdit = (produced: Produced, { edited }: Job): Produced =>
  edited === undefined
    ? produced
    : { ...produced, content: [...text(editedWords(edited)), ...produced.content] };

export async function record(
  room: TurnRoom,
  callId: string,
  outcome: Outcome | undefined,
  produced: Produced,
): Promise<void> {
  room.signal.throwIfAborted(); // agent/finish answers what an interruption left open
  await room.log.append(...todosOf(produced), resultFact(callId, outcome, produced));
}

/** The list of things to do, where a call has changed it. */
export const todosOf = ({ todos }: Produced): Fact[] =>
  todos === undefined ? [] : [{ type: "todos-set", items: todos }];

export function resultFact(
  callId: string,
  outcome: Outcome | undefined,
  produced: Produced,
): FactOf<"result"> {
  return {
    type: "result",
    callId,
    outcome: outcome ?? produced.outcome,
    content: produced.content,
    ...(produced.seen === undefined ? {} : { seen: produced.seen }),
    ...(produced.full === undefined ? {} : { full: produced.full }),
    ...(produced.metadata === undefined ? {} : { metadata: produced.metadata }),
  };
}
