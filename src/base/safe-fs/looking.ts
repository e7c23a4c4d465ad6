/** Read access to a tree from its root's descriptor: status, listings and contents. */

import { isUtf8 } from "node:buffer";
import { type BigIntStats, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { componentsOf } from "./components.ts";
import { descend, type PinnedDirectory, statusAt } from "./directory.ts";
import { fileImage, type Image } from "./image.ts";
import {
  codeOf,
  type FileResult,
  fileProblem,
  kindInWords,
  notRegular,
  problem,
  shownPath,
} from "./problems.ts";
import { type FileWindow, readPart, readWhole } from "./reading.ts";
import { kindOf, statusFrom } from "./status.ts";
import type { TreeEntry, FileStatus } from "./tree.ts";

export function lookAt(root: PinnedDirectory, path: string): Promise<FileResult<FileStatus | null>> {
  return standing(root, path, async ({ stats }) => ({ ok: true, value: stats ? statusFrom(stats) : null }));
}

export function readAt(
  root: PinnedDirectory,
  path: string,
  limit: { maxBytes: number },
): Promise<FileResult<Uint8Array>> {
  return standing(
    root,
    path,
    (found) => asFile(found, path) ?? readWhole({ path: found.here, shown: path }, limit),
  );
}

export function windowAt(
  root: PinnedDirectory,
  path: string,
  window: { offset: number; length: number },
): Promise<FileResult<FileWindow>> {
  return standing(
    root,
    path,
    (found) => asFile(found, path) ?? readPart({ path: found.here, shown: path }, window),
  );
}

export function listAt(
  root: PinnedDirectory,
  path: string,
  { sizes = false }: { sizes?: boolean } = {},
): Promise<FileResult<TreeEntry[]>> {
  return catchProblem(path, async () => {
    const directory = descend(root, componentsOf(path));
    try {
      const found = await readdir(directory.here, { withFileTypes: true });
      const listed = found.map((entry): TreeEntry => ({ name: entry.name, kind: kindOf(entry) }));
      return { ok: true, value: sizes ? await withSizes(directory, listed) : listed };
    } finally {
      directory.close();
    }
  });
}

const statusesAtOnce = 1000;

async function withSizes(directory: PinnedDirectory, listed: readonly TreeEntry[]): Promise<TreeEntry[]> {
  const all: TreeEntry[] = [];
  for (const [at, entry] of listed.entries()) {
    const stats = entry.kind === "file" ? statusAt(directory, entry.name) : undefined;
    all.push(stats ? { ...entry, size: Number(stats.size) } : entry);
    if (at % statusesAtOnce === statusesAtOnce - 1) await new Promise(setImmediate);
  }
  return all;
}

export function imageAt(
  root: PinnedDirectory,
  path: string,
  limit: { maxBytes: number },
): Promise<FileResult<Image | null>> {
  return standing(root, path, async ({ stats, here }): Promise<FileResult<Image | null>> => {
    if (stats === undefined) return { ok: true, value: null };
    const mode = Number(stats.mode & 0o7777n);
    if (stats.isDirectory()) return { ok: true, value: { kind: "directory", mode } };
    if (stats.isSymbolicLink()) return linkImage(here, path);
    if (!stats.isFile()) return notRegular(path, kindInWords(stats));
    const read = await readWhole({ path: here, shown: path }, limit);
    return read.ok ? { ok: true, value: fileImage(read.value, mode) } : read;
  });
}

/** A link target that is not valid UTF-8 would lead elsewhere when restored from text. */
function linkImage(here: string, path: string): FileResult<Image> {
  const bytes = readlinkSync(here, "buffer");
  if (isUtf8(bytes)) return { ok: true, value: { kind: "link", target: bytes.toString() } };
  return problem("EILSEQ", `${shownPath(path)} is a symbolic link to a name that is no UTF-8 text`);
}

/** `here`: path for system calls; `stats` undefined: nothing exists. */
type DirectoryEntry = { here: string; stats: BigIntStats | undefined };

/** Opens the directory above a path while `use` runs. */
function standing<T>(
  root: PinnedDirectory,
  path: string,
  use: (found: DirectoryEntry) => Promise<FileResult<T>> | FileResult<T>,
): Promise<FileResult<T>> {
  return catchProblem(path, async () => {
    const names = componentsOf(path);
    const name = names.pop() ?? ".";
    const parent = parentOf(root, names);
    if (parent === undefined) return use({ here: "", stats: undefined });
    try {
      return await use({ here: parent.at(name), stats: statusAt(parent, name) });
    } finally {
      parent.close();
    }
  });
}

/** Undefined if it does not exist or is no directory, so that it cannot contain anything. */
function parentOf(root: PinnedDirectory, names: readonly string[]): PinnedDirectory | undefined {
  try {
    return descend(root, names);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Why it cannot be read as a file. Checked before opening, because opening alone affects some devices. */
function asFile({ stats }: DirectoryEntry, path: string): FileResult<never> | undefined {
  if (stats === undefined) return fileProblem(path, { code: "ENOENT" }, "read");
  return stats.isFile() ? undefined : notRegular(path, kindInWords(stats));
}

async function catchProblem<T>(path: string, work: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
  try {
    return await work();
  } catch (error) {
    return fileProblem(path, error, "read");
  }
}
