/** The last station of a call: its tool runs, its changes are stored, then made or staged, and its result is recorded. */

import { errorMessage } from "../../base/expected.ts";
import { failpoint } from "../../base/failpoint.ts";
import type { Fact } from "../../protocol/facts.ts";
import { StoreError } from "../../session/store.ts";
import { failedResult, type ToolResult, text } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import type { ApprovedCall } from "./approve.ts";
import {
  applyCommand,
  applyPlan,
  type Origin,
  type ChangePlan,
  planOf,
  recordMoved,
  withDiff,
} from "./change.ts";
import { afterwards, guardCommand } from "./extension-checks.ts";
import { decidedIn, produce, readingOf } from "./produce.ts";
import { conclude, factsIn, record, resultFact, startFact } from "./recording.ts";
import type { CallJob } from "./step.ts";
import { type StagedResult, stagePlan } from "./stored-changes.ts";
import { isStaged } from "./understand.ts";

export function carryOut(approved: ApprovedCall): Promise<void> {
  const { job, plan, reply } = approved;
  if (reply) return recordReply(job, reply);
  return plan ? makeChanges(approved, plan) : runTool(approved);
}

async function recordReply(job: CallJob, reply: ToolResult): Promise<void> {
  const { call, step } = job;
  await step.context.log.append(startFact(job), ...factsIn(reply), resultFact(call.id, undefined, reply));
}

/** Files a command changed, via an overlay or directly, are recorded like all other changes once it has ended. */
async function runTool({ job, before, sandbox, answer }: ApprovedCall): Promise<void> {
  const { context } = job.step;
  const ahead = job.ahead?.comeDue();
  const started = context.log.append(...before, startFact(job, ahead));
  if (needsNoStart(job)) started.catch(() => undefined); // thrown below
  else await started;
  const stands = ahead !== undefined && !ahead.lost;
  if (!stands) await job.ahead?.drop();
  const decided = decidedIn(before);
  const produced =
    (stands ? await job.ahead?.take() : undefined) ?? (await produce(job, { sandbox, decided }));
  failpoint("call-ended");
  try {
    const kept =
      sandbox?.trial || (!answer && produced.lost) ? await decidedLate(job, produced, sandbox) : produced;
    if (kept) await recordCommand(job, kept);
  } finally {
    await produced.settled?.();
  }
  await started;
}

/**
 * A read is repeated after a crash, whether or not the log knows that it had begun: it need not wait for that. The
 * repeated one does, because the log counts how often the program stopped.
 */
const needsNoStart = ({ tool, prepared, step }: CallJob): boolean =>
  tool.does === "read" && prepared.hosts === undefined && !step.isResumed;

/** Loaded late: most commands are decided on before they run, and lose nothing. */
async function decidedLate(
  job: CallJob,
  produced: ToolResult,
  sandbox: ApprovedCall["sandbox"],
): Promise<ToolResult | undefined> {
  const { endTrial, withoutLoss } = await import("./trial.ts");
  return sandbox?.trial ? endTrial(job, produced) : withoutLoss(produced);
}

export async function recordCommand(job: CallJob, produced: ToolResult): Promise<void> {
  const { context } = job.step;
  const { changes = [], uncovered = [] } = produced;
  await recordMoved(produced, job.call.id, context);
  if (isStaged(job, context)) {
    const isStopped = context.signal.aborted;
    const ended = isStopped && changes.length > 0 ? withNotes(produced, [notStaged]) : produced;
    if (isStopped || changes.length === 0)
      return record(context, job.call.id, undefined, await afterwards(job, ended));
    return stage(job, async () => planOf(produced, changes), []);
  }
  const isFree = produced.made === true || changes.length + uncovered.length === 0;
  if (!isFree && !(await guardCommand(job, { ...produced, changes }))) return;
  // An interruption does not undo the changes the command had made by then.
  const kept = withNotes(produced, (await produced.keep?.()) ?? []);
  const outcome = produced.dropped ? "denied" : undefined;
  if (changes.length + uncovered.length === 0)
    return record(context, job.call.id, outcome, await afterwards(job, kept));
  const { fact, problems } = await applyCommand(produced, originOf(job), context);
  await context.log.append(fact);
  const files = fact.type === "change-applied" ? fact.changes : [];
  const told = problems.length === 0 ? kept : asFailed(withNotes(kept, problems));
  return record(context, job.call.id, outcome, await afterwards(job, told, { changes, files }));
}

const notStaged = "What it would have changed was not staged.";

function withNotes(produced: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return produced;
  const words = notes.map((note) => `[${note}]`).join("\n");
  return { ...produced, content: [...produced.content, ...text(words)] };
}

const asFailed = (produced: ToolResult): ToolResult => ({
  ...produced,
  outcome: produced.outcome === "ok" ? "failed" : produced.outcome,
});

/** Makes a tool's changes, or only shows them and stores them under a token. */
async function makeChanges({ job, before, answer }: ApprovedCall, planned: ChangePlan): Promise<void> {
  const { context } = job.step;
  if (isStaged(job, context)) return stage(job, async () => planned, before);
  // Whoever was asked has seen it.
  const plan = answer ? planned : await withDiff(planned);
  const applied = await applyPlan(plan, { ...originOf(job), before }, context);
  if (applied.ok) {
    if (!isFollowed(context)) {
      await context.log.append(applied.value, resultFact(job.call.id, undefined, plan.produced));
      return;
    }
    await context.log.append(applied.value);
    const told = await afterwards(job, plan.produced, { changes: plan.changes, files: plan.described });
    await context.log.append(resultFact(job.call.id, undefined, told));
    return;
  }
  const outcome = context.signal.aborted ? "cancelled" : "failed";
  await context.log.append(resultFact(job.call.id, outcome, failedResult(applied.problem)));
}

const isFollowed = ({ extensions }: TurnContext): boolean =>
  extensions.afterChange !== undefined || extensions.afterCall !== undefined;

/** B9: if staging is due to the mode, the tool's own text ("written") would be wrong. */
async function stage(job: CallJob, plan: () => Promise<ChangePlan>, before: readonly Fact[]): Promise<void> {
  const { context } = job.step;
  const isChange = job.does === "change";
  const isByMode = isChange && job.prepared.stages !== true;
  let staged: StagedResult;
  try {
    const withheld = isChange ? undefined : readingOf(job).withheld;
    staged = await stagePlan(await plan(), { callId: job.call.id, isByMode, withheld }, context);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // The file changed on disk just as its content was being read.
    const because = errorMessage(error);
    return conclude(job, failedResult(`Nothing was staged: ${because}. Try again.`), before);
  }
  await conclude(job, staged.produced, [...before, staged.fact]);
}

const originOf = (job: CallJob): Origin => ({
  callId: job.call.id,
  intent: startFact(job),
  token: job.prepared.token,
});
