/** A workspace in which a directory is constantly swapped with a link to outside while other work runs. */

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startSwapper } from "./swapper.ts";

export const inside = "what is inside";
/** Appears nowhere in the workspace, nor in any of our own messages. */
export const secret = "S3CR3T";
const outsideWords = `what is ${secret}`;

/** `d` contains `x`, `deep/x` and `many/x0` to `many/x9`, as does `outside`, which also contains `only-S3CR3T`. */
type Swapped = { place: string; root: string; outside: string; stop: () => Promise<void> };

/** `d` alternates between a real directory and a link to a directory outside. */
export async function swappedWorkspace(): Promise<Swapped> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-race-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const [root, outside] = [join(place, "root"), join(place, "outside")];
  const many = Array.from({ length: 10 }, (_, at) => `many/x${at}`);
  for (const directory of [join(root, "d"), outside])
    for (const below of ["deep", "many"]) await mkdir(join(directory, below), { recursive: true });
  for (const name of ["x", "deep/x", ...many]) {
    await writeFile(join(root, "d", name), inside);
    await writeFile(join(outside, name), outsideWords);
  }
  await writeFile(join(outside, `only-${secret}`), outsideWords);
  await symlink(outside, join(root, "swapped"));
  const { stop } = await startSwapper(join(root, "d"), join(root, "swapped"));
  return { place, root, outside, stop };
}

export type Seen = { done: number; refused: number; escapes: number };

const atOnce = 8;

/** Runs `count` operations, several at a time, and counts their results. */
export async function race(count: number, operate: (at: number) => Promise<keyof Seen>): Promise<Seen> {
  const seen: Seen = { done: 0, refused: 0, escapes: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) seen[await operate(at)]++;
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return seen;
}
