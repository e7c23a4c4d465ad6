/** Converts the system's file status to that of a tree. */

import type { BigIntStats } from "node:fs";
import type { FileStatus } from "./tree.ts";

export function statusFrom(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    links: Number(stats.nlink),
    identity: identityOf(stats),
    signature: signatureOf(stats),
  };
}

export const identityOf = ({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string => `${dev}:${ino}`;

type SignedStats = Pick<BigIntStats, "dev" | "ino" | "mode" | "size" | "mtimeNs" | "ctimeNs">;

/** Changes whenever content, mode or identity may have changed; the ctime covers changes that keep the mtime. */
export const signatureOf = (stats: SignedStats): string =>
  `${identityOf(stats)}:${stats.mode}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;

/** Times are those of a clock that ticks every two seconds at most, and then gives no part of one; else within 16 ms. */
const ticks = { wholeSeconds: 2_100_000_000n, parts: 30_000_000n };

/**
 * For who keeps what was read of a file or a directory: its signature, before reading it. Undefined if a change from now
 * on could leave the same one, so that it must be read again next time.
 */
export function lastingSignature(stats: SignedStats, now: number = Date.now()): string | undefined {
  const tick = stats.ctimeNs % 1_000_000_000n === 0n ? ticks.wholeSeconds : ticks.parts;
  return BigInt(Math.floor(now)) * 1_000_000n - stats.ctimeNs > tick ? signatureOf(stats) : undefined;
}

/**
 * For who compares it with that of a later look, before reading. It differs once more when a change can no longer leave
 * the same signature, so what changed unseen is read then.
 */
export const stateFrom = (stats: SignedStats, now?: number): string =>
  `${signatureOf(stats)}${lastingSignature(stats, now) === undefined ? " just now" : ""}`;

type EntryPredicates = Record<"isFile" | "isDirectory" | "isSymbolicLink", () => boolean>;

export function kindOf(entry: EntryPredicates): FileStatus["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
