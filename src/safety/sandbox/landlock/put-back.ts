/** Puts back what a git command must not change, where the kernel cannot hold it: git writes directly beside it. */

import { cpSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { bounds } from "../../../base/bounds.ts";
import type { Expected } from "../../../base/expected.ts";
import { isWithin } from "../../../base/paths.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { namesIn, statusOf } from "../../on-disk.ts";
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
  const copies = places.map((path, at) => ({ path, copy: join(directory, String(at)) }));
  for (const { path, copy } of copies) copyExactly(path, copy);
  const quarantine = quarantineIn(stateDir, workspace);
  return {
    ok: true,
    value: {
      restore: () =>
        copies.flatMap(({ path, copy }) => {
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
        }),
    },
  };
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
