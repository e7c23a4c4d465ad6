/**
 * Single steps that move files from an overlay into the workspace, each through the descriptor of the parent directory.
 */

import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lchownSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { randomHex } from "../../../base/crypto.ts";
import { codeOf } from "../../../base/safe-fs/problems.ts";
import { type BytePath, joinBytes, parentOf } from "./byte-path.ts";
import { onlyPlace, type RootedTree } from "./rooted-tree.ts";

type CarryTrees = { upper: RootedTree; lower: RootedTree };

/** Returns whether the work succeeded. A directory its owner may not write is made writable temporarily. */
export function inDirectory(tree: RootedTree, path: BytePath, work: (place: Buffer) => void): boolean {
  const attempt = (): unknown => {
    try {
      const place = tree.at(path);
      if (place === undefined) return "gone";
      work(place);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const failure = attempt();
  if (failure === undefined) return true;
  const mode = codeOf(failure) === "EACCES" ? modeOf(tree, parentOf(path)) : undefined;
  if (mode === undefined || (mode & 0o300) === 0o300) return false;
  setMode(tree, parentOf(path), mode | 0o700);
  const isDone = attempt() === undefined;
  setMode(tree, parentOf(path), mode);
  return isDone;
}

function modeOf(tree: RootedTree, path: BytePath): number | undefined {
  const stats = path === "" ? undefined : tree.stat(path);
  return stats?.isDirectory() ? Number(stats.mode & 0o7777n) : undefined;
}

/** Works on exactly the entry that is there: never follows a link, even one put there a moment ago. */
function withPinned(place: Buffer | undefined, work: (itself: string) => void): boolean {
  let descriptor: number | undefined;
  try {
    if (place === undefined) return false;
    descriptor = openSync(place, onlyPlace | constants.O_NOFOLLOW);
    work(`/proc/self/fd/${descriptor}`);
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export const setMode = (tree: RootedTree, path: BytePath, mode: number): boolean =>
  withPinned(tree.at(path), (itself) => chmodSync(itself, mode));

export function setTimes(tree: RootedTree, path: BytePath, { atimeNs, mtimeNs }: BigIntStats): void {
  const place = tree.at(path);
  try {
    if (place) lutimesSync(place, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9);
  } catch {
    // Owned by another user, or gone: losing its times is harmless.
  }
}

/** Removes an empty directory, a file or a link. */
export const removeOne = (tree: RootedTree, path: BytePath, isDirectory: boolean): boolean =>
  inDirectory(tree, path, isDirectory ? rmdirSync : unlinkSync);

/** Removes a directory and all its contents. */
export function removeAll(tree: RootedTree, path: BytePath): boolean {
  const mode = modeOf(tree, path);
  if (mode !== undefined && (mode & 0o700) !== 0o700) setMode(tree, path, mode | 0o700);
  for (const { name, kind } of tree.list(path) ?? []) {
    const child = joinBytes(path, name);
    if (kind === "directory") removeAll(tree, child);
    else removeOne(tree, child, false);
  }
  return removeOne(tree, path, true);
}

export const makeDirectoryThere = (tree: RootedTree, path: BytePath): boolean =>
  tree.stat(path)?.isDirectory() === true ||
  inDirectory(tree, path, (place) => mkdirSync(place, { mode: 0o700 }));

/** Moves to the same path in the workspace: by rename on the same device, otherwise by copying. */
export function carry({ upper, lower }: CarryTrees, path: BytePath): boolean {
  const from = upper.at(path);
  if (from === undefined) return false;
  let isElsewhere = false;
  const isDone = inDirectory(lower, path, (to) => {
    try {
      renameSync(from, to);
    } catch (error) {
      isElsewhere = codeOf(error) === "EXDEV";
      throw error;
    }
  });
  return isDone || (isElsewhere && copyThere({ upper, lower }, path));
}

function copyThere(trees: CarryTrees, path: BytePath): boolean {
  const { upper, lower } = trees;
  const stats = upper.stat(path);
  if (stats?.isDirectory()) {
    if (!makeDirectoryThere(lower, path)) return false;
    const isWhole = (upper.list(path) ?? [])
      .filter(({ kind }) => kind === "file" || kind === "link" || kind === "directory")
      .map(({ name }) => copyThere(trees, joinBytes(path, name)))
      .every(Boolean);
    finish(lower, path, stats);
    return isWhole;
  }
  if (!stats?.isFile() && !stats?.isSymbolicLink()) return false;
  const temporary = joinBytes(parentOf(path), `.${randomHex(6)}.tmp`);
  const isMade = inDirectory(lower, temporary, (to) => copyOne(upper, path, to));
  if (isMade) finish(lower, temporary, stats);
  const from = lower.at(temporary);
  return isMade && from !== undefined && inDirectory(lower, path, (to) => renameSync(from, to));
}

function copyOne(upper: RootedTree, path: BytePath, to: Buffer): void {
  const from = upper.at(path);
  const stats = upper.stat(path);
  if (from === undefined || stats === undefined) throw new Error("gone");
  if (stats.isSymbolicLink()) return symlinkSync(readlinkSync(from, "buffer"), to);
  if ((stats.mode & 0o400n) === 0n) chmodSync(from, 0o600);
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Sets owner, mode and times as the command left them. */
export function finish(tree: RootedTree, path: BytePath, stats: BigIntStats): void {
  const mode = Number(stats.mode & 0o7777n);
  const place = tree.at(path);
  withPinned(place, (itself) => {
    if (process.getuid?.() === 0 && place) lchownSync(place, Number(stats.uid), Number(stats.gid));
    if (!stats.isSymbolicLink()) chmodSync(itself, mode);
  });
  setTimes(tree, path, stats);
}
