/** What the system says of a file, as the tree tells it. */

import type { BigIntStats } from "node:fs";
import type { Status } from "./tree.ts";

export function statusFrom(stats: BigIntStats): Status {
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

/** Links have no mode that could be set, and the system's own file systems may not count their size. */
export const signatureOf = (
  stats: Pick<BigIntStats, "dev" | "ino" | "mode" | "size" | "mtimeNs" | "ctimeNs">,
): string => `${identityOf(stats)}:${stats.mode}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;

type Kinds = Record<"isFile" | "isDirectory" | "isSymbolicLink", () => boolean>;

export function kindOf(entry: Kinds): Status["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
