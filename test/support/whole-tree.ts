/** A directory tree as a value: every path with its kind, mode and content, for comparison before and after. */

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Path → "kind mode content"; `.git` is left out. Links are not followed. */
export function wholeTree(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const name of readdirSync(join(root, at))) {
      const path = at === "" ? name : `${at}/${name}`;
      if (path === ".git") continue;
      tree[path] = standing(join(root, path));
      if (lstatSync(join(root, path)).isDirectory()) waiting.push(path);
    }
  }
  return tree;
}

function standing(path: string): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return stats.isDirectory() ? `directory ${mode}` : `file ${mode} ${readFileSync(path, "latin1")}`;
}
