/** Determines which files git can give back: those unchanged since git last saw them. */

import { join } from "node:path";
import type { ScanEntry } from "./entry.ts";
import type { IndexEntry } from "./git-index.ts";
import type { GitReader } from "./git-reader.ts";
import { isGitName, joinPath, nameOf, parentOf } from "./left-out.ts";
import type { NamedPaths } from "./named-paths.ts";
import type { WorkspaceScan } from "./scan.ts";

/** Where git has a content: in which repository of the workspace, and under which id. */
export type InGit = { repository: string; id: string };

export type KnownToGit = {
  /** Path → its content, for files and links unchanged since git's index. */
  clean: Map<string, InGit>;
  /** All other files that git tracks. */
  modified: Set<string>;
};

type GitLookup = {
  root: string;
  scan: WorkspaceScan;
  git?: GitReader;
  named: NamedPaths;
  signal?: AbortSignal;
};

const mostRepositories = 20;

/** A repository whose objects the command may delete is not relied on. */
export async function knownToGit({ root, scan, git, named, signal }: GitLookup): Promise<KnownToGit> {
  const known: KnownToGit = { clean: new Map(), modified: new Set() };
  if (!git) return known;
  const places = [...scan.unlooked.keys()].filter((path) => isGitName(nameOf(path)) && path !== ".git");
  const repositories = [".git", ...places].filter((path) => !mayGo(path, named));
  for (const place of repositories.slice(0, mostRepositories)) {
    const repository = parentOf(place) ?? ".";
    const index = await git.index(join(root, repository), signal);
    for (const file of index?.files ?? []) {
      const path = joinPath(repository, file.path);
      const entry = scan.entries.get(path);
      if (!entry) continue;
      if (isClean(file, entry, index?.written ?? 0n)) known.clean.set(path, { repository, id: file.id });
      else known.modified.add(path);
    }
  }
  return known;
}

/**
 * Whether the command names the place, something above it, or something in it; a mere formatter names the whole
 * workspace.
 */
const mayGo = (place: string, { paths, covers }: NamedPaths): boolean =>
  paths.some((each) => each.startsWith(`${place}/`)) || (covers(place) && !paths.includes("."));

/** How far a file system's clock may lag behind. */
const tick = 30_000_000n;
const second = 1_000_000_000n;

/**
 * As git itself decides, but more careful about files changed while the index was written: a further change within the
 * same clock tick would not show.
 */
function isClean(file: IndexEntry, entry: ScanEntry, written: bigint): boolean {
  const { size, inode, modified, changed } = file;
  const coarse = modified % second === 0n ? second : 0n;
  return (
    file.kind === entry.kind &&
    size === modulo32(entry.size) &&
    (inode === 0 || inode === modulo32(entry.inode)) &&
    isSameTime(modified, entry.modified) &&
    (changed === 0n || isSameTime(changed, entry.changed)) &&
    modified + coarse + tick < written
  );
}

const modulo32 = (figure: number | bigint): number => Number(BigInt.asUintN(32, BigInt(figure)));

/** Some writers of the index record whole seconds. */
const isSameTime = (noted: bigint, now: bigint): boolean =>
  noted === now || (noted % second === 0n && noted / second === now / second);
