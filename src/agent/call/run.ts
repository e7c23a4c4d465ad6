/** A call that may run: its tool, what it changes, and its result. */

import { withoutUndefined } from "../../base/defined.ts";
import { errorMessage } from "../../base/expected.ts";
import { failpoint } from "../../base/failpoint.ts";
import type { Fact, SandboxRecord } from "../../protocol/facts.ts";
import { readAgain, wayToAll } from "../../protocol/fold-compaction.ts";
import { changedBy, shownTo } from "../../safety/containment.ts";
import { StoreError } from "../../session/store.ts";
import { failedResult, forModel, type ToolResult, text } from "../../tools/tool.ts";
import { earlierResult } from "../context/earlier-result.ts";
import type { TurnContext } from "../turn-context.ts";
import { afterwards } from "./afterwards.ts";
import {
  applyCommand,
  applyPlan,
  type Origin,
  type ChangePlan,
  planOf,
  type StagedResult,
  stagedChanges,
  stagePlan,
} from "./change.ts";
import { guardCommand } from "./guarding.ts";
import { conclude, doesOf, isStaged, type CallJob, record, resultFact, startFact } from "./job.ts";
import { type CallDecision, type CallFileAccess, readingOf } from "./reading.ts";
import { endTrial, withoutOutgrown } from "./trial.ts";

/** Files a command changed, via an overlay or directly, are recorded like all other changes once it has ended. */
export async function runTool(
  job: CallJob,
  {
    before,
    sandbox,
    asks = false,
  }: { before: readonly Fact[]; sandbox: SandboxRecord | undefined; asks?: boolean },
): Promise<void> {
  const { context } = job.step;
  await context.log.append(...before, startFact(job));
  const produced = await produce(job, { sandbox });
  failpoint("call-ended");
  try {
    const kept = sandbox?.trial ? await endTrial(job, produced) : asks ? produced : withoutOutgrown(produced);
    if (kept) await recordCommand(job, kept);
  } finally {
    await produced.settled?.();
  }
}

export async function recordCommand(job: CallJob, produced: ToolResult): Promise<void> {
  const { context } = job.step;
  const { changes = [], uncovered = [] } = produced;
  if (isStaged(job)) {
    if (changes.length === 0) return record(context, job.call.id, undefined, await afterwards(job, produced));
    context.signal.throwIfAborted();
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
export async function carryOut(job: CallJob, plan: ChangePlan, before: readonly Fact[]): Promise<void> {
  const { context } = job.step;
  if (isStaged(job)) return stage(job, async () => plan, before);
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
  const legacy = job.prepared.stages !== true && doesOf(job) === "change";
  let staged: StagedResult;
  try {
    const shown = doesOf(job) === "change" ? undefined : readingOf(job).withheld;
    staged = await stagePlan(
      await plan(),
      { callId: job.call.id, legacy, ...withoutUndefined({ withheld: shown }) },
      context,
    );
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // The file changed on disk just as its content was being read.
    const because = errorMessage(error);
    return conclude(job, failedResult(`Nothing was staged: ${because}. Try again.`), before);
  }
  await conclude(job, staged.produced, [...before, staged.fact]);
}

function originOf(job: CallJob): Origin {
  const { token } = job.prepared;
  return { callId: job.call.id, intent: startFact(job), ...(token === undefined ? {} : { token }) };
}

/** For questions that record no sandbox: those of earlier versions, and of tools that start no programs. */
const strictest: SandboxRecord = { profile: "read", isOn: true };

/** Runs the tool itself; an exception becomes a failed result, an interruption stays one. */
export async function produce(
  job: CallJob,
  { sandbox = strictest, decided }: { sandbox?: SandboxRecord | undefined; decided?: CallDecision } = {},
): Promise<ToolResult> {
  const { context } = job.step;
  const reading = readingOf(job, decided);
  let offset = 0;
  try {
    const produced = await job.prepared.run({
      workspace: context.workspace,
      files: reading.files,
      withheld: reading.withheld,
      terminals: context.terminals,
      signal: context.signal,
      output: (words) => {
        context.log.signal({ type: "output-delta", callId: job.call.id, offset, text: words });
        offset += words.length;
      },
      environment: context.environment,
      contain: context.contain(sandbox, {
        shown: shownTo(job.judgement, sandbox),
        changed: changedBy(job.judgement),
        stages: isStaged(job),
      }),
      keep: (bytes) => context.putBlob(bytes),
      seen: (path) => context.log.state.seen.get(path) ?? undefined,
      staged: (token) => stagedChanges(token, context),
      result: (callId) => earlierResult(callId, context),
      ...(context.delegate ? { delegate: context.delegate(job.call.id) } : {}),
    });
    return withEdit(withWayToAll(untold(produced, reading), job), job);
  } catch (error) {
    context.signal.throwIfAborted();
    return failedResult(`The tool failed: ${errorMessage(error)}`);
  }
}

/** Why a plan fails tells what is in the file, which nobody has agreed to yet. */
function untold(produced: ToolResult, reading: CallFileAccess): ToolResult {
  const paths = reading.untold();
  if (paths.length === 0 || (produced.outcome === "ok" && produced.changes?.length)) return produced;
  return failedResult(
    `Nothing was changed: this does not fit, or would change nothing. Why is not said, since it would show what is in ${paths.join(", ")}. Read that first, which asks the user.`,
  );
}

/** Tells the model how to read the rest of a truncated output. */
function withWayToAll(produced: ToolResult, { call, step }: CallJob): ToolResult {
  const canRead = step.context.tools.some(({ name }) => name === readAgain);
  if (produced.full === undefined || !canRead) return produced;
  return {
    ...produced,
    content: [...produced.content, ...forModel(wayToAll(call.id))],
  };
}

/** Tells the model which command ran instead of the one it wrote. */
function withEdit(produced: ToolResult, { edited, call, step }: CallJob): ToolResult {
  const rewritten = step.context.log.state.calls.get(call.id)?.rewritten;
  const words =
    edited !== undefined
      ? editedWords(edited)
      : rewritten && `${rewrittenWords} ${JSON.stringify(rewritten)}`;
  return words === undefined ? produced : { ...produced, content: [...forModel(words), ...produced.content] };
}

const editedWords = (command: string): string =>
  `The user changed this command before allowing it. This was run instead of what you wrote: ${command}`;
const rewrittenWords = "A hook changed this call. It ran with these arguments instead of what you wrote:";
