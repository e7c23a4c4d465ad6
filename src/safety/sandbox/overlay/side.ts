/** Metadata of one entry in an overlay or in the workspace below it, without its content. */

import { closeSync, readlinkSync, readSync } from "node:fs";
import { attempt } from "../../../base/expected.ts";
import { kindOf } from "../../../base/safe-fs/status.ts";
import type { FileStatus } from "../../../base/safe-fs/tree.ts";
import type { BytePath } from "./byte-path.ts";
import { pace } from "./pace.ts";
import { openRegular, type RootedTree } from "./rooted-tree.ts";

export type Side = {
  /** `other`: a FIFO, a socket, a device, or something unreadable. */
  kind: FileStatus["kind"];
  /** Permission bits. */
  mode: number;
  size: number;
  /** Nanosecond times of the last change to content or attributes, and to content alone. */
  changed: bigint;
  modified: bigint;
};

export function sideAt(tree: RootedTree, path: BytePath): Side | null {
  const stats = tree.stat(path);
  if (stats === undefined) return null;
  const { mode, size, ctimeNs: changed, mtimeNs: modified } = stats;
  return { kind: kindOf(stats), mode: Number(mode & 0o7777n), size: Number(size), changed, modified };
}

/** A link's target, byte by byte; undefined if there is none. */
export const linkAt = (tree: RootedTree, path: BytePath): BytePath | undefined =>
  attempt(() => {
    const place = tree.at(path);
    return place && readlinkSync(place, "latin1");
  });

type Pair = {
  lower: RootedTree;
  upper: RootedTree;
  path: BytePath;
  before: Side;
  after: Side;
};

/**
 * Whether nothing but times differs. Files larger than `most` bytes with other times count as changed; the same time
 * proves nothing, as some programs give all their files the same one.
 */
export async function isSame({ lower, upper, path, before, after }: Pair, most: number): Promise<boolean> {
  if (before.kind !== after.kind) return false;
  if (after.kind === "link") return linkAt(lower, path) === linkAt(upper, path);
  if (before.mode !== after.mode || before.size !== after.size) return false;
  if (after.size > most && before.modified !== after.modified) return false;
  return haveSameBytes(lower.at(path), upper.at(path));
}

const window = 65_536;
const [one, other] = [Buffer.allocUnsafe(window), Buffer.allocUnsafe(window)];

async function haveSameBytes(lower: Buffer | undefined, upper: Buffer | undefined): Promise<boolean> {
  const descriptors = [openRegular(lower), openRegular(upper)];
  const [first, second] = descriptors;
  try {
    if (first === undefined || second === undefined) return false;
    for (let at = 0; ; at += window) {
      const read = readSync(first, one, 0, window, at);
      if (read !== readSync(second, other, 0, window, at)) return false;
      if (Buffer.compare(one.subarray(0, read), other.subarray(0, read)) !== 0) return false;
      if (read < window) return true;
      await pace();
    }
  } catch {
    return false;
  } finally {
    for (const descriptor of descriptors) if (descriptor !== undefined) closeSync(descriptor);
  }
}
