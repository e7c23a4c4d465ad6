/** Lets extensions inspect a call's result; what they say is added to it for the model (C7). */

import { type Change, type Image, isSameImage } from "../../base/safe-fs/image.ts";
import type { ChangedFile, Fact } from "../../protocol/facts.ts";
import { undoBounds } from "../../session/bounds.ts";
import { type ToolResult, text } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { applyCommand } from "./change.ts";
import { aboutCall, startFact } from "./recording.ts";
import type { CallJob } from "./step.ts";

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
        const now = await context.files.image(path, { maxBytes: undoBounds.fileBytes.most });
        const isThere = now.ok && isSameImage(now.value, after);
        return {
          path,
          before: keepImage(before, context),
          after: isThere ? now.value : keepImage(after, context),
        };
      }),
  );
}

function keepImage(image: Image | null, context: TurnContext): Image | null {
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
    const now = await context.files.image(path, { maxBytes: undoBounds.fileBytes.most });
    if (now.ok && !isSameImage(now.value, after)) again.push({ path, before: after, after: now.value });
  }
  if (again.length === 0) return [];
  const produced: ToolResult = { outcome: "ok", content: [], changes: again, made: true };
  const { fact } = await applyCommand(produced, { callId: job.call.id, intent: startFact(job) }, context);
  await context.log.append(fact);
  const paths = again.map(({ path }) => path).join(", ");
  return [`[A hook has changed ${paths} after that: read it again before you edit it.]`];
}
