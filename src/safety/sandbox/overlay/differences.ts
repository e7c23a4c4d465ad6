/** Computes what a command changed: compares its overlay with the workspace entry by entry, without storing content. */

import { fileBounds } from "../../../base/bounds.ts";
import { sandboxBounds } from "../bounds.ts";
import { type BytePath, joinBytes, nameOf } from "./byte-path.ts";
import { isGeneratedName } from "./generated-directories.ts";
import { pace } from "./pace.ts";
import type { RootedTree } from "./rooted-tree.ts";
import { isSame, type Side, sideAt } from "./side.ts";
import type { UpperNode } from "./upper-tree.ts";
import type { View } from "./view.ts";

export type OverlayDifference = {
  path: BytePath;
  before: Side | null;
  after: Side | null;
  /** Set for a created or removed directory with too many files to list: their number. */
  files?: number;
  /** The generated directory that it is or lies in. */
  generated?: BytePath;
  /** The new git directory or protected place that it is or lies in. */
  apart?: BytePath;
};

type OverlayDifferences = {
  /** A directory precedes its contents, except for a removed one. */
  list: OverlayDifference[];
  /** Files whose timestamps alone changed. */
  touched: BytePath[];
  /** Named FIFOs that the command left behind. */
  fifos: BytePath[];
  /** Directories nested too deeply to find the changes inside them. */
  tooDeep: BytePath[];
};

export type OverlayCaps = {
  changes: number;
  /** Maximum size of one file. */
  fileBytes: number;
  /** Maximum total of old content, and separately of new content. */
  allBytes: number;
  /** Number of files from which a generated directory is no longer covered. */
  generated: number;
};

export const usualCaps: OverlayCaps = {
  changes: sandboxBounds.overlayChanges.most,
  fileBytes: fileBounds.undoFileBytes.most,
  allBytes: fileBounds.undoBytes.most,
  generated: 200,
};

type ComparisonContext = {
  upper: RootedTree;
  lower: RootedTree;
  view: View;
  /** Looks into everything, including generated directories. */
  whole: boolean;
  /** New places that are handled separately. */
  apart: ReadonlySet<BytePath>;
};

export async function differencesOf(
  root: UpperNode,
  compared: ComparisonContext,
): Promise<OverlayDifferences> {
  const found: OverlayDifferences = { list: [], touched: [], fifos: [], tooDeep: [] };
  for (const node of root.children.values())
    await visit(node, node.name, { ...compared, found, isLowerThere: true, hides: false });
  return found;
}

type OverlayWalk = ComparisonContext & {
  found: OverlayDifferences;
  /** Whether the workspace has the current directory. */
  isLowerThere: boolean;
  /** Whether names missing from the overlay have been deleted. */
  hides: boolean;
  generated?: BytePath;
  within?: BytePath;
};

async function visit(node: UpperNode, path: BytePath, above: OverlayWalk): Promise<void> {
  await pace();
  const walk = within(above, node, path);
  const before = walk.isLowerThere ? sideAt(walk.lower, path) : null;
  switch (node.kind) {
    case "character":
      return before ? remove(path, before, walk) : undefined;
    case "other":
      if (walk.upper.stat(path)?.isFIFO()) walk.found.fifos.push(path);
      return before ? remove(path, before, walk) : undefined;
    case "directory":
      return visitDirectory(node, { path, before }, walk);
    case "file":
    case "link":
      return visitLeaf(path, before, walk);
    default:
      return node.kind satisfies never;
  }
}

async function visitDirectory(
  node: UpperNode,
  { path, before }: { path: BytePath; before: Side | null },
  walk: OverlayWalk,
): Promise<void> {
  const seen = sideAt(walk.upper, path);
  if (seen === null) return;
  const after = node.mode === undefined ? seen : { ...seen, mode: node.mode };
  if (before?.kind !== "directory") {
    if (before === null && isOneThing(node, walk))
      return note(walk, { path, before, after, files: node.files });
    note(walk, { path, before, after });
    for (const child of node.children.values())
      await visit(child, joinBytes(path, child.name), { ...walk, isLowerThere: false });
    return;
  }
  if (node.isTooDeep) return void walk.found.tooDeep.push(path);
  if (before.mode !== after.mode) note(walk, { path, before, after });
  const hides = walk.hides || (await hidesLower(node, path, walk));
  for (const child of node.children.values())
    await visit(child, joinBytes(path, child.name), { ...walk, hides });
  if (hides) await removeNames(path, walk, (name) => !node.children.has(name));
}

function within(walk: OverlayWalk, node: UpperNode, path: BytePath): OverlayWalk {
  const generated = walk.generated ?? (node.isGenerated && !walk.whole ? path : undefined);
  const apart = walk.within ?? (walk.apart.has(path) ? path : undefined);
  return {
    ...walk,
    ...(generated === undefined ? {} : { generated }),
    ...(apart === undefined ? {} : { within: apart }),
  };
}

/** Whether this is a new directory that cannot be covered, whatever it contains. */
function isOneThing(node: UpperNode, { generated, whole, within }: OverlayWalk): boolean {
  if (node.isTooDeep) return true;
  if (whole) return false;
  const tooMany = generated === undefined ? node.plain > usualCaps.changes : node.files > usualCaps.generated;
  return tooMany || within !== undefined;
}

/** The kernel shows all names of the lower directory or, if it was removed and recreated, none of them. */
async function hidesLower(node: UpperNode, path: BytePath, { lower, view }: OverlayWalk): Promise<boolean> {
  const others = (lower.list(path) ?? []).filter(({ name }) => !node.children.has(name));
  if (others.length === 0) return false;
  const names = await view.names(path);
  return others.every(({ name }) => !names.has(name));
}

async function visitLeaf(path: BytePath, before: Side | null, walk: OverlayWalk): Promise<void> {
  const { lower, upper, found, generated } = walk;
  const after = sideAt(upper, path);
  if (after === null) return;
  if (before?.kind === "directory") await removeNames(path, walk, () => true);
  else if (
    before &&
    (await isSame({ lower, upper, path, before, after }, generated ? 0 : usualCaps.fileBytes))
  ) {
    if (before.modified !== after.modified) found.touched.push(path);
    return;
  }
  note(walk, { path, before, after });
}

/** Records the contents' removal before the directory's own. */
async function remove(path: BytePath, before: Side, walk: OverlayWalk): Promise<void> {
  if (before.kind !== "directory") return note(walk, { path, before, after: null });
  await pace();
  const isGenerated = walk.generated === undefined && isGeneratedName(nameOf(path)) && !walk.whole;
  const inside = isGenerated ? { ...walk, generated: path } : walk;
  const files = isGenerated ? await filesBelow(path, walk.lower) : 0;
  if (files > usualCaps.generated) return note(inside, { path, before, after: null, files });
  const isReadable = await removeNames(path, inside, () => true);
  note(inside, { path, before: isReadable ? before : { ...before, kind: "other" }, after: null });
}

async function removeNames(
  path: BytePath,
  walk: OverlayWalk,
  isGone: (name: BytePath) => boolean,
): Promise<boolean> {
  const listed = walk.lower.list(path);
  for (const { name } of listed ?? []) {
    const child = joinBytes(path, name);
    const before = isGone(name) ? sideAt(walk.lower, child) : null;
    if (before) await remove(child, before, walk);
  }
  return listed !== undefined;
}

async function filesBelow(path: BytePath, lower: RootedTree): Promise<number> {
  await pace();
  let files = 0;
  for (const { name, kind } of lower.list(path) ?? [])
    files += kind === "directory" ? await filesBelow(joinBytes(path, name), lower) : 1;
  return files;
}

function note({ found, generated, within: apart }: OverlayWalk, difference: OverlayDifference): void {
  found.list.push({
    ...difference,
    ...(generated === undefined ? {} : { generated }),
    ...(apart === undefined ? {} : { apart }),
  });
}
