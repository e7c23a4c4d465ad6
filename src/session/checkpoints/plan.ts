/** The way back of many paths, worked out before anything is touched: what to put where, and what stands in the way. */

import type { Change, Image } from "../../base/safe-fs/image.ts";
import type { OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import { checkpointId, isSameStanding } from "../../protocol/fold-changes.ts";
import { type CheckpointRoom, described, keepPresent, keptImage } from "./images.ts";
import { conflictOf, type Ways, waysBack, type Wish } from "./ways.ts";

export type WayBack = { turn: number; wishes: readonly Wish[]; onConflict?: OnConflict };

/** `files`: what the fact will say, also of those that need no change on the disk. */
type Plan = { changes: Change[]; files: ChangedFile[]; conflicts: UndoConflict[] };

/** What would be overwritten is kept before the plan is returned. */
export async function plan(way: WayBack, room: CheckpointRoom): Promise<Plan> {
  const planned: Plan = { changes: [], files: [], conflicts: [] };
  for (const wish of way.wishes.filter((one) => !isMadeDirectory(one))) {
    const ways = await waysBack(wish, room);
    const put = ways.plain ?? (way.onConflict === "skip" ? undefined : ways[way.onConflict ?? "plain"]);
    if (put) await planPut(ways, put.image, { turn: way.turn, room, planned });
    else if (way.onConflict !== "skip") planned.conflicts.push(conflictOf(ways, way.turn, room));
  }
  // From the bottom up: a directory may become empty by those in it.
  const made = way.wishes.filter(isMadeDirectory).toSorted((one, other) => (one.path < other.path ? 1 : -1));
  for (const wish of made) await planRemoval(wish, { turn: way.turn, room, planned });
  return planned;
}

type Planning = { turn: number; room: CheckpointRoom; planned: Plan };

const isMadeDirectory = ({ left, target }: Wish): boolean =>
  target === null && left.at(-1)?.kind === "directory";

async function planPut(
  { wish, present }: Ways,
  image: Image | null,
  { turn, room, planned }: Planning,
): Promise<void> {
  const { path } = wish;
  if (image === present) {
    planned.files.push(await described(path, await stoodUntil(wish, present, room), present));
    return;
  }
  const before = await keepPresent(present, checkpointId(room.state, turn), room);
  planned.changes.push({ path, before, after: image });
  planned.files.push(await described(path, before, image));
}

/**
 * Of a path that is as it should be already: if the last that was heard of it is what was to be taken back, an undo was
 * cut short by a crash, and what stood there until then can be brought back again.
 */
async function stoodUntil(
  { path, left }: Wish,
  present: Image | null,
  room: CheckpointRoom,
): Promise<Image | null> {
  const last = room.state.changes.last.get(path) ?? null;
  if (!left.some((standing) => isSameStanding(standing, last))) return present;
  const image = await keptImage(last, room);
  return image === undefined ? present : image;
}

/** A directory that was made goes only when nothing is left in it: what others put there stays, and it with that. */
async function planRemoval(wish: Wish, { room, planned }: Planning): Promise<void> {
  const { path } = wish;
  const found = await room.files.image(path, { maxBytes: 0 });
  if (!found.ok || (found.value !== null && found.value.kind !== "directory")) return;
  if (found.value !== null) {
    const listed = await room.files.list(path);
    const going = new Set(planned.changes.flatMap((change) => (change.after === null ? [change.path] : [])));
    if (!listed.ok || !listed.value.every(({ name }) => going.has(`${path}/${name}`))) return;
    planned.changes.push({ path, before: found.value, after: null });
  }
  planned.files.push(await described(path, found.value ?? { kind: "directory" }, null));
}
