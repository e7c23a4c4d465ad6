/** Ways to restore one path to an earlier state: plainly or, if there was later work, against or around it. */

import { bytesOfImage, contentOf, type Image, modeOf } from "../../base/safe-fs/image.ts";
import type { OnConflict, UndoConflict } from "../../protocol/commands.ts";
import { isSameStanding, laterTurns, type PathStanding } from "../../protocol/fold-changes.ts";
import { type CheckpointContext, keptBytes, keptImage, presentAt, standingOf } from "./images.ts";
import { bytesOfLines, countLines, linesOf, mergeLines } from "./lines.ts";

/** Restore the path to `target`, provided that its present state is still one of `left`. */
export type Wish = { path: string; left: readonly PathStanding[]; target: PathStanding };

/** What to put at the path; `present` itself if nothing needs to be done. */
type PathImage = { image: Image | null };

export type Ways = {
  wish: Wish;
  present: Image | null;
  /** Without touching anyone's later work. */
  plain?: PathImage;
  /** Regardless of the present state. */
  restore?: PathImage;
  /** With later work kept, line by line. */
  merge?: PathImage;
  /** Lines added and removed since; absent if the state the turn left is no longer known. */
  since?: { added: number; removed: number };
  /** Why the path cannot be restored at all. */
  problem?: string;
};

export async function waysBack(wish: Wish, context: CheckpointContext): Promise<Ways> {
  const found = await presentAt(wish.path, context);
  if (!found.ok) return { wish, present: null, problem: found.problem };
  const present = found.value;
  const now = standingOf(present);
  if (isSameStanding(now, wish.target)) return { wish, present, plain: { image: present } };
  const target = await keptImage(wish.target, context);
  if (target === undefined) return { wish, present, problem: "its earlier content is not kept any more" };
  if (wish.left.some((standing) => isSameStanding(standing, now)))
    return { wish, present, plain: { image: target } };
  if (wish.left.some((left) => isBetween(now, { left, target: wish.target })))
    return { wish, present, plain: { image: target } };
  const plain = withoutContents(present, target, wish.left.at(-1) ?? null);
  if (plain) return { wish, present, plain };
  return {
    wish,
    present,
    restore: { image: target },
    ...(await aroundLaterWork(wish, { present, target }, context)),
  };
}

/**
 * Replacing a directory by something else, or the reverse, briefly leaves nothing at the path: an absence there is
 * where a crash stopped, or at worst nothing is lost.
 */
export function isBetween(
  now: PathStanding,
  { left, target }: { left: PathStanding; target: PathStanding },
): boolean {
  return (
    now === null &&
    left !== null &&
    target !== null &&
    (left.kind === "directory") !== (target.kind === "directory")
  );
}

export function conflictOf(ways: Ways, turn: number, { state }: CheckpointContext): UndoConflict {
  const { wish, present, problem, since } = ways;
  const { path } = wish;
  const turns = laterTurns(state.changes, turn, path);
  const last = state.changes.last.get(path) ?? null;
  const outside = problem === undefined && !isSameStanding(standingOf(present), last);
  const choices: OnConflict[] = [
    "skip",
    ...(ways.restore ? ["restore" as const] : []),
    ...(ways.merge ? ["merge" as const] : []),
  ];
  const because = problem ?? reason(turns, outside, present);
  const kind = problem === undefined ? "later-work" : "lost";
  return { path, kind, turns, outside, because, ...(since ? { since } : {}), choices };
}

function reason(turns: readonly number[], outside: boolean, present: Image | null): string {
  const verb = present === null ? "deleted" : "changed";
  const later =
    turns.length > 0 ? [`request ${turns.join(", ")} ${turns.length > 1 ? "have" : "has"} ${verb} it`] : [];
  const undo = later.length === 0 ? [`an undo or redo has ${verb} it`] : [];
  const others = outside ? [`it was ${verb} outside this session`] : undo;
  return [...later, ...others].join(", and ");
}

/**
 * If the turn changed only the mode, or only the content, later work on the other stays. Undefined if both sides
 * changed the same aspect.
 */
function withoutContents(
  present: Image | null,
  target: Image | null,
  left: PathStanding,
): PathImage | undefined {
  if (present === null || target === null || left === null) return undefined;
  if (present.kind !== target.kind || left.kind !== present.kind) return undefined;
  if (present.kind === "link" || target.kind === "link") return undefined;
  const mode = sideOf({ now: present.mode, left: left.mode, target: target.mode });
  if (mode === undefined) return undefined;
  const withMode = mode === "target" && target.mode !== undefined ? { mode: target.mode } : modeIn(present);
  if (present.kind === "directory" || target.kind === "directory")
    return { image: { kind: "directory", ...withMode } };
  const hashes = { now: present.content.hash, left: left.hash, target: target.content.hash };
  const side = sideOf(hashes);
  if (side === undefined) return undefined;
  const { content } = side === "target" ? target : present;
  return { image: { kind: "file", content, ...withMode } };
}

const modeIn = (image: Image): { mode?: number } => {
  const mode = modeOf(image);
  return mode === undefined ? {} : { mode };
};

/** The side that changed since `left`; undefined if both did. Unknown values leave the present one. */
function sideOf<T>(sides: {
  now: T | undefined;
  left: T | undefined;
  target: T | undefined;
}): "now" | "target" | undefined {
  const { now, left, target } = sides;
  if (target === undefined || left === target || now === target) return "now";
  return now === left ? "target" : undefined;
}

async function aroundLaterWork(
  wish: Wish,
  { present, target }: { present: Image | null; target: Image | null },
  context: CheckpointContext,
): Promise<Pick<Ways, "merge" | "since">> {
  const left = wish.left.at(-1) ?? null;
  if (present?.kind === "directory" || present?.kind === "link") return {};
  const now = present && (await bytesOfImage(present));
  if (left === null) return { since: countLines(null, now) };
  const base = left.kind === "file" ? await keptBytes(left.hash, context) : undefined;
  if (base === undefined) return {};
  const since = countLines(base, now);
  if (now === null || present === null || target?.kind !== "file") return { since };
  const merged = mergedBytes(base, now, await bytesOfImage(target));
  const mode = sideOf({ now: present.mode, left: left.mode, target: target.mode });
  if (!merged || mode === undefined) return { since };
  const image: Image = {
    kind: "file",
    content: contentOf(merged),
    ...modeIn(mode === "target" ? target : present),
  };
  return { since, merge: { image } };
}

function mergedBytes(base: Uint8Array, one: Uint8Array, other: Uint8Array): Uint8Array | undefined {
  const [lines, mine, theirs] = [linesOf(base), linesOf(one), linesOf(other)];
  const merged = lines && mine && theirs && mergeLines(lines, mine, theirs);
  return merged && bytesOfLines(merged);
}
