/** Whether a tree's repository is all its own: git follows what leads to another one, and would take over its contents. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** By these files of git's own, objects and references are those of another repository. */
const elsewhere: ReadonlySet<string> = new Set([
  "commondir",
  "objects/info/alternates",
  "objects/info/http-alternates",
]);

/** Where links would do the same. */
const held = ["objects", "refs"];

/** What of `directory`, which is git's own, leads elsewhere; undefined if nothing does. */
export async function wayElsewhere(directory: string): Promise<string | undefined> {
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await readdir(join(directory, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isSymbolicLink() || elsewhere.has(path)) return path;
      if (entry.isDirectory() && (at !== "" || held.includes(entry.name))) waiting.push(path);
    }
  }
  return undefined;
}
