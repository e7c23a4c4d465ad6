/** Test helpers: trees over temporary directories, pinned by descriptor or by name, and snapshots of the disk. */

import { readdirSync } from "node:fs";
import { lstat, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openTree } from "../open-tree.ts";
import type { FileResult } from "../problems.ts";
import type { Tree } from "../tree.ts";

type PinningMethod = "by descriptor" | "by name";

/** Creates an empty directory that is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-tree-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  return place;
}

export function treeOver(root: string, held: PinningMethod = "by descriptor"): Tree {
  const platform = Object.getOwnPropertyDescriptor(process, "platform");
  if (held === "by name") Object.defineProperty(process, "platform", { ...platform, value: "freebsd" });
  const tree = openTree(root);
  if (platform) Object.defineProperty(process, "platform", platform);
  if (!tree.ok) throw new Error(tree.problem);
  onTestFinished(() => tree.value.close());
  return tree.value;
}

/** "ok", or the code of the problem. */
export async function codeOf(result: Promise<FileResult<unknown>>): Promise<string> {
  const done = await result;
  return done.ok ? "ok" : done.problem.code;
}

export async function valueOf<T>(result: Promise<FileResult<T>>): Promise<T> {
  const done = await result;
  if (!done.ok) throw new Error(done.problem.message);
  return done.value;
}

/** The content of a directory as one value: kind, mode, and content or target of each path. */
export async function snapshot(directory: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = ((await lstat(path)).mode & 0o7777).toString(8);
    const name = path.slice(directory.length + 1);
    if (entry.isDirectory()) all[name] = `directory ${mode}`;
    else if (entry.isSymbolicLink()) all[name] = `link ${await readlink(path)}`;
    else all[name] = entry.isFile() ? `file ${mode} ${await readFile(path, "latin1")}` : "other";
  }
  return all;
}

export const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
