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

/** Changes whenever content, mode or identity may have changed; the ctime covers changes that keep the mtime. */
export const signatureOf = (
  stats: Pick<BigIntStats, "dev" | "ino" | "mode" | "size" | "mtimeNs" | "ctimeNs">,
): string => `${identityOf(stats)}:${stats.mode}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;

type EntryPredicates = Record<"isFile" | "isDirectory" | "isSymbolicLink", () => boolean>;

export function kindOf(entry: EntryPredicates): FileStatus["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
