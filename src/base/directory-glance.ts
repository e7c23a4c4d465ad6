/** Looks at a directory's own entries, and looks again only once they changed. */

import { statsBehind } from "./paths.ts";

/** Entries created within the same tick of the clock as a look may have been missed; some file systems' ticks are 2 s. */
const tickMs = 2_000;
/** Then all are looked at anew. */
const mostKept = 1_000;

type Glance<Found> = { state: string; isSure: boolean; found: Found };

/** `look`: what it finds depends only on which names are in the directory. */
export function directoryGlance<Found>(
  look: (directory: string) => Found,
  now: () => number = Date.now,
): (directory: string) => Found {
  const kept = new Map<string, Glance<Found>>();
  return (directory) => {
    const stats = statsBehind(directory);
    const state = stats ? `${stats.dev} ${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}` : "";
    const before = kept.get(directory);
    if (before?.state === state && before.isSure) return before.found;
    const isSure = stats !== undefined && now() > Math.max(stats.mtimeMs, stats.ctimeMs) + tickMs;
    const found = look(directory);
    if (kept.size >= mostKept) kept.clear();
    kept.set(directory, { state, isSure, found });
    return found;
  };
}
