/** Indexes the places in a workspace that need protection. Rescans only directories that have changed. */

import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isEnvironmentFile } from "../environment-files.ts";
import { looksLikeAgentFolder } from "../executing-places.ts";
import { namesIn } from "../on-disk.ts";
import { isGitName, isProtectedPath, looksLikeRepository, skippedDirectories } from "./protected-places.ts";

type ItemKind = "directory" | "file" | "link" | "other";

/** A relevant name and its identity: renaming a parent must not pass one item off as another. */
export type Item = {
  path: string;
  kind: ItemKind;
  /** `device:inode` of the item and of its directory. */
  identity: string;
  parent: string;
};

export type IndexedPlaces = {
  protected: Item[];
  /** Every `.git`, and bare repositories. */
  git: Item[];
  environmentFiles: string[];
  sockets: string[];
  /** The scan stopped early: too many directories, or too deeply nested. */
  truncated: boolean;
  /** A directory that we may write but that belongs to another user or group. */
  foreign?: string;
};

/** Which names count as files of the environment. */
type IsSecretName = (name: string) => boolean;

export type WorkspaceIndex = { look(): IndexedPlaces };

type IndexedDirectory = {
  identity: string;
  changed: bigint;
  /** Read so soon after its last change that a later change could carry the same timestamp. */
  fresh: boolean;
  items: { as: "protected" | "git" | "environment" | "socket"; item: Item }[];
  below: string[];
  isRepository: boolean;
  isAgentFolder: boolean;
  isForeign: boolean;
};

type IndexStep = { path: string; parent: string };

const mostDirectories = 4000;
const deepest = 16;
/** File systems round timestamps to clock ticks; the coarsest tick is 10 ms. */
const coarseness = 30_000_000n;

/** Never follows a symbolic link. Visits parents before their contents, so a cap never hides places near the root. */
export function indexWorkspace(root: string, isSecret: IsSecretName = isEnvironmentFile): WorkspaceIndex {
  let known = new Map<string, IndexedDirectory>();
  return {
    look() {
      const next = new Map<string, IndexedDirectory>();
      const found: IndexedPlaces = {
        protected: [],
        git: [],
        environmentFiles: [],
        sockets: [],
        truncated: false,
      };
      let level: IndexStep[] = [{ path: root, parent: "" }];
      for (let depth = 0; level.length > 0; depth += 1) {
        const space = depth === deepest ? 0 : mostDirectories - next.size;
        if (level.length > space) found.truncated = true;
        level = level.slice(0, space).flatMap((step) => visit(step, { known, next, found, isSecret }));
      }
      known = next;
      return found;
    },
  };
}

type IndexWalk = {
  known: Map<string, IndexedDirectory>;
  next: Map<string, IndexedDirectory>;
  found: IndexedPlaces;
  isSecret: IsSecretName;
};

/** Records a directory's relevant entries and returns the subdirectories to visit next. */
function visit({ path, parent }: IndexStep, { known, next, found, isSecret }: IndexWalk): IndexStep[] {
  const directory = current(path, known.get(path), isSecret);
  if (directory === undefined) return [];
  next.set(path, directory);
  const { identity } = directory;
  if (directory.isForeign) found.foreign ??= path;
  const as = directory.isRepository ? "git" : directory.isAgentFolder ? "protected" : undefined;
  if (as !== undefined && parent !== "") {
    found[as].push({ path, kind: "directory", identity, parent });
    return [];
  }
  for (const { as, item } of directory.items) {
    if (as === "environment") found.environmentFiles.push(item.path);
    else if (as === "socket") found.sockets.push(item.path);
    else found[as].push(item);
  }
  return directory.below.map((below) => ({ path: below, parent: identity }));
}

function current(
  path: string,
  before: IndexedDirectory | undefined,
  isSecret: IsSecretName,
): IndexedDirectory | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return undefined;
    const identity = `${stats.dev}:${stats.ino}`;
    if (before && !before.fresh && before.identity === identity && before.changed === stats.ctimeNs)
      return before;
    const now = BigInt(Date.now()) * 1_000_000n;
    const fresh = now - stats.ctimeNs < coarseness;
    const isForeign = isWritableOfOthers(stats);
    return { identity, changed: stats.ctimeNs, fresh, isForeign, ...contents(path, identity, isSecret) };
  } catch {
    // Gone or unreadable to us: then nothing below it is writable to us either.
    return undefined;
  }
}

function isWritableOfOthers({ uid, gid, mode }: BigIntStats): boolean {
  const isOurs = uid === BigInt(process.getuid?.() ?? 0);
  return isOurs ? gid !== BigInt(process.getgid?.() ?? 0) : (mode & 0o022n) !== 0n;
}

function contents(
  path: string,
  identity: string,
  isSecret: IsSecretName,
): Pick<IndexedDirectory, "items" | "below" | "isRepository" | "isAgentFolder"> {
  const entries = readdirSync(path, { withFileTypes: true });
  const items: IndexedDirectory["items"] = [];
  const below: string[] = [];
  for (const entry of entries) {
    const meanings = meaningsOf(entry, path, isSecret);
    const item = meanings.length > 0 ? itemAt(join(path, entry.name), identity) : undefined;
    if (item) for (const as of meanings) items.push({ as, item });
    else if (entry.isDirectory() && !skippedDirectories.has(entry.name)) below.push(join(path, entry.name));
  }
  const names = new Set(entries.map(({ name }) => name));
  const isAgentFolder = looksLikeAgentFolder(basename(path), names);
  return { items, below, isRepository: looksLikeRepository(names), isAgentFolder };
}

function meaningsOf(
  entry: Dirent,
  directory: string,
  isSecret: IsSecretName,
): IndexedDirectory["items"][number]["as"][] {
  if (entry.isSocket()) return ["socket"];
  if (isGitName(entry.name)) return ["git"];
  return [
    ...(isSecret(entry.name) && holdsSettings(entry, directory) ? (["environment"] as const) : []),
    ...(isProtectedPath(`${directory}/${entry.name}`) ? (["protected"] as const) : []),
  ];
}

/** A directory called `.env` alone is often Python's own; an empty one holds nothing. */
function holdsSettings(entry: Dirent, directory: string): boolean {
  if (!entry.isDirectory() || entry.name.toLowerCase() !== ".env") return true;
  const inside = namesIn(join(directory, entry.name));
  return inside.length > 0 && !inside.includes("pyvenv.cfg");
}

/** Undefined if it has disappeared or its name is not valid text. */
function itemAt(path: string, parent: string): Item | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return { path, kind: kindOf(stats), identity: `${stats.dev}:${stats.ino}`, parent };
}

function kindOf(stats: BigIntStats): ItemKind {
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "link";
  return stats.isFile() ? "file" : "other";
}
