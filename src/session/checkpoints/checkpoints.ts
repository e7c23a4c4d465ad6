/** Undoes a turn's file changes, redoes them, and keeps them for good (A40). */

import type { Expected } from "../../base/expected.ts";
import { applyChanges } from "../../base/safe-fs/apply.ts";
import { type Change, modeOf } from "../../base/safe-fs/image.ts";
import type { OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { FactOf } from "../../protocol/facts.ts";
import {
  checkpointId,
  inForce,
  type PathStanding,
  standingsOf,
  statusOf,
  type Trail,
  trailsOf,
} from "../../protocol/fold-changes.ts";
import { choose, type Which } from "./choose.ts";
import { partOf } from "./hunks.ts";
import { type CheckpointContext, keptBytes } from "./images.ts";
import { plan, type WayBack } from "./plan.ts";
import type { Wish } from "./ways.ts";

export type { CheckpointContext };

export type UndoRequest = Which & { hunks?: readonly number[]; onConflict?: OnConflict };

/** The caller must store the fact: its changes are on disk. On failure nothing was changed. */
export type Undone =
  | { ok: true; fact: FactOf<"changes-undone"> }
  | { ok: false; problem: string; conflicts?: UndoConflict[] };

/**
 * Restores a turn's files to their state before it, all or none. If any was changed since, nothing is touched unless
 * `onConflict` says what to do. An interrupted undo can simply be repeated.
 */
export async function undo(request: UndoRequest, context: CheckpointContext): Promise<Undone> {
  const chosen = choose(context.state, request, {
    statuses: ["pending", "partial"],
    purpose: "to take back",
  });
  if (!chosen.ok) return chosen;
  const { turn, trails } = chosen.value;
  const { hunks, onConflict } = request;
  const way = { turn, onConflict };
  if (hunks === undefined) return goBack({ ...way, wishes: trails.map(wishOf) }, context);
  const part = await partOf(chosen.value, hunks, context);
  if (!part.ok) return part;
  const undone = await goBack({ ...way, wishes: [part.value.wish] }, context);
  const { rest } = part.value;
  return undone.ok && rest ? { ok: true, fact: { ...undone.fact, rest: [rest] } } : undone;
}

/** Redoes the last undo, of one turn or of all. */
export async function redo(
  request: Which & { onConflict?: OnConflict },
  context: CheckpointContext,
): Promise<Undone> {
  const turn = request.turn ?? lastUndone(context);
  const which = { ...request, ...(turn === undefined ? {} : { turn }) };
  const chosen = choose(context.state, which, { statuses: ["undone", "partial"], purpose: "to bring back" });
  if (!chosen.ok) return chosen;
  const { trails, turn: again } = chosen.value;
  const last = Math.max(...trails.map(takenAt));
  const wishes = trails.filter((trail) => takenAt(trail) === last).flatMap(wishAgain);
  const { onConflict } = request;
  const undone = await goBack({ turn: again, wishes, onConflict }, context);
  return undone.ok ? { ok: true, fact: { ...undone.fact, again: true } } : undone;
}

/** The fact must be stored before `prune` is called. */
export function keep(which: Which, { state }: CheckpointContext): Expected<FactOf<"changes-kept">> {
  const chosen = choose(state, which, { statuses: ["pending", "partial"], purpose: "to keep" });
  if (!chosen.ok) return chosen;
  const { turn, trails } = chosen.value;
  const isAll = trails.length === trailsOf(state.changes, turn).length;
  const paths = isAll ? {} : { paths: trails.map(({ path }) => path) };
  return { ok: true, value: { type: "changes-kept", keptTurn: turn, ...paths } };
}

/** Drops the turn's images that are no longer needed once some of its changes are kept. */
export async function prune(turn: number, context: CheckpointContext): Promise<void> {
  const { state, store } = context;
  const owner = checkpointId(state, turn);
  const needed = trailsOf(state.changes, turn)
    .filter((trail) => statusOf(trail) !== "kept")
    .flatMap(hashesOf);
  // Moves needed images to another owner and back, so that a crash in between leaves too many rather than too few.
  const stopover = `${owner}+`;
  const move = async (to: string, from: string): Promise<void> => {
    for (const hash of new Set(needed)) {
      const bytes = await keptBytes(hash, context);
      if (bytes) await store.keepImage(state.session, to, bytes);
    }
    await store.dropImages(state.session, from);
  };
  await move(stopover, owner);
  await move(owner, stopover);
}

async function goBack(way: WayBack, context: CheckpointContext): Promise<Undone> {
  // An undo may have been killed here, even before its first file was restored, without leaving a record.
  await context.files.removeLeftovers(way.wishes.map(({ path }) => path));
  const hideAgain = await restoreHiding(way.wishes, context);
  const undone = await putBack(way, context);
  if (!undone.ok) await hideAgain();
  return undone;
}

async function putBack(way: WayBack, context: CheckpointContext): Promise<Undone> {
  const { changes, files, conflicts } = await plan(way, context);
  if (conflicts.length > 0)
    return { ok: false, problem: conflictWords(conflicts, way.onConflict), conflicts };
  if (files.length === 0)
    return { ok: false, problem: "Nothing was taken back: there is later work everywhere." };
  const problem = context.forbids?.(changes.flatMap(({ path, after }) => (after === null ? [] : [path])));
  if (problem !== undefined) return { ok: false, problem };
  const applied = await applyChanges(context.files, changes, { evenIfShut: true });
  if (!applied.ok) return applied;
  return { ok: true, fact: { type: "changes-undone", undoneTurn: way.turn, changes: files } };
}

function conflictWords(conflicts: readonly UndoConflict[], onConflict: OnConflict | undefined): string {
  const each = conflicts.map(({ path, because }) => `${path}: ${because}`).join("; ");
  const tried = onConflict === "merge" ? " It cannot be merged line by line." : "";
  const others = (["skip", "restore", "merge"] as const).filter((choice) =>
    conflicts.some(({ choices }) => choice !== onConflict && choices.includes(choice)),
  );
  return `Nothing was changed, since later work would be lost (${each}).${tried} Choose what becomes of it: ${others.join(", ")}.`;
}

const wishOf = (trail: Trail): Wish => ({ path: trail.path, left: inForce(trail), target: trail.before });

function wishAgain({ path, taken }: Trail): Wish[] {
  const last = taken.at(-1);
  if (!last) return [];
  const { before, after } = standingsOf(last.change);
  return [{ path, left: [after], target: before }];
}

const takenAt = ({ taken }: Trail): number => taken.at(-1)?.seq ?? 0;

function lastUndone({ state }: CheckpointContext): number | undefined {
  const turns = state.turns.map(({ turn }) => {
    const trails = trailsOf(state.changes, turn).filter((trail) => statusOf(trail) !== "kept");
    return { turn, at: Math.max(0, ...trails.map(takenAt)) };
  });
  return turns.filter(({ at }) => at > 0).toSorted((one, other) => other.at - one.at)[0]?.turn;
}

function hashesOf(trail: Trail): string[] {
  const standings: PathStanding[] = [trail.before, ...trail.left, ...inForce(trail)];
  const taken = trail.taken.flatMap(({ change }) => [change.before, change.after]);
  return [...standings.map((standing) => standing?.hash ?? null), ...taken].filter((hash) => hash !== null);
}

/** Restores these directories, and returns how to take that back. A crash here is one in the middle of the undo. */
async function restoreHiding(
  wishes: readonly Wish[],
  { files }: CheckpointContext,
): Promise<() => Promise<void>> {
  const restored: Change[] = [];
  const hiding = wishes.filter(({ left, target }) => isHiding(left.at(-1)) && target?.kind === "directory");
  for (const { path, left, target } of hiding.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const found = await files.image(path, { maxBytes: 0 });
    const before = found.ok ? found.value : null;
    if (before?.kind !== "directory" || modeOf(before) !== left.at(-1)?.mode) continue;
    const mode = target?.mode;
    const after = mode === undefined ? before : { ...before, mode };
    const change: Change = { path, before, after };
    if ((await applyChanges(files, [change], { evenIfShut: true })).ok) restored.push(change);
  }
  return async () => {
    for (const { path, before, after } of restored.reverse())
      await applyChanges(files, [{ path, before: after, after: before }], { evenIfShut: true });
  };
}

/** Its owner cannot list it, or cannot reach what is in it. */
const isHiding = (standing: PathStanding | undefined): boolean =>
  standing?.kind === "directory" && standing.mode !== undefined && (standing.mode & 0o500) !== 0o500;
