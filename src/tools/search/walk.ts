/**
 * Walks the workspace as people see it: without git-ignored files, `.git` and `node_modules`, and not following links.
 */

import type { FileProblem } from "../../base/safe-fs/problems.ts";
import type { TreeEntry, Tree } from "../../base/safe-fs/tree.ts";
import { withheldCode } from "../tool.ts";
import { isIgnored, type IgnoreRules, rulesAbove, rulesIn } from "./gitignore.ts";

/** `path` is workspace-relative with forward slashes; `depth` counts from 1 below the start. */
export type WalkEntry = { path: string; kind: TreeEntry["kind"]; depth: number; size?: number };

type WalkOptions = {
  /** Workspace-relative, "." for the root. */
  start: string;
  /** How many levels to go down. */
  depth?: number;
  /** Within a directory: all names in order, or its directories (with what is in them) before its files. */
  order: "by-name" | "directories-first";
  /** Whether to include file sizes. */
  sizes?: boolean;
  signal: AbortSignal;
};

/**
 * Valid once the entries are exhausted. `problem`: why some may be missing (unreadable directories below the start are
 * skipped silently); `isCut`: the tree continues below the depth limit; `withheld`: directories that may not be listed.
 */
type TreeWalk = {
  entries: AsyncIterable<WalkEntry>;
  problem(): FileProblem | undefined;
  isCut(): boolean;
  withheld(): readonly string[];
};

/** Levels below the start. Each costs a descent from the root, and a deeper tree is only meant to keep us busy. */
const deepest = 100;

export const cutNote = `[Directories more than ${deepest} levels down were left out.]`;

/** Depth first; names in byte order. */
export function walk(files: Tree, options: WalkOptions): TreeWalk {
  const walking: Walking = { files, options, problem: undefined, isCut: false, withheld: [] };
  return {
    entries: walkFrom(walking),
    problem: () => walking.problem,
    isCut: () => walking.isCut,
    withheld: () => walking.withheld,
  };
}

async function* walkFrom(walking: Walking): AsyncGenerator<WalkEntry> {
  const { start } = walking.options;
  const above = await rulesAbove(walking.files, start);
  yield* walkDirectory(walking, { directory: start, depth: 1, above });
}

const leftOut: readonly string[] = [".git", "node_modules"];

/** Unreadable, or moved away during the walk. */
const passedOver: readonly string[] = ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"];

type Walking = {
  files: Tree;
  options: WalkOptions;
  problem: FileProblem | undefined;
  isCut: boolean;
  withheld: string[];
};
/** `above`: the rules of the parent directories. */
type WalkLevel = { directory: string; depth: number; above: IgnoreRules };

async function* walkDirectory(walking: Walking, level: WalkLevel): AsyncGenerator<WalkEntry> {
  const { files, options } = walking;
  options.signal.throwIfAborted();
  const listed = await files.list(level.directory, { sizes: options.sizes ?? false });
  if (!listed.ok && level.depth > 1 && listed.problem.code === withheldCode)
    walking.withheld.push(`${level.directory}/`);
  else if (!listed.ok && (level.depth === 1 || !passedOver.includes(listed.problem.code)))
    walking.problem ??= listed.problem;
  const found = listed.ok ? listed.value : [];
  const hasRules = found.some((entry) => entry.name === ".gitignore");
  const rules = hasRules ? await rulesIn(files, level.directory, level.above) : level.above;
  for (const entry of inOrder(entriesOf(found, level), options.order)) {
    if (isIgnored(rules, { path: entry.path, isDirectory: entry.kind === "directory" })) continue;
    yield entry;
    if (entry.kind !== "directory" || level.depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    if (level.depth >= deepest) walking.isCut = true;
    else yield* walkDirectory(walking, { directory: entry.path, depth: level.depth + 1, above: rules });
  }
}

function entriesOf(found: readonly TreeEntry[], { directory, depth }: WalkLevel): WalkEntry[] {
  const kept = found.filter((entry) => !leftOut.includes(entry.name));
  return kept.map(({ name, ...rest }) => ({
    path: directory === "." ? name : `${directory}/${name}`,
    depth,
    ...rest,
  }));
}

function inOrder(entries: WalkEntry[], order: WalkOptions["order"]): WalkEntry[] {
  const late = (entry: WalkEntry): number =>
    Number(order === "directories-first" && entry.kind !== "directory");
  return entries.sort((a, b) => late(a) - late(b) || compareNames(a.path, b.path));
}

/** Compares by UTF-8 bytes, which order differently from UTF-16 units beyond the basic plane. */
function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
