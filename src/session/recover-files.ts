/**
 * After a crash between a change's intent and its fact: inspects the files, and completes or undoes the change (A41).
 */

import { applyChanges } from "../base/safe-fs/apply.ts";
import type { Change, Image } from "../base/safe-fs/image.ts";
import { openMode } from "../base/safe-fs/shut-notes.ts";
import type { ChangedFile, Fact } from "../protocol/facts.ts";
import { isSameStanding, type PathStanding, standingsOf } from "../protocol/fold-changes.ts";
import { type CheckpointContext, keptImage, presentAt, standingOf } from "./checkpoints/images.ts";
import { isBetween } from "./checkpoints/ways.ts";

/**
 * Facts to append for each call whose changes may be on disk. If all or none were made, that is recorded; if only some,
 * those are undone. A file that is neither as before nor as planned is left alone, recorded and reported. Idempotent,
 * so another crash does no harm.
 */
export async function recoverFiles(context: CheckpointContext): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const id of context.state.open) {
    const { start, applied } = context.state.calls.get(id) ?? {};
    if (!start?.changes || applied) continue;
    // Must come first, while directories that will lose write permission are still open.
    await context.files.removeLeftovers(start.changes.map(({ path }) => path));
    const recovered = await recoverCall(start.changes, context);
    facts.push(...factsFor(id, recovered));
  }
  return facts;
}

/** `made` is on disk; `unclear` is the subset that may be someone else's work. */
type FileRecovery = { planned: number; made: ChangedFile[]; unclear: string[]; takenBack: string[] };
type InspectedFile = {
  file: ChangedFile;
  present: Image | null;
  is: "before" | "after" | "half" | "neither";
};

async function recoverCall(
  changes: readonly ChangedFile[],
  context: CheckpointContext,
): Promise<FileRecovery> {
  const seen: InspectedFile[] = [];
  for (const file of changes) seen.push(await look(file, context));
  const at = (is: InspectedFile["is"]): InspectedFile[] => seen.filter((one) => one.is === is);
  const [untouched, half, odd] = [at("before"), at("half"), at("neither")];
  const written = [...at("after"), ...half];
  const isWhole = untouched.length === 0 && half.length === 0;
  const stuck = isWhole ? written : await takeBack(written, context);
  // If the other files show that nothing was written, an unexpected state is someone else's work.
  const unclear = untouched.length > 0 && written.length === 0 ? [] : odd;
  const takenBack = written.filter((one) => !stuck.includes(one));
  return {
    planned: changes.length,
    made: [...stuck, ...unclear].map(({ file }) => file),
    unclear: [...(isWhole ? [] : stuck), ...unclear].map(({ file }) => file.path),
    takenBack: takenBack.map(({ file }) => file.path),
  };
}

async function look(file: ChangedFile, context: CheckpointContext): Promise<InspectedFile> {
  const found = await presentAt(file.path, context);
  if (!found.ok) return { file, present: null, is: "neither" };
  const present = found.value;
  const now = standingOf(present);
  const { before, after } = standingsOf(file);
  const is = isSameStanding(now, after) ? "after" : isSameStanding(now, before) ? "before" : "neither";
  const isHalf = isOpened(now, [before, after]) || isBetween(now, { left: before, target: after });
  return { file, present, is: is === "neither" && isHalf ? "half" : is };
}

/** A directory without write permission is opened while files inside are changed. */
const isOpened = (now: PathStanding, ends: readonly PathStanding[]): boolean =>
  ends.some((end) => end?.mode !== undefined && isSameStanding(now, { ...end, mode: openMode(end.mode) })) &&
  now?.kind === "directory";

/** One at a time, so that a file which cannot be restored does not block the others. Returns those that could not. */
async function takeBack(
  written: readonly InspectedFile[],
  context: CheckpointContext,
): Promise<InspectedFile[]> {
  const stuck: InspectedFile[] = [];
  for (const one of bottomUp(written)) {
    const before = await keptImage(standingsOf(one.file).before, context);
    const back: Change[] =
      before === undefined ? [] : [{ path: one.file.path, before: one.present, after: before }];
    const done = back.length > 0 && (await applyChanges(context.files, back, { evenIfShut: true })).ok;
    if (!done) stuck.push(one);
  }
  return stuck;
}

/** Created paths go first, deepest first; then earlier contents are restored, top-down. */
function bottomUp(written: readonly InspectedFile[]): InspectedFile[] {
  const byPath = written.toSorted((one, other) => (one.file.path < other.file.path ? -1 : 1));
  const made = byPath.filter(({ file }) => file.before === null).toReversed();
  return [...made, ...byPath.filter(({ file }) => file.before !== null)];
}

function factsFor(callId: string, recovered: FileRecovery): Fact[] {
  const { made, unclear, takenBack } = recovered;
  const words = wordsFor(recovered);
  const told: Fact[] =
    made.length + takenBack.length + unclear.length > 0
      ? [{ type: "warning", code: "change-recovered", text: words }]
      : [];
  return [
    { type: "change-applied", callId, changes: made },
    { type: "result", callId, outcome: "interrupted", content: [{ type: "text", text: words }] },
    ...told,
  ];
}

function wordsFor({ planned, made, unclear, takenBack }: FileRecovery): string {
  const said = "The program stopped in the middle of a change";
  if (unclear.length > 0)
    return `${said}: ${pathList(unclear)} may or may not be as it wanted. Look at what is there before changing it again.`;
  if (takenBack.length > 0)
    return `${said}: what it had done to ${pathList(takenBack)} was taken back, so that nothing is half done.`;
  if (made.length === 0) return `${said}, before anything was written: the files are as they were.`;
  return `${said}, when all of it was written: ${pathList(made.slice(0, planned).map(({ path }) => path))}.`;
}

function pathList(paths: readonly string[]): string {
  const [shown, left] = [paths.slice(0, 5).join(", "), paths.length - 5];
  return left > 0 ? `${shown} and ${left} more` : shown;
}
