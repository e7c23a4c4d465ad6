/** Reaches a path in a workspace without being led elsewhere by links that a command has put in the way. */

import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { realPath, statusOf } from "../on-disk.ts";
import { onlyPlace } from "./overlay/rooted-tree.ts";

/** The same place by a path whose directory is resolved; the last name may be a link. */
export const resolvedAbove = (path: string): string =>
  join(realPath(dirname(path)) ?? dirname(path), basename(path));

/** `path`: its directory is resolved. `work` gets a path that stays there, whatever is exchanged meanwhile. */
export function atPlace<T>(path: string, work: (at: string) => T): T {
  const directory = dirname(path);
  if (process.platform !== "linux") return work(join(sameDirectory(directory, realpathSync), basename(path)));
  const place = openSync(directory, onlyPlace | constants.O_DIRECTORY);
  try {
    const held = `/proc/self/fd/${place}`;
    sameDirectory(directory, () => readlinkSync(held));
    return work(join(held, basename(path)));
  } finally {
    closeSync(place);
  }
}

function sameDirectory(directory: string, real: (path: string) => string): string {
  if (real(directory) !== directory) throw new Error(`${directory} is elsewhere`);
  return directory;
}

/** What stands where the path was: the first of its directories that is none any more, or the path itself. */
export function firstInTheWay(path: string, workspace: string): string {
  if (!isWithin(workspace, path)) return path;
  const names = relative(workspace, path).split("/");
  const ways = names.map((_, at) => join(workspace, ...names.slice(0, at)));
  return ways.find((way) => statusOf(way)?.isDirectory() === false) ?? path;
}
