/**
 * Shows a command the host's directories through read-only overlays: the kernel finds a listening socket by its inode,
 * and an overlay's inodes are its own, so no socket of the host can be reached there, however and whenever it was bound.
 */

import { existsSync, mkdirSync, renameSync, statfsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { randomHex, sha256 } from "../../base/crypto.ts";
import { isWithin } from "../../base/paths.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { entriesIn } from "../on-disk.ts";
import { mountsBelow, mountTable } from "./mount-table.ts";
import { inNamespace, type NamespaceTools, overlayLine, type Stage, waysToMount } from "./overlay/overlay.ts";
import { coversPrefix, ownDirectory } from "./runs.ts";
import type { TryOutMemory } from "./try-out-memory.ts";
import { outputOf } from "./try-out.ts";

export type Covers = {
  /** Undefined if overlays cannot be mounted on this machine. */
  stage?: Stage;
  /** Each covered directory, and where its overlay is. */
  list: readonly { path: string; from: string }[];
  /** Directories whose sockets have to be found and hidden one by one. */
  open: readonly string[];
  /** Those of them that an overlay should have covered, and could not. */
  failed: readonly string[];
  /** The same overlays, as lines for the table of an overlay beside the stage. */
  lines: string;
};

export const noCovers: Covers = { list: [], open: ["/"], failed: [], lines: "" };

/** Covers that work, by the directories that were asked for. */
export type KnownCovers = Map<string, Promise<Covers>>;

/** `others` are directories to be covered besides those of the whole machine. */
export async function coversFor(
  stateDir: string,
  others: readonly string[],
  { covers: known, tryOuts }: { covers: KnownCovers; tryOuts: { memory: TryOutMemory } },
): Promise<Covers> {
  const wanted = coverable(others);
  const key = [stateDir, ...wanted.paths, "", ...wanted.open].join("\0");
  const covers = known.get(key) ?? tryOut(stateDir, wanted, tryOuts.memory);
  known.set(key, covers);
  return covers;
}

/** Where the covers show a path; the path itself if none does. */
export function through({ list }: Covers, path: string): string {
  const cover = list.findLast((one) => isWithin(one.path, path));
  return cover ? join(cover.from, relative(cover.path, path)) : path;
}

/** Written by the system alone, or never taken from the host. */
const systems = new Set(
  "bin boot dev etc lib lib32 lib64 libx32 lost+found proc run sbin sys tmp usr".split(" "),
);
/** Each costs a fraction of a millisecond in every command. */
const mostCovers = 64;

type CoverRequest = { paths: string[]; open: string[] };

/**
 * An ordinary user cannot cover a directory that has another file system mounted in it: then its subdirectories are
 * covered one by one.
 */
function coverable(others: readonly string[]): CoverRequest {
  const table = mountTable();
  const fixed = new Set(table.filter(({ isFixed }) => isFixed).map(({ path }) => path));
  const wanted: CoverRequest = { paths: [], open: ["/"] };
  let level = [...directoriesIn("/").filter((path) => !systems.has(basename(path))), ...others];
  while (level.length > 0) {
    const below: string[] = [];
    for (const path of level.filter((one) => !fixed.has(one))) {
      const inner = mountsBelow(path, table).length > 0 ? directoriesIn(path) : undefined;
      if (inner === undefined && wanted.paths.length < mostCovers) wanted.paths.push(path);
      else wanted.open.push(path);
      if (inner && inner.length <= mostCovers) below.push(...inner);
    }
    level = below;
  }
  return wanted;
}

const directoriesIn = (path: string): string[] =>
  entriesIn(path)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));

/** A file system of its own: no overlay may have one lower directory inside another, and this place may be in a home. */
const emptyOptions = "size=4k,mode=755";

const trying = [
  `cd "$1" && mount=$2 && shift 2 && "$mount" -n -i -t tmpfs tmpfs -o ${emptyOptions} empty || exit`,
  'for n; do "$mount" -n -i -t overlay overlay -o "userxattr,lowerdir=c$n:empty" "s$n" 2>/dev/null && echo "$n"; done',
].join("\n");

/** Some file systems (FAT, for one) cannot be under an overlay. */
async function tryOut(
  stateDir: string,
  { paths, open }: CoverRequest,
  memory: TryOutMemory,
): Promise<Covers> {
  const name = `${coversPrefix}${sha256(Buffer.from(paths.join("\0"))).slice(0, 12)}`;
  const directory = join(ownDirectory(stateDir), name);
  prepare(directory, paths);
  const trial = `covers ${paths.map((path) => `${path} ${kindOf(path)}`).join("\0")}`;
  const worked = memory.recall(trial);
  const recalled = waysToMount().find(({ options }) => options === worked);
  for (const way of recalled ? [recalled] : waysToMount()) {
    const works = recalled ? [...paths.keys()] : await mountable(way, directory, paths.length);
    if (works.length === 0) continue;
    if (!recalled && works.length === paths.length) memory.keep(trial, way.options);
    const failed = paths.filter((_, at) => !works.includes(at));
    const lines = (beside: string): string =>
      [
        `tmpfs ${beside}empty tmpfs ${emptyOptions} 0 0\n`,
        ...works.map((at) => overlayLine(`${beside}s${at}`, `lowerdir=${beside}c${at}:${beside}empty`)),
      ].join("");
    replaceTable(directory, lines(""));
    return {
      stage: { way, directory },
      list: works.map((at) => ({ path: paths[at] ?? "", from: join(directory, `s${at}`) })),
      open: [...open, ...failed],
      failed,
      lines: lines(`../${name}/`),
    };
  }
  return noCovers;
}

/** Of the file system. */
function kindOf(path: string): string {
  try {
    return `${statSync(path).dev} ${statfsSync(path).type}`;
  } catch {
    return "none";
  }
}

/** Another session of this process may be mounting by it. */
function replaceTable(directory: string, lines: string): void {
  const fresh = join(directory, `table.${randomHex(6)}`);
  writeFileSync(fresh, lines);
  renameSync(fresh, join(directory, "table"));
}

function prepare(directory: string, paths: readonly string[]): void {
  makeDirectorySync(directory, 0o700);
  for (const [at, path] of paths.entries()) {
    if (existsSync(join(directory, `s${at}`))) continue;
    symlinkSync(path, join(directory, `c${at}`));
    mkdirSync(join(directory, `s${at}`));
  }
  makeDirectorySync(join(directory, "empty"), 0o755);
}

async function mountable(way: NamespaceTools, directory: string, count: number): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, at) => String(at));
  const { text } = await outputOf([...inNamespace(way, trying), directory, way.mount, ...numbers]);
  return [...text.matchAll(/^\d+$/gm)].map(([at]) => Number(at));
}
