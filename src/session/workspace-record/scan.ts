/** Scans every entry of a workspace without reading contents: bounded, and in slices that let other work proceed. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ScanEntry, lookAt, mayBeMoved } from "./entry.ts";
import { ancestorsOf, isGitName, isInstalledName, joinPath, nameOf } from "./left-out.ts";

/** Why a directory was not scanned: it is git's own, was made by an install, exceeds the limit, or cannot be read. */
export type SkipReason = "git" | "installed" | "full" | "closed";

export type WorkspaceScan = {
  /** Path → its entry. A name that is not valid text has a key with NUL, as something "other". */
  entries: Map<string, ScanEntry>;
  unlooked: Map<string, SkipReason>;
  /** The limit was exceeded. */
  truncated: boolean;
};

type ScanOptions = {
  /** Applies to files and to directories separately; entries of `before` do not count. */
  limit: number;
  /** Scanned wherever they are, except in git's own directories. */
  named: readonly string[];
  /** The earlier scan: places it covered are scanned again, places it skipped are skipped again. */
  before?: WorkspaceScan;
  signal?: AbortSignal;
};

type ScanWalk = ScanOptions & {
  root: string;
  scan: WorkspaceScan;
  files: number;
  directories: number;
  looks: number;
  /** Directories skipped in the earlier scan, by inode: they are skipped even if they were moved. */
  unknown: ReadonlyMap<bigint, ScanEntry>;
};

/** Breadth-first, so that the limit cuts off the deepest levels. A directory is scanned completely or not at all. */
export async function scanTree(root: string, options: ScanOptions): Promise<WorkspaceScan> {
  const scan: WorkspaceScan = { entries: new Map(), unlooked: new Map(), truncated: false };
  const unknown = unknownIn(options.before);
  const walk: ScanWalk = { ...options, root, scan, files: 0, directories: 0, looks: 0, unknown };
  await lookBelow(".", walk);
  for (const path of options.named) {
    if (scan.entries.has(path) || !standsPlainly(path, root)) continue;
    // Named paths have a budget of their own, so that other files cannot crowd them out.
    const own: ScanWalk = { ...walk, files: 0, directories: 0 };
    if (note(path, lookAt(join(root, path)), own)) await lookBelow(path, own);
  }
  return scan;
}

function unknownIn(before: WorkspaceScan | undefined): Map<bigint, ScanEntry> {
  const paths = before ? [...before.unlooked.keys()] : [];
  const entries = paths.flatMap((path) => before?.entries.get(path) ?? []);
  return new Map(entries.map((entry) => [entry.inode, entry]));
}

/** Everything above the path is a directory, not a link, and none is git's own. */
function standsPlainly(path: string, root: string): boolean {
  if (path === "." || path.split("/").some(isGitName)) return false;
  return ancestorsOf(path).every((above) => lookAt(join(root, above))?.kind === "directory");
}

async function lookBelow(start: string, walk: ScanWalk): Promise<void> {
  const earlier = walk.before?.unlooked.get(start);
  if (earlier !== undefined) return void walk.scan.unlooked.set(start, earlier);
  const waiting = [start];
  for (let at = 0; at < waiting.length; at += 1) {
    const directory = waiting[at] ?? start;
    for (const { path, place } of directoryItems(directory, walk)) {
      if ((walk.looks += 1) % breatheEvery === 0) await setImmediate();
      walk.signal?.throwIfAborted();
      const entry = lookAt(place);
      if (note(path, path.includes("\0") && entry ? { ...entry, kind: "other" } : entry, walk))
        waiting.push(path);
    }
  }
}

/** About 2 ms of work. */
const breatheEvery = 500;

/** Records the entry, and returns whether to descend into it. */
function note(path: string, entry: ScanEntry | undefined, walk: ScanWalk): boolean {
  if (!entry) return false;
  const { scan, before } = walk;
  scan.entries.set(path, entry);
  const isKnown = before?.entries.has(path) === true;
  const why = whyNotLookInto(path, entry, walk);
  if (why !== undefined) scan.unlooked.set(path, why);
  if (entry.kind !== "directory") walk.files += isKnown ? 0 : 1;
  if (entry.kind !== "directory" || why !== undefined) return false;
  if (!isKnown) walk.directories += 1;
  return true;
}

function whyNotLookInto(path: string, entry: ScanEntry, walk: ScanWalk): SkipReason | undefined {
  const name = nameOf(path);
  if (isGitName(name)) return "git";
  if (entry.kind !== "directory") return undefined;
  if (isInstalledName(name)) return "installed";
  const earlier = walk.before?.unlooked.get(path);
  if (earlier !== undefined) return earlier;
  const unknown = walk.unknown.get(entry.inode);
  if (unknown && mayBeMoved(unknown, entry)) return "closed";
  if (walk.directories < walk.limit || walk.before?.entries.has(path)) return undefined;
  walk.scan.truncated = true;
  return "full";
}

type ScanItem = { path: string; place: string | Buffer };

/** A directory's entries. If they exceed the limit: none, or only those known before. */
function directoryItems(directory: string, walk: ScanWalk): ScanItem[] {
  const { root, scan, before, limit, files } = walk;
  const absolute = directory === "." ? root : join(root, directory);
  let names: readonly string[];
  try {
    names = readdirSync(absolute);
  } catch {
    scan.unlooked.set(directory, "closed");
    return [];
  }
  const all = names.some((name) => name.includes("\uFFFD"))
    ? foundByBytes(directory, absolute)
    : names.map((name) => ({ path: joinPath(directory, name), place: `${absolute}/${name}` }));
  const isKnown = ({ path }: ScanItem): boolean => before?.entries.has(path) === true;
  const fresh = before ? all.filter((each) => !isKnown(each)).length : all.length;
  if (fresh <= limit - files) return all;
  scan.unlooked.set(directory, "full");
  scan.truncated = true;
  return all.filter(isKnown);
}

/** Names that are not valid text cannot be written as a path: they are distinguished by their bytes. */
function foundByBytes(directory: string, absolute: string): ScanItem[] {
  try {
    const names = readdirSync(absolute, { encoding: "buffer" });
    return names.map((bytes) => {
      const name = bytes.toString();
      const place = Buffer.concat([Buffer.from(`${absolute}/`), bytes]);
      return { path: joinPath(directory, Buffer.from(name).equals(bytes) ? name : spelledOut(bytes)), place };
    });
  } catch {
    return [];
  }
}

const spelledOut = (bytes: Buffer): string =>
  `\0${bytes.toString("latin1").replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)}`;
