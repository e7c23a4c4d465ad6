/**
 * Puts back what a git command must not change, where the kernel cannot hold it: git writes directly beside it. If we
 * are killed before, the next start does.
 */

import { cpSync, lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod/mini";
import { bounds } from "../../../base/bounds.ts";
import type { Expected } from "../../../base/expected.ts";
import { parseJson } from "../../../base/json.ts";
import { isWithin } from "../../../base/paths.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { fileText, namesIn, statusOf } from "../../on-disk.ts";
import { quarantineIn } from "../quarantine.ts";
import type { Checked } from "../request.ts";

/** `restore` returns one sentence for each place that had changed; what stood there is in quarantine then. */
export type PutBack = { restore(): string[] };

/** Copies the places to `directory`, which must not be there yet. */
export function keepCopies(
  { workspace, stateDir }: Checked,
  paths: readonly string[],
  directory: string,
): Expected<PutBack> {
  const there = [...new Set(paths)].filter((path) => statusOf(path) !== undefined);
  const places = there.filter((path) => !there.some((other) => other !== path && isWithin(other, path)));
  if (places.reduce((sum, path) => sum + bytesIn(path), 0) > bounds.commands.protectedCopies.most)
    return {
      ok: false,
      problem:
        "The git command was not run: the places that it must not change are too large to be copied first. A person may approve it to run in the open.",
    };
  makeDirectorySync(directory, 0o700);
  for (const [at, path] of places.entries()) copyExactly(path, join(directory, String(at)));
  const kept: Kept = { workspace, paths: places };
  writeFileSync(join(directory, listName), JSON.stringify(kept), { mode: 0o600 });
  return { ok: true, value: { restore: () => restore(kept, directory, stateDir) } };
}

/** Within the private directory of a command. */
export const keptName = "kept";
const listName = "places.json";
/** The copy of each path is named by its index. */
const keptPlaces = z.object({ workspace: z.string(), paths: z.array(z.string()) });
type Kept = z.infer<typeof keptPlaces>;

/** For copies that a killed Toolwright has left; then they are gone. Without a whole list no command was started. */
export function putBackKept(directory: string, stateDir: string): string[] {
  const json = parseJson(fileText(join(directory, listName)));
  const kept = json.ok ? z.safeParse(keptPlaces, json.value) : undefined;
  if (!kept?.success) return [];
  const told = restore(kept.data, directory, stateDir);
  rmSync(directory, { recursive: true, force: true });
  return told;
}

function restore({ workspace, paths }: Kept, directory: string, stateDir: string): string[] {
  const quarantine = quarantineIn(stateDir, workspace);
  return paths.flatMap((path, at) => {
    const copy = join(directory, String(at));
    if (isSame(path, copy)) return [];
    const moved = statusOf(path) === undefined ? undefined : quarantine.moveAway(path);
    const name = isWithin(workspace, path) ? relative(workspace, path) : path;
    try {
      copyExactly(copy, path);
    } catch {
      return [`${name}, a protected place, was changed by the command and could not be put back.`];
    }
    const now = moved === undefined ? "" : `; what the command made of it is now ${moved}`;
    return [`${name}, a protected place, was changed by the command and has been put back${now}.`];
  });
}

const copyExactly = (from: string, to: string): void =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    errorOnExist: true,
    force: false,
  });

/** An empty file counts too: there may be many. */
function bytesIn(path: string): number {
  const status = lstatSync(path);
  if (!status.isDirectory()) return status.size + 512;
  return namesIn(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 512);
}

function isSame(path: string, copy: string): boolean {
  const [now, then] = [statusOf(path), statusOf(copy)];
  if (now?.mode !== then?.mode || now === undefined) return false;
  if (now.isSymbolicLink()) return readlinkSync(path) === readlinkSync(copy);
  if (now.isFile()) return now.size === then?.size && readFileSync(path).equals(readFileSync(copy));
  const names = namesIn(path);
  return (
    names.length === namesIn(copy).length && names.every((name) => isSame(join(path, name), join(copy, name)))
  );
}
