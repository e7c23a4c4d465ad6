/** Lists a command's writes once: names, kinds, and the number of files below each directory. */

import { chmodSync, lstatSync } from "node:fs";
import { type BytePath, joinBytes, shownPath } from "./byte-path.ts";
import { setMode } from "./carry.ts";
import { isGeneratedName, isMark } from "./generated-directories.ts";
import { pace } from "./pace.ts";
import type { ListedKind, RootedTree } from "./rooted-tree.ts";

export type UpperNode = {
  name: BytePath;
  /** A character device is a whiteout for a removed entry: the command itself cannot create one. */
  kind: ListedKind;
  /** A directory's entries; empty if it was not read. */
  children: Map<BytePath, UpperNode>;
  /** Number of files, links and whiteouts, at or below this node. */
  files: number;
  /** The same, excluding generated directories. */
  plain: number;
  isGenerated: boolean;
  /** Nested too deeply to be read. */
  isTooDeep: boolean;
  /** The original mode of a directory that its owner may not access, before we granted ourselves access. */
  mode?: number;
};

const deepest = 128;

type UpperTree = {
  root: UpperNode;
  /** Files that would have run as their owner or group, for whoever starts them: they have lost these bits. */
  setId: BytePath[];
};

/** `keepsSetId` is for commands that a person approved to run in the open. */
export async function readUpper(
  upper: RootedTree,
  { keepsSetId }: { keepsSetId: boolean },
): Promise<UpperTree> {
  const tree: UpperTree = { root: nodeOf("", "directory"), setId: [] };
  await lookInto(tree.root, "", { upper, depth: 0, keepsSetId, setId: tree.setId });
  return tree;
}

export function nodeAt(root: UpperNode, path: BytePath): UpperNode | undefined {
  let node: UpperNode | undefined = root;
  for (const name of path.split("/")) node = node?.children.get(name);
  return node;
}

type TreeReading = { upper: RootedTree; depth: number; keepsSetId: boolean; setId: BytePath[] };

async function lookInto(node: UpperNode, path: BytePath, look: TreeReading): Promise<void> {
  const { upper, depth, keepsSetId, setId } = look;
  await pace();
  if (path !== "") takeRights(node, path, upper);
  const listed = upper.list(path);
  if (listed === undefined) throw new Error(`${shownPath(path)} cannot be listed`);
  for (const { name, kind } of listed) {
    const child = nodeOf(name, kind);
    node.children.set(name, child);
    if (isMark(name) && kind === "file") node.isGenerated = true;
    if (kind === "file" && !keepsSetId && losesSetId(joinBytes(path, name), upper))
      setId.push(joinBytes(path, name));
    if (kind !== "directory") continue;
    if (depth === deepest) child.isTooDeep = true;
    else await lookInto(child, joinBytes(path, name), { ...look, depth: depth + 1 });
  }
  for (const child of node.children.values()) {
    node.files += child.files;
    node.plain += child.isGenerated ? 0 : child.plain;
  }
}

function losesSetId(path: BytePath, upper: RootedTree): boolean {
  const place = upper.at(path);
  const stats = place && lstatSync(place, { throwIfNoEntry: false });
  if (place === undefined || !stats?.isFile() || (stats.mode & 0o6000) === 0) return false;
  return setMode(upper, path, stats.mode & 0o1777);
}

function nodeOf(name: BytePath, kind: ListedKind): UpperNode {
  const files = kind === "directory" ? 0 : 1;
  const isGenerated = kind === "directory" && isGeneratedName(name);
  return { name, kind, children: new Map(), files, plain: files, isGenerated, isTooDeep: false };
}

/** Grants us access to a directory in the overlay: without it only root could list and enter one whose owner may not. */
function takeRights(node: UpperNode, path: BytePath, upper: RootedTree): void {
  const place = upper.at(path);
  const stats = upper.stat(path);
  if (place === undefined || stats === undefined || !stats.isDirectory()) return;
  const mode = Number(stats.mode & 0o7777n);
  if ((mode & 0o700) === 0o700) return;
  node.mode = mode;
  chmodSync(place, mode | 0o700);
}
