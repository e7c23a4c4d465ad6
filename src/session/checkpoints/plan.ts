/** Plans an undo of many paths before anything is touched: what to put where, and which conflicts there are. */

import type { Change, Image } from "../../base/safe-fs/image.ts";
import type { OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import { checkpointId, isSameStanding } from "../../protocol/fold-changes.ts";
import { type CheckpointContext, describeChange, keepPresent, keptImage } from "./images.ts";
import { conflictOf, type Ways, waysBack, type Wish } from "./ways.ts";

export type WayBack = { turn: number; wishes: readonly Wish[]; onConflict?: OnConflict };

/** `files`: the fact's contents, including files that need no change on disk. */
type UndoPlan = { changes: Change[]; files: ChangedFile[]; conflicts: UndoConflict[] };

/** Contents that would be overwritten are stored before the plan is returned. */
export async function plan(way: WayBack, context: CheckpointContext): Promise<UndoPlan> {
  const planned: UndoPlan = { changes: [], files: [], conflicts: [] };
  for (const wish of way.wishes.filter((one) => !isMadeDirectory(one))) {
    const ways = await waysBack(wish, context);
    const put = ways.plain ?? (way.onConflict === "skip" ? undefined : ways[way.onConflict ?? "plain"]);
    if (put) await planPut(ways, put.image, { turn: way.turn, context, planned });
    else if (way.onConflict !== "skip") planned.conflicts.push(conflictOf(ways, way.turn, context));
  }
  // Bottom-up: removing its entries may leave a directory empty.
  const made = way.wishes.filter(isMadeDirectory).toSorted((one, other) => (one.path < other.path ? 1 : -1));
  for (const wish of made) await planRemoval(wish, { turn: way.turn, context, planned });
  return withoutFull(planned, { ...way, context });
}

/** A directory makes room for a file or link only if nothing would be left in it. */
async function withoutFull(
  planned: UndoPlan,
  { onConflict, context }: WayBack & { context: CheckpointContext },
): Promise<UndoPlan> {
  const full: UndoConflict[] = [];
  for (const { path, before, after } of planned.changes) {
    if (before?.kind !== "directory" || after?.kind === "directory") continue;
    const stays = await remainingIn(path, { context, planned });
    if (stays?.length) full.push(fullConflict(path, stays));
  }
  if (onConflict !== "skip") return { ...planned, conflicts: [...planned.conflicts, ...full] };
  const goes = ({ path }: { path: string }): boolean => !full.some((one) => one.path === path);
  return { ...planned, changes: planned.changes.filter(goes), files: planned.files.filter(goes) };
}

/** What would still be in a directory that has to go; undefined if it cannot be listed. */
async function remainingIn(
  path: string,
  { context, planned }: Pick<Planning, "context" | "planned">,
): Promise<string[] | undefined> {
  const listed = await context.files.list(path);
  const going = new Set(planned.changes.flatMap((change) => (change.after === null ? [change.path] : [])));
  return listed.ok
    ? listed.value.map(({ name }) => name).filter((name) => !going.has(`${path}/${name}`))
    : undefined;
}

/** No choice but to leave it out: undo deletes nothing that it cannot bring back. */
const fullConflict = (path: string, [name = "", ...more]: readonly string[]): UndoConflict => ({
  path,
  kind: "later-work",
  turns: [],
  outside: true,
  because: `it is a directory that is not empty (${name}${more.length > 0 ? ` and ${more.length} more` : ""}): move or remove what is in it first`,
  choices: ["skip"],
});

type Planning = { turn: number; context: CheckpointContext; planned: UndoPlan };

const isMadeDirectory = ({ left, target }: Wish): boolean =>
  target === null && left.at(-1)?.kind === "directory";

async function planPut(
  { wish, present }: Ways,
  image: Image | null,
  { turn, context, planned }: Planning,
): Promise<void> {
  const { path } = wish;
  if (image === present) {
    planned.files.push(await describeChange(path, await stoodUntil(wish, present, context), present));
    return;
  }
  const before = await keepPresent(present, checkpointId(context.state, turn), context);
  planned.changes.push({ path, before, after: image });
  planned.files.push(await describeChange(path, before, image));
}

/**
 * For a path that is already as it should be. If its last recorded state is the one to undo, a crash interrupted an
 * undo, and that state is recorded so that it can be redone.
 */
async function stoodUntil(
  { path, left }: Wish,
  present: Image | null,
  context: CheckpointContext,
): Promise<Image | null> {
  const last = context.state.changes.last.get(path) ?? null;
  if (!left.some((standing) => isSameStanding(standing, last))) return present;
  const image = await keptImage(last, context);
  return image === undefined ? present : image;
}

/**
 * A created directory is removed only if nothing is left in it: other people's files stay, and so does the directory.
 */
async function planRemoval(wish: Wish, { context, planned }: Planning): Promise<void> {
  const { path } = wish;
  const found = await context.files.image(path, { maxBytes: 0 });
  if (!found.ok || (found.value !== null && found.value.kind !== "directory")) return;
  if (found.value !== null) {
    const stays = await remainingIn(path, { context, planned });
    if (stays === undefined || stays.length > 0) return;
    planned.changes.push({ path, before: found.value, after: null });
  }
  planned.files.push(await describeChange(path, found.value ?? { kind: "directory" }, null));
}
