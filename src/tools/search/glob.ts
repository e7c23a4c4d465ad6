/** Globs as models write them: a glob with a slash matches the path, one without matches the name at any depth. */

import { type Expected, refuse } from "../../base/expected.ts";
import { pathMatcher } from "../../base/glob.ts";

/**
 * Tells whether a workspace-relative path matches; a glob is relative to `start` (or, as models also do, to the
 * workspace).
 */
export function globFilter(glob: string, start: string): Expected<(path: string) => boolean> {
  const isNegated = glob.startsWith("!");
  const bare = glob.slice(isNegated ? 1 : 0).replace(/^\.?\//, "");
  const made = pathMatcher(bare.includes("/") ? bare : `**/${bare}`);
  if (!made.ok) return refuse(`The glob cannot be used: ${made.problem}.`);
  const matches = made.value;
  const within = (path: string): boolean => {
    if (start === ".") return matches(path);
    return matches(path.slice(start.length + 1)) || (bare.startsWith(`${start}/`) && matches(path));
  };
  return { ok: true, value: (path) => within(path) !== isNegated };
}
