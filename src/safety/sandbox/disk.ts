/** Measures the disk space that a sandboxed command adds, and not what others add to the same file systems. */

import { lstatSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { directoriesOf, fileText, statusOf } from "../on-disk.ts";

export type DiskUse = {
  /** Directories whose file systems the command can fill. */
  places: readonly string[];
  /** Its overlay's directory of writes. */
  upper?: string;
};

/** Bytes free on the file systems of these places. */
export function freeOn(places: readonly string[]): number {
  const free = new Map<number, number>();
  for (const place of places) {
    try {
      const { bfree, bsize } = statfsSync(place);
      free.set(lstatSync(place).dev, bfree * bsize);
    } catch {
      // It is not there yet, or gone.
    }
  }
  return [...free.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Never asked unless so much has become less on these file systems: it costs more than looking there. */
export function isOfCommand(
  bytes: number,
  root: string,
  pids: readonly string[],
  { upper }: DiskUse,
): boolean {
  return writtenBy(root, pids) > bytes || (upper !== undefined && heldIn(upper) > bytes);
}

/** By all its processes; one that has ended is counted with the process that waited for it (proc_pid_io(5)). */
function writtenBy(root: string, pids: readonly string[]): number {
  let written = 0;
  for (const pid of pids) {
    const text = fileText(join(root, "proc", pid, "io"));
    const [, more = 0] = /^write_bytes: (\d+)/m.exec(text) ?? [];
    const [, less = 0] = /^cancelled_write_bytes: (\d+)/m.exec(text) ?? [];
    written += Number(more) - Number(less);
  }
  return written;
}

/** Also what was reserved without being written. */
function heldIn(upper: string): number {
  let bytes = 0;
  for (const { directory, entries } of directoriesOf([upper], { most: Infinity }))
    for (const { name } of entries) bytes += (statusOf(join(directory, name))?.blocks ?? 0) * 512;
  return bytes;
}
