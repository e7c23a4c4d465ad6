/** Carries out the changes of a tool or of a command, before-images, intent, write, fact. */

import { mib } from "../../base/bound.ts";
import { fileBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { failpoint } from "../../base/failpoint.ts";
import { applyChanges } from "../../base/safe-fs/apply.ts";
import { bytesOfImage, type Change, type Image, isSameImage } from "../../base/safe-fs/image.ts";
import type { ChangedFile, Fact, FactOf } from "../../protocol/facts.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import { missingDirectories } from "../../session/missing-directories.ts";
import { StoreError } from "../../session/store.ts";
import { toolBounds } from "../../tools/bounds.ts";
import { describeChanges } from "../../tools/changes/change.ts";
import { diffOf } from "../../tools/changes/diff.ts";
import type { ToolResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { withGrowth } from "./counting.ts";

/** A planned change and its description for facts. */
export type ChangePlan = { produced: ToolResult; changes: readonly Change[]; described: ChangedFile[] };

export async function planOf(produced: ToolResult, changes: readonly Change[]): Promise<ChangePlan> {
  return { produced, changes, described: await describeChanges(changes) };
}

/** The origin of a change: its call, the facts and the intent to record first, and the token it uses up. */
export type Origin = {
  callId: string;
  before?: readonly Fact[];
  intent: FactOf<"call-start">;
  token?: string;
};

/**
 * For people, who have not seen it, unless comparing would take long. A content that can be read no more is a problem of
 * making the change.
 */
export async function withDiff(plan: ChangePlan): Promise<ChangePlan> {
  const bytes = plan.changes.flatMap(({ before, after }) => [sizeOf(before), sizeOf(after)]);
  if (bytes.reduce((sum, size) => sum + size, 0) > mostCompared) return plan;
  const diffPreview = await diffOf(plan.changes, toolBounds.resultPage.most).catch(() => undefined);
  if (diffPreview === undefined) return plan;
  return { ...plan, produced: { ...plan.produced, metadata: { ...plan.produced.metadata, diffPreview } } };
}

/**
 * Makes a tool's changes, all or none: before-images first, then the intent, then the disk, then the fact. On failure
 * nothing was changed and the problem is one line.
 */
export async function applyPlan(
  plan: ChangePlan,
  { callId, before = [], intent, token }: Origin,
  context: TurnContext,
): Promise<Expected<Fact>> {
  const { changes } = plan;
  const { lost } = await keepImages(changes, context);
  if (lost[0] !== undefined)
    return refuse(`${lost[0]} changed on disk at the same moment; nothing was written.`);
  const described = await withGrowth(callId, plan, context);
  await context.log.append(...before, await withDirectories(intent, { changes, described }, context));
  const applied = await applyChanges(context.files, changes, {
    stillCurrent: () => !context.signal.aborted,
    evenIfShut: token !== undefined,
  });
  if (!applied.ok) {
    const left = await leftInPlace({ changes, described }, context);
    if (left.length > 0) await context.log.append({ type: "change-applied", callId, changes: left });
    return applied;
  }
  const made = await describeChanges(applied.value.filter((change) => !changes.includes(change)));
  const used = token === undefined ? {} : { token };
  return { ok: true, value: { type: "change-applied", callId, changes: [...described, ...made], ...used } };
}

/** Changes of a failed set that could not be rolled back; undo must know about them. Usually none. */
async function leftInPlace(
  { changes, described }: Pick<ChangePlan, "changes" | "described">,
  { files }: TurnContext,
): Promise<ChangedFile[]> {
  const left: ChangedFile[] = [];
  for (const [at, { path, before, after }] of changes.entries()) {
    const now = await files.image(path, { maxBytes: fileBounds.undoFileBytes.most });
    const file = described[at];
    if (file && now.ok && isSameImage(now.value, after) && !isSameImage(now.value, before)) left.push(file);
  }
  return left;
}

/** Includes the directories that will be created on the way: after a crash nothing else would show whose they are. */
async function withDirectories(
  intent: FactOf<"call-start">,
  { changes, described }: Pick<ChangePlan, "changes" | "described">,
  { files }: TurnContext,
): Promise<FactOf<"call-start">> {
  const above = await describeChanges(await missingDirectories(files, changes));
  return { ...intent, changes: [...above, ...described] };
}

/**
 * Makes a command's changes, or records those it made itself. One file that another program blocks must not cost the
 * others: each failure is reported.
 */
export async function applyCommand(
  produced: ToolResult,
  { callId, intent }: Origin,
  context: TurnContext,
): Promise<{ fact: Fact; problems: string[] }> {
  const { changes, lost } = await keepImages(produced.changes ?? [], context);
  const described = await withGrowth(callId, { changes, described: await describeChanges(changes) }, context);
  const unknown = [...(produced.uncovered ?? []), ...(produced.made ? lost : [])];
  const uncovered = unknown.length > 0 ? { uncovered: unknown } : {};
  const fact = (done: ChangedFile[]): Fact => ({
    type: "change-applied",
    callId,
    changes: done,
    ...uncovered,
  });
  if (produced.made) return { fact: fact(described), problems: [] };
  const problems = lost.map((path) => notMade(path, "somebody else changed it at that moment."));
  if (changes.length === 0) return { fact: fact([]), problems };
  await context.log.append(await withDirectories(intent, { changes, described }, context));
  const whole = await applyChanges(context.files, changes, byCommand);
  if (whole.ok) return { fact: fact(described), problems };
  const done: ChangedFile[] = [];
  for (const [at, change] of changes.entries()) {
    const one = await applyChanges(context.files, [change], byCommand);
    const file = described[at];
    if (!one.ok) problems.push(notMade(change.path, one.problem));
    else if (file) done.push(file);
  }
  return { fact: fact(done), problems };
}

/** They are where the command moved them, whatever becomes of its changes of files. */
export async function recordMoved(
  { references = [] }: ToolResult,
  callId: string,
  context: TurnContext,
): Promise<void> {
  if (references.length === 0) return;
  await keepImages(references, context);
  const described = await describeChanges(references);
  await context.log.append({ type: "change-applied", callId, changes: [], references: described });
}

const byCommand = { durable: false, evenIfShut: true } as const;

const notMade = (path: string, because: string): string =>
  `What the command did to ${path} could not be put in place: ${because}`;

const sizeOf = (image: Image | null): number => (image?.kind === "file" ? image.content.size : 0);

/** Bytes of all contents, before and after, that are compared for a diff of what is made anyway. */
const mostCompared = mib;

/**
 * Stores all contents before, for undo, and small ones after, so that later work can be told apart from the change and
 * merged. The returned changes read their before-images from the store. `lost`: files that changed before they could be
 * stored.
 */
async function keepImages(
  changes: readonly Change[],
  context: TurnContext,
): Promise<{ changes: Change[]; lost: string[] }> {
  const owner = checkpointId(context.log.state, context.log.state.turn);
  const kept: Change[] = [];
  const lost: string[] = [];
  let left = mostKeptAfter;
  for (const change of changes) {
    const { after } = change;
    const isSmall = after?.kind === "file" && after.content.size <= Math.min(left, largestKeptAfter);
    try {
      const before = await keepBefore(change.before, owner, context);
      failpoint("image-kept");
      if (isSmall) await context.keepImage(owner, await bytesOfImage(after));
      kept.push({ ...change, before });
    } catch (error) {
      if (error instanceof StoreError) throw error;
      lost.push(change.path);
    }
    if (isSmall) left -= after.content.size;
  }
  return { changes: kept, lost };
}

async function keepBefore(before: Image | null, owner: string, context: TurnContext): Promise<Image | null> {
  if (before === null || before.kind === "directory") return before;
  const hash = await context.keepImage(owner, await bytesOfImage(before));
  if (before.kind === "link") return before;
  const read = async (): Promise<Uint8Array> => {
    const bytes = await context.image(hash);
    if (bytes === undefined) throw new StoreError("A content was dropped while it was needed. Try again.");
    return bytes;
  };
  return { ...before, content: { ...before.content, read } };
}

/** New content of one changed file, stored next to the old content, in bytes. */
const largestKeptAfter = mib;
/** New contents of all files of one change, stored next to the old contents, in bytes. */
const mostKeptAfter = 32 * mib;
