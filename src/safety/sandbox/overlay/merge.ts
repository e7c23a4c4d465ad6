/** Merges uncovered entries from the overlay into the workspace, before any change is applied. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../../base/crypto.ts";
import { type BytePath, joinBytes, shownPath } from "./byte-path.ts";
import { carry, finish, inDirectory, makeDirectoryThere, removeAll, removeOne, setMode } from "./carry.ts";
import type { OverlayDifference } from "./differences.ts";
import type { Overlay } from "./overlay.ts";
import { pace } from "./pace.ts";
import { keptPlace, putAside } from "./put-aside.ts";
import type { RootedTree } from "./rooted-tree.ts";
import { nodeAt, type UpperNode } from "./upper-tree.ts";

type Merging = {
  overlay: Overlay;
  upper: RootedTree;
  lower: RootedTree;
  root: UpperNode;
  stateDir: string;
};

type MergeResult = {
  warnings: string[];
  /** Removed directories that still hold entries which a later change will remove. */
  remaining: BytePath[];
};

/** Follows no link in the workspace either, so that a concurrent process cannot redirect writes outside it. */
export async function mergeUncovered(
  list: readonly OverlayDifference[],
  merging: Merging,
): Promise<MergeResult> {
  const merged: MergeResult = { warnings: [], remaining: [] };
  const byPath = [...list].sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const one of byPath.filter(makesSpace).reverse()) {
    await pace();
    const problem = await removeOld(one, merging);
    if (problem === "remains") merged.remaining.push(one.path);
    else if (problem !== undefined) merged.warnings.push(problem);
  }
  const written = byPath.filter(({ after }) => after !== null && after.kind !== "other");
  for (const one of written) {
    await pace();
    if (!putNew(one, merging)) merged.warnings.push(keep(one.path, merging));
  }
  for (const one of written.reverse()) finishDirectory(one, merging);
  return merged;
}

function keep(path: BytePath, { upper, stateDir }: Merging): string {
  const kept = putAside(upper, path, keptPlace(stateDir));
  const where = kept === undefined ? "" : ` It is kept at ${kept}.`;
  return `${shownPath(path)}, which the command wrote, could not be put into the workspace.${where}`;
}

/** A file or link is replaced directly; what is or becomes a directory, or has no replacement, is removed first. */
const makesSpace = ({ before, after }: OverlayDifference): boolean =>
  before !== null &&
  (after === null ||
    (before.kind === "directory") !== (after.kind === "directory") ||
    after.kind === "other");

async function removeOld(one: OverlayDifference, merging: Merging): Promise<string | undefined> {
  const { path, before, files } = one;
  const { lower } = merging;
  if (files !== undefined) return removeWhole(path, merging);
  const isDirectory = lower.stat(path)?.isDirectory() ?? false;
  if (removeOne(lower, path, isDirectory) || lower.stat(path) === undefined) return undefined;
  return before?.kind === "directory"
    ? "remains"
    : `${shownPath(path)} could not be removed from the workspace.`;
}

async function removeWhole(path: BytePath, { lower, overlay }: Merging): Promise<string | undefined> {
  if (await isChangedSince(path, lower, overlay.started))
    return `${shownPath(path)} was changed by somebody else while the command ran: it was not removed.`;
  const gone = join(overlay.directory, `gone-${randomHex(4)}`);
  const isDone = inDirectory(lower, path, (place) => renameSync(place, gone)) || removeAll(lower, path);
  return isDone ? undefined : `${shownPath(path)} could not be removed from the workspace.`;
}

async function isChangedSince(path: BytePath, lower: RootedTree, started: bigint): Promise<boolean> {
  await pace();
  if ((lower.stat(path)?.ctimeNs ?? 0n) > started) return true;
  for (const { name } of lower.list(path) ?? [])
    if (await isChangedSince(joinBytes(path, name), lower, started)) return true;
  return false;
}

function putNew({ path, before, after, files }: OverlayDifference, merging: Merging): boolean {
  if (after?.kind !== "directory") return carry(merging, path);
  if (before?.kind === "directory") return true;
  if (files === undefined) return makeDirectoryThere(merging.lower, path);
  const node = nodeAt(merging.root, path);
  if (node) giveRightsBack(node, path, merging.upper);
  if (!carry(merging, path)) return false;
  if (node?.mode !== undefined) setMode(merging.lower, path, node.mode);
  return true;
}

function finishDirectory({ path, before, after, files }: OverlayDifference, { upper, lower }: Merging): void {
  if (after?.kind !== "directory" || files !== undefined) return;
  const stats = upper.stat(path);
  if (stats && before?.kind !== "directory") finish(lower, path, stats);
  setMode(lower, path, after.mode);
}

/** Restores the modes that we changed to read directories; the topmost keeps ours until it has been moved. */
function giveRightsBack(node: UpperNode, path: BytePath, upper: RootedTree): void {
  for (const child of node.children.values()) {
    const place = joinBytes(path, child.name);
    giveRightsBack(child, place, upper);
    if (child.mode !== undefined) setMode(upper, place, child.mode);
  }
}
