/** Walking the workspace as a person sees it: without what git ignores, `.git` and `node_modules`; links are not followed. */
import { type Dirent, lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isIgnored, type IgnoreRules, rulesAbove, rulesIn } from "./gitignore.ts";

/** `path` is workspace-relative with forward slashes; `depth` counts from 1 below the start. */
export type WalkEntry = { path: string; kind: "directory" | "file" | "link" | "other"; depth: number };

export type WalkOptions = {
  /** Workspace-relative, "." for the root. */
  start: string;
  /** How many levels to go down. */
  depth?: number;
  /** Within a directory: all names in order, or its directories (with what is in them) before its files. */
  order: "by-name" | "directories-first";
  signal: AbortSignal;
};

/** Depth first; names in the order of their bytes. Directories that cannot be read are passed over. */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<WalkEntry> {
  const above = await rulesAbove(root, options.start);
  yield* walkDirectory({ root, options }, { directory: options.start, depth: 1, above });
}

/** The size of a regular file, `undefined` for anything else. */
export function sizeOfFile(root: string, path: string): number | undefined {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : undefined;
}

const leftOut: readonly string[] = [".git", "node_modules"];

type Walking = { root: string; options: WalkOptions };
/** `above`: the rules of the directories above this one. */
type Level = { directory: string; depth: number; above: IgnoreRules };

async function* walkDirectory(walking: Walking, level: Level): AsyncGenerator<WalkEntry> {
  const { root, options } = walking;
  options.signal.throwIfAborted();
  const found = await readdir(join(root, level.directory), { withFileTypes: true }).catch(() => []);
  const hasRules = found.some((entry) => entry.name === ".gitignore");
  const rules = hasRules ? await rulesIn(root, level.directory, level.above) : level.above;
  for (const entry of inOrder(entriesOf(found, level), options.order)) {
    if (isIgnored(rules, entry.path, entry.kind === "directory")) continue;
    yield entry;
    if (entry.kind !== "directory" || level.depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    yield* walkDirectory(walking, { directory: entry.path, depth: level.depth + 1, above: rules });
  }
}

function entriesOf(found: readonly Dirent[], { directory, depth }: Level): WalkEntry[] {
  const kept = found.filter((entry) => !leftOut.includes(entry.name));
  return kept.map((entry) => {
    const path = directory === "." ? entry.name : `${directory}/${entry.name}`;
    return { path, kind: kindOf(entry), depth };
  });
}

function kindOf(entry: Dirent): WalkEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}

function inOrder(entries: WalkEntry[], order: WalkOptions["order"]): WalkEntry[] {
  const late = (entry: WalkEntry): number =>
    Number(order === "directories-first" && entry.kind !== "directory");
  return entries.sort((a, b) => late(a) - late(b) || compareNames(a.path, b.path));
}

/** The order of their UTF-8 bytes, which is not that of their UTF-16 units beyond the basic plane. */
function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
