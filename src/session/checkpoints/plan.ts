/** Plans an undo of many paths before anything is touched: what to put where, and which conflicts there are. */

import type { Change, Image } from "../../base/safe-fs/image.ts";
import type { OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import { checkpointId, isSameStanding } from "../../protocol/fold-changes.ts";
import { type CheckpointRoom, described, keepPresent, keptImage } from "./images.ts";
import { conflictOf, type Ways, waysBack, type Wish } from "./ways.ts";

export type WayBack = { turn: number; wishes: readonly Wish[]; onConflict?: OnConflict };

/** `files`: the fact's contents, including files that need no change on disk. */
type Plan = { changes: Change[]; files: ChangedFile[]; conflicts: UndoConflict[] };

/** Contents that would be overwritten are stored before the plan is returned. */
export async function plan(way: WayBack, room: CheckpointRoom): Promise<Plan> {
  const planned: Plan = { changes: [], files: [], conflicts: [] };
  for (const wish of way.wishes.filter((one) => !isMadeDirectory(one))) {
    const ways = await waysBack(wish, room);
    const put = ways.plain ?? (way.onConflict === "skip" ? undefined : ways[way.onConflict ?? "plain"]);
    if (put) await planPut(ways, put.image, { turn: way.turn, room, planned });
    else if (way.onConflict !== "skip") planned.conflicts.push(conflictOf(ways, way.turn, room));
  }
  // Bottom-up: removing its entries may leave a directory empty.
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
 * For a path that is already as it should be. If its last recorded state is the one to undo, a crash interrupted an
 * undo, and that state is recorded so that it can be redone.
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

/**
 * A created directory is removed only if nothing is left in it: other people's files stay, and so does the directory.
 */
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
