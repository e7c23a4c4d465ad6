/** Captures a directory byte by byte, so that two states can be compared. */

import { accessSync, constants, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sha256 } from "../../src/base/crypto.ts";

/** Path (one character per byte) → kind, permission bits and content. */
type Snapshot = Record<string, string>;

/** Skips the names in `except` at any depth. */
export function snapshotOf(root: string, except: readonly string[] = [".git"]): Snapshot {
  const found: Snapshot = {};
  const visit = (path: string): void => {
    for (const entry of readdirSync(bytes(root, path), { withFileTypes: true, encoding: "latin1" })) {
      if (except.includes(entry.name)) continue;
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      found[below] = describe(bytes(root, below));
      if (entry.isDirectory() && isReadable(bytes(root, below), constants.X_OK)) visit(below);
    }
  };
  visit("");
  return found;
}

const bytes = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);

function describe(place: Buffer): string {
  const stats = lstatSync(place);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(place, "latin1")}`;
  if (stats.isDirectory()) return `directory ${mode}`;
  if (!stats.isFile()) return "other";
  return `file ${mode} ${stats.size} ${isReadable(place) ? sha256(readFileSync(place)).slice(0, 16) : "unread"}`;
}

/** Root reads everything, others not even what is their own if its mode says so. */
function isReadable(place: Buffer, more = 0): boolean {
  try {
    accessSync(place, constants.R_OK | more);
    return true;
  } catch {
    return false;
  }
}
