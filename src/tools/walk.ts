/** Walking the workspace as a person sees it: without what git ignores, `.git` and `node_modules`; links are not followed. */
import type { Listed, Tree } from "../base/safe-fs/tree.ts";
import { isIgnored, type IgnoreRules, rulesAbove, rulesIn } from "./gitignore.ts";

/** `path` is workspace-relative with forward slashes; `depth` counts from 1 below the start. */
export type WalkEntry = { path: string; kind: Listed["kind"]; depth: number; size?: number };

export type WalkOptions = {
  /** Workspace-relative, "." for the root. */
  start: string;
  /** How many levels to go down. */
  depth?: number;
  /** Within a directory: all names in order, or its directories (with what is in them) before its files. */
  order: "by-name" | "directories-first";
  /** Whether files come with their size. */
  sizes?: boolean;
  signal: AbortSignal;
};

/** Depth first; names in the order of their bytes. Directories that cannot be read are passed over. */
export async function* walk(files: Tree, options: WalkOptions): AsyncGenerator<WalkEntry> {
  const above = await rulesAbove(files, options.start);
  yield* walkDirectory({ files, options }, { directory: options.start, depth: 1, above });
}

const leftOut: readonly string[] = [".git", "node_modules"];

type Walking = { files: Tree; options: WalkOptions };
/** `above`: the rules of the directories above this one. */
type Level = { directory: string; depth: number; above: IgnoreRules };

async function* walkDirectory(walking: Walking, level: Level): AsyncGenerator<WalkEntry> {
  const { files, options } = walking;
  options.signal.throwIfAborted();
  const listed = await files.list(level.directory, { sizes: options.sizes ?? false });
  const found = listed.ok ? listed.value : [];
  const hasRules = found.some((entry) => entry.name === ".gitignore");
  const rules = hasRules ? await rulesIn(files, level.directory, level.above) : level.above;
  for (const entry of inOrder(entriesOf(found, level), options.order)) {
    if (isIgnored(rules, entry.path, entry.kind === "directory")) continue;
    yield entry;
    if (entry.kind !== "directory" || level.depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    yield* walkDirectory(walking, { directory: entry.path, depth: level.depth + 1, above: rules });
  }
}

function entriesOf(found: readonly Listed[], { directory, depth }: Level): WalkEntry[] {
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

/** The order of their UTF-8 bytes, which is not that of their UTF-16 units beyond the basic plane. */
function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
