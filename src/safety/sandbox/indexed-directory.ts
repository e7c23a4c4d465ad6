/** What one directory of a workspace holds that needs protection; read again only if it has changed. */

import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { identityOf, kindOf, lastingSignature } from "../../base/safe-fs/status.ts";
import type { FileStatus } from "../../base/safe-fs/tree.ts";
import { looksLikeAgentFolder } from "../executing-places.ts";
import { namesIn } from "../on-disk.ts";
import { isGitName, isProtectedPath, looksLikeRepository, skippedDirectories } from "./protected-places.ts";

/** A relevant name and its identity: renaming a parent must not pass one item off as another. */
export type Item = {
  path: string;
  kind: FileStatus["kind"];
  /** `device:inode` of the item and of its directory. */
  identity: string;
  parent: string;
};

/** Which names count as files of the environment. */
export type IsSecretName = (name: string) => boolean;

export type IndexedDirectory = {
  identity: string;
  /** As it was read; undefined if a later change could carry the same one. */
  signature: string | undefined;
  items: { as: "protected" | "git" | "environment" | "socket"; item: Item }[];
  below: string[];
  filled: string[];
  isRepository: boolean;
  isAgentFolder: boolean;
  isForeign: boolean;
};

/** Undefined if it is no directory, or gone. */
export function directoryAt(
  path: string,
  before: IndexedDirectory | undefined,
  isSecret: IsSecretName,
): IndexedDirectory | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return undefined;
    const [identity, signature] = [identityOf(stats), lastingSignature(stats)];
    if (signature !== undefined && before?.signature === signature) return before;
    const isForeign = isWritableOfOthers(stats);
    return { identity, signature, isForeign, ...contents(path, identity, isSecret) };
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
): Pick<IndexedDirectory, "items" | "below" | "filled" | "isRepository" | "isAgentFolder"> {
  const entries = readdirSync(path, { withFileTypes: true });
  const items: IndexedDirectory["items"] = [];
  const below: string[] = [];
  const filled: string[] = [];
  for (const entry of entries) {
    const meanings = meaningsOf(entry, path, isSecret);
    const item = meanings.length > 0 ? itemAt(join(path, entry.name), identity) : undefined;
    if (item) for (const as of meanings) items.push({ as, item });
    else if (entry.isDirectory())
      (skippedDirectories.has(entry.name) ? filled : below).push(join(path, entry.name));
  }
  const names = new Set(entries.map(({ name }) => name));
  const isAgentFolder = looksLikeAgentFolder(basename(path), names);
  return { items, below, filled, isRepository: looksLikeRepository(names), isAgentFolder };
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

/** Undefined if it has disappeared or its name is not valid text. */
function itemAt(path: string, parent: string): Item | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return { path, kind: kindOf(stats), identity: identityOf(stats), parent };
}

/** A directory called `.env` alone is often Python's own; an empty one holds nothing. */
function holdsSettings(entry: Dirent, directory: string): boolean {
  if (!entry.isDirectory() || entry.name.toLowerCase() !== ".env") return true;
  const inside = namesIn(join(directory, entry.name));
  return inside.length > 0 && !inside.includes("pyvenv.cfg");
}
