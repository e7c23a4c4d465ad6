/** Detects file changes from outside, so that servers learn of them: by people, undo, other programs. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { walk } from "../../tools/search/walk.ts";
import { mostChangedEntries } from "./bounds.ts";
import type { WatchedChange } from "./documents.ts";

export class SeenFiles {
  readonly #files: Tree;
  /** A signature per path that changes with every write. */
  #seen: ReadonlyMap<string, string> | undefined;
  readonly #told = new Set<string>();

  constructor(files: Tree) {
    this.#files = files;
  }

  /** Marks changes that the servers were already notified of. */
  toldOf(paths: readonly string[]): void {
    for (const path of paths) this.#told.add(path);
  }

  /** Unreported changes since the last call; empty on the first. */
  async changes(signal: AbortSignal): Promise<WatchedChange[]> {
    const before = this.#seen;
    const now = await this.#look(signal);
    if (signal.aborted) return [];
    this.#seen = now;
    const told = new Set(this.#told);
    this.#told.clear();
    if (!before) return [];
    const written = [...now].flatMap(([path, signature]): WatchedChange[] => {
      const known = before.get(path);
      if (known === signature || told.has(path)) return [];
      return [{ path, type: known === undefined ? "created" : "changed" }];
    });
    // The scan of a large tree is cut off, so a path missing from it may still exist.
    const gone = [...before.keys()]
      .filter((path) => !now.has(path) && !told.has(path) && this.#signatureOf(path) === undefined)
      .map((path): WatchedChange => ({ path, type: "deleted" }));
    return [...written, ...gone];
  }

  async #look(signal: AbortSignal): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    let looked = 0;
    try {
      for await (const { path, kind } of walk(this.#files, { start: ".", order: "by-name", signal })
        .entries) {
        if (++looked > mostChangedEntries) break;
        const signature = kind === "file" ? this.#signatureOf(path) : undefined;
        if (signature !== undefined) found.set(path, signature);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return found;
  }

  #signatureOf(path: string): string | undefined {
    const stats = lstatSync(join(this.#files.root, path), { throwIfNoEntry: false });
    return stats?.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : undefined;
  }
}
