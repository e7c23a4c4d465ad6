/** Looks at a directory's own entries, and looks again only once they changed. */

import { statSync } from "node:fs";
import { attempt } from "./expected.ts";
import { lastingSignature } from "./safe-fs/status.ts";

type Glance<Found> = { signature: string; found: Found };

/** Then all are looked at anew. */
const mostKept = 2_000;

/** `look`: what it finds depends only on which names are in the directory. Links to one are followed. */
export function directoryGlance<Found>(
  look: (directory: string) => Found,
  now: () => number = Date.now,
): (directory: string) => Found {
  const kept = new Map<string, Glance<Found>>();
  return (directory) => {
    const stats = attempt(() => statSync(directory, { bigint: true, throwIfNoEntry: false }));
    const signature = stats && lastingSignature(stats, now());
    const before = kept.get(directory);
    if (before && before.signature === signature) return before.found;
    const found = look(directory);
    if (kept.size >= mostKept) kept.clear();
    if (signature === undefined) kept.delete(directory);
    else kept.set(directory, { signature, found });
    return found;
  };
}
