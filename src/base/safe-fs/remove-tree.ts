/**
 * Removes a tree that a hostile program may have made: deeper than the longest path, or with directories that deny
 * access.
 */

import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { randomHex } from "../crypto.ts";

/**
 * Moves each nested directory up to a sibling location, so that every path stays short. Nothing outside the tree is
 * touched: links are removed, not followed. Throws if anything cannot be removed.
 */
export function removeTree(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) return unlinkSync(path);
  const yard = `${path}.${randomHex(4)}`;
  mkdirSync(yard, { mode: 0o700 });
  let carried = 0;
  const carry = (directory: string | Buffer): string => {
    // Moving a directory requires write permission on it: its ".." changes.
    chmodSync(directory, 0o700);
    const place = join(yard, String(carried++));
    renameSync(directory, place);
    return place;
  };
  const waiting = [carry(path)];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of readdirSync(directory, { withFileTypes: true, encoding: "latin1" })) {
      const place = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(entry.name, "latin1")]);
      if (entry.isDirectory()) waiting.push(carry(place));
      else unlinkSync(place);
    }
    rmdirSync(directory);
  }
  rmdirSync(yard);
}

/** The asynchronous version, which does not block, for trees that are usually ordinary. */
export async function removeTreeSoon(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    removeTree(path);
  }
}
