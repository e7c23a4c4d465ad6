/**
 * Counts lines across all changes of a call, and of a request, to a file: repeated changes are compared with the
 * original content.
 */

import { type Change, fileImage, type Image } from "../../base/safe-fs/image.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import { type LineCounts, linesOf, type PathStanding, standingsOf } from "../../protocol/fold-changes.ts";
import { describeChanges } from "../../tools/changes/change.ts";
import type { TurnContext } from "../turn-context.ts";

type DescribedChanges = { changes: readonly Change[]; described: readonly ChangedFile[] };

/** Adds how far the line counts of the call and its request grow, if they had changed the file before. */
export async function withGrowth(
  callId: string,
  { changes, described }: DescribedChanges,
  context: TurnContext,
): Promise<ChangedFile[]> {
  const left = new Map(changes.map(({ path, after }) => [path, after]));
  const files: ChangedFile[] = [];
  for (const file of described) {
    const after = left.get(file.path);
    const grows = after === undefined ? undefined : await growthOf(callId, { file, after }, context);
    files.push(grows ? { ...file, grows } : file);
  }
  return files;
}

type Again = { file: ChangedFile; after: Image | null };

/** Undefined if this is the first change of the file or growth is unknown: then it counts by itself. */
async function growthOf(
  callId: string,
  { file, after }: Again,
  context: TurnContext,
): Promise<ChangedFile["grows"]> {
  const { state } = context.log;
  const trail = state.changes.trails.get(state.turn)?.get(file.path);
  if (!trail) return undefined;
  const inCall = state.calls.get(callId)?.applied?.changes.filter(({ path }) => path === file.path) ?? [];
  const [first] = inCall;
  const [inTurn, own] = [
    await since(trail.before, after, context),
    { added: file.added, removed: file.removed },
  ];
  const whole = first ? await since(standingsOf(first).before, after, context) : own;
  if (!inTurn || !whole) return undefined;
  const before = inCall.map((one) => linesOf(one, "call")).reduce(plus, { added: 0, removed: 0 });
  return { call: minus(whole, before), turn: minus(inTurn, trail) };
}

const plus = (one: LineCounts, other: LineCounts): LineCounts => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
});

const minus = (one: LineCounts, other: LineCounts): LineCounts => ({
  added: one.added - other.added,
  removed: one.removed - other.removed,
});

/** Lines that differ between the earlier content and the present one; only for files. */
async function since(
  before: PathStanding,
  after: Image | null,
  context: TurnContext,
): Promise<LineCounts | undefined> {
  if ((before ?? after)?.kind === "directory" || (after ?? before)?.kind !== "file") return undefined;
  try {
    const bytes = before === null ? null : await context.image(before.hash);
    if (bytes === undefined) return undefined;
    const [file] = await describeChanges([{ path: "", before: fileImage(bytes), after }]);
    return file && { added: file.added, removed: file.removed };
  } catch {
    return undefined; // a change is recorded whether or not it can be counted
  }
}
