/** Examines a skill's folder: its files, whether any are code, and one hash of everything. */

import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { extname, join } from "node:path";
import { mib } from "../../base/bound.ts";
import { readRegularFile, readWindow } from "../../base/safe-fs/own-files.ts";
import { stateFrom } from "../../base/safe-fs/status.ts";
import { mostFolderEntries } from "./bounds.ts";
import { entriesOf } from "./places.ts";

/** Files read for the approval of a workspace's skills that contain code, all together, in bytes. */
const mostAgreed = 64 * mib;

/** `path` is relative to the folder; `state` differs whenever content or mode may have changed since. */
export type SkillFile = { path: string; size: number; isExecutable: boolean; state: string };

/**
 * `hasLinks`: the folder has links, whose targets are not part of it; `isWhole`: false if it was too deep or too large
 * to list fully.
 */
type SkillFiles = { files: SkillFile[]; hasLinks: boolean; isWhole: boolean };

/** What may still be listed, and hashed for consent, across all folders. */
export type FolderBudget = { entries: number; bytes: number };
export const newBudget = (): FolderBudget => ({ entries: mostFolderEntries, bytes: mostAgreed });

/** Sorted by name, without links. */
export async function filesOfSkill(folder: string, budget = newBudget()): Promise<SkillFiles> {
  const all: SkillFiles = { files: [], hasLinks: false, isWhole: true };
  await gather(folder, { at: "", depth: 0, budget }, all);
  return { ...all, files: all.files.toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
}

const deepest = 8;
type At = { at: string; depth: number; budget: FolderBudget };

async function gather(folder: string, { at, depth, budget }: At, all: SkillFiles): Promise<void> {
  const entries = await entriesOf(join(folder, at));
  budget.entries -= entries.length;
  if (budget.entries <= 0 || depth > deepest) {
    all.isWhole = false;
    return;
  }
  for (const { name, kind } of entries) {
    const path = at === "" ? name : `${at}/${name}`;
    if (kind === "folder") await gather(folder, { at: path, depth: depth + 1, budget }, all);
    else if (kind === "link") all.hasLinks = true;
    else await add(folder, path, all);
  }
}

async function add(folder: string, path: string, all: SkillFiles): Promise<void> {
  const stats = await lstat(join(folder, path), { bigint: true }).catch(() => undefined);
  if (!stats?.isFile()) return;
  const isExecutable = (stats.mode & 0o111n) !== 0n;
  all.files.push({ path, size: Number(stats.size), isExecutable, state: stateFrom(stats) });
}

/** The files that could be run, judged by mode, name or first line. */
export async function codeIn(folder: string, files: readonly SkillFile[]): Promise<string[]> {
  const code: string[] = [];
  for (const { path, isExecutable } of files)
    if (isExecutable || isScript(path) || (await hasShebang(join(folder, path)))) code.push(path);
  return code;
}

const isText =
  /\.(?:md|markdown|txt|rst|adoc|json|jsonl|ya?ml|toml|csv|tsv|xml|svg|html?|css|png|jpe?g|gif|webp|pdf|ttf|otf|woff2?)$/iu;

/** Any file not known to be text counts as code; a file without extension is judged by its first line instead. */
const isScript = (path: string): boolean =>
  (extname(path) !== "" && !isText.test(path)) || /(?:^|\/)(?:make|docker|just|rake)file$/iu.test(path);

async function hasShebang(path: string): Promise<boolean> {
  const start = await readWindow(path, { offset: 0, length: 2 });
  return start.ok && start.value.bytes[0] === 0x23 && start.value.bytes[1] === 0x21;
}

/** Covers all names, modes and contents. Undefined if they exceed what can be hashed, or some cannot be read. */
export async function hashOf(
  folder: string,
  files: readonly SkillFile[],
  budget: FolderBudget,
): Promise<string | undefined> {
  const hash = createHash("sha256");
  for (const { path, isExecutable } of files) {
    const read = await readRegularFile(join(folder, path), { maxBytes: budget.bytes });
    if (!read.ok) return undefined;
    budget.bytes -= read.value.length;
    hash.update(JSON.stringify([path, isExecutable, read.value.length])).update(read.value);
  }
  return hash.digest("hex");
}
