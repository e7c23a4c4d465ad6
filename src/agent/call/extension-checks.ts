/**
 * What extensions say of a call: they may refuse or change it before a person is asked, refuse its changes, and add to its
 * result for the model (C7).
 */

import { fileBounds } from "../../base/bounds.ts";
import { errorMessage } from "../../base/expected.ts";
import { type Change, type Image, isSameImage } from "../../base/safe-fs/image.ts";
import type { ChangedFile, Fact } from "../../protocol/facts.ts";
import { StaleEpoch, StoreError } from "../../session/store.ts";
import { failedResult, type ToolResult, text } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { applyCommand, type ChangePlan, planOf } from "./change.ts";
import { decisionOn, type SubjectDecision } from "./decision.ts";
import { aboutCall, conclude, record, refusedCall, startFact } from "./recording.ts";
import type { CallJob } from "./step.ts";
import { isStaged, understand } from "./understand.ts";

/** The job to continue with, perhaps with other arguments; undefined: the call is over and has its result. */
export async function guardCall(
  job: CallJob,
  deny: (job: CallJob, decided: SubjectDecision) => Promise<unknown>,
): Promise<CallJob | undefined> {
  const { call, step } = job;
  const { context } = step;
  const { extensions, log } = context;
  if (!extensions.guards?.(job.tool) || log.state.calls.get(call.id)?.hooked) return job;
  // Extensions are not consulted about a call that is denied anyway.
  const decided = await decisionOn(job, undefined, context);
  if (decided.verdict === "deny") {
    await deny(job, decided);
    return undefined;
  }
  const said = await extensions.beforeCall?.(aboutCall(job), context.signal);
  context.signal.throwIfAborted();
  if (said?.veto !== undefined) return refuse(job, said.veto, said.facts);
  if (said && said.facts.length > 0) await log.append(...said.facts);
  return said?.input ? understoodAnew(job) : job;
}

/** The new arguments are checked like the model's own, from the beginning. */
async function understoodAnew({ call, step }: CallJob): Promise<CallJob | undefined> {
  const understood = await understand(call, step.context);
  if (!("words" in understood)) return { ...understood, step };
  const words = `${understood.words}\n(A hook had changed the arguments.)`;
  await record(step.context, call.id, understood.outcome, failedResult(words));
  return undefined;
}

/** Extensions cannot change a command that a person wrote, but they may refuse it. False: the call is over. */
export async function guardEdited(job: CallJob): Promise<boolean> {
  const { context } = job.step;
  const { extensions } = context;
  if (!extensions.guards?.(job.tool)) return true;
  const said = await extensions.beforeCall?.(aboutCall(job), context.signal);
  context.signal.throwIfAborted();
  const facts = (said?.facts ?? []).map((fact) => {
    if (fact.type !== "hook-ran") return fact;
    const { input: _, ...ran } = fact;
    return ran;
  });
  if (said?.veto !== undefined) {
    await refuse(job, said.veto, facts);
    return false;
  }
  if (facts.length > 0) await context.log.append(...facts);
  return true;
}

/** Whether extensions allow the changes. False: the call is over. */
export async function guardChange(job: CallJob, { changes, described }: ChangePlan): Promise<boolean> {
  const { context } = job.step;
  if (isStaged(job, context) || !context.extensions.beforeChange) return true;
  const about = { callId: job.call.id, tool: job.tool.name, files: described, changes };
  const said = await context.extensions.beforeChange(about, context.signal);
  context.signal.throwIfAborted();
  if (said.veto !== undefined) {
    await refuse(job, said.veto, said.facts);
    return false;
  }
  if (said.facts.length > 0) await context.log.append(...said.facts);
  return true;
}

/** The same for files a command changed in an overlay; another program may be changing one of them at this moment. */
export async function guardCommand(
  job: CallJob,
  produced: ToolResult & { changes: readonly Change[] },
): Promise<boolean> {
  const { context } = job.step;
  if (!context.extensions.beforeChange) return true;
  try {
    return await guardChange(job, await planOf(produced, produced.changes));
  } catch (error) {
    if (error instanceof StoreError || error instanceof StaleEpoch || context.signal.aborted) throw error;
    const because = errorMessage(error);
    const words = `The command has run, but none of its changes of files was made: ${because}. Try again.`;
    await record(context, job.call.id, "failed", failedResult(words));
    return false;
  }
}

/**
 * Stores the refusal in one transaction with its `hook-ran` facts: after a crash in between, the call would count as
 * checked and run.
 */
async function refuse(job: CallJob, veto: string, facts: readonly Fact[]): Promise<undefined> {
  const { call, step } = job;
  // A command in an overlay has already run; only its file changes are refused.
  const hasRun = step.context.log.state.calls.get(call.id)?.start !== undefined;
  const done = hasRun ? "The command has run, but none of its changes of files was made" : "Nothing was done";
  const words = `Refused by ${veto}. ${done}; do not try the same again.`;
  await conclude(job, refusedCall("denied", words), facts);
  return undefined;
}

/** Changes that are on disk now, and their description for facts. */
type AppliedChanges = { changes: readonly Change[]; files: readonly ChangedFile[] };

const nothingMade: AppliedChanges = { changes: [], files: [] };

/** The result with extensions' remarks added. Also stores their facts. */
export async function afterwards(
  job: CallJob,
  produced: ToolResult,
  made: AppliedChanges = nothingMade,
): Promise<ToolResult> {
  const { context } = job.step;
  const { extensions, log, signal } = context;
  const words: string[] = [];
  const take = async (said: { facts: Fact[]; words: string[] } | undefined): Promise<void> => {
    words.push(...(said?.words ?? []));
    if (said && said.facts.length > 0) await log.append(...said.facts);
  };
  if (extensions.afterChange && made.files.length > 0 && !signal.aborted) {
    const { files } = made;
    const changes = await readable(made, context);
    const said = await unlessStopped(signal, () =>
      extensions.afterChange?.({ ...aboutCall(job), files, changes }, signal),
    );
    await take(said);
    if (said && said.facts.length > 0) words.push(...(await changedSince(job, changes)));
  }
  if (extensions.afterCall && !signal.aborted) {
    const { outcome, content } = produced;
    const about = { ...aboutCall(job), outcome, content };
    await take(await unlessStopped(signal, () => extensions.afterCall?.(about, signal)));
  }
  return words.length === 0
    ? produced
    : { ...produced, content: [...produced.content, ...text(words.join("\n"))] };
}

/** The change is made and must be recorded, even if an interruption arrives in the meantime. */
async function unlessStopped<T>(
  signal: AbortSignal,
  work: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/**
 * The changes that were made, in readable form. Their original sources may be gone: old contents come from the undo
 * store, new ones from the workspace.
 */
async function readable({ changes, files }: AppliedChanges, context: TurnContext): Promise<Change[]> {
  const paths = new Set(files.map(({ path }) => path));
  return Promise.all(
    changes
      .filter(({ path }) => paths.has(path))
      .map(async ({ path, before, after }) => {
        const now = await context.files.image(path, { maxBytes: fileBounds.undoFileBytes.most });
        const isThere = now.ok && isSameImage(now.value, after);
        return {
          path,
          before: fromUndoStore(before, context),
          after: isThere ? now.value : fromUndoStore(after, context),
        };
      }),
  );
}

function fromUndoStore(image: Image | null, context: TurnContext): Image | null {
  if (image?.kind !== "file") return image;
  const { content } = image;
  const read = async (): Promise<Uint8Array> => (await context.image(content.hash)) ?? content.read();
  return { ...image, content: { ...content, read } };
}

/** A hook may have formatted the files just written: that is part of the change, so undo covers it, too. */
async function changedSince(job: CallJob, made: readonly Change[]): Promise<string[]> {
  const { context } = job.step;
  const again: Change[] = [];
  for (const { path, after } of made) {
    const now = await context.files.image(path, { maxBytes: fileBounds.undoFileBytes.most });
    if (now.ok && !isSameImage(now.value, after)) again.push({ path, before: after, after: now.value });
  }
  if (again.length === 0) return [];
  const produced: ToolResult = { outcome: "ok", content: [], changes: again, made: true };
  const { fact } = await applyCommand(produced, { callId: job.call.id, intent: startFact(job) }, context);
  await context.log.append(fact);
  const paths = again.map(({ path }) => path).join(", ");
  return [`[A hook has changed ${paths} after that: read it again before you edit it.]`];
}
