/** Applies changes to a workspace, all or none, and explains problems to people and models. */

import { type Expected, refuse } from "../expected.ts";
import type { Change } from "./image.ts";
import type { ApplyOptions, Tree } from "./tree.ts";

/**
 * Applies the changes if everything is still as it was when they were planned; otherwise, or if one of them fails,
 * nothing changes. Returns what was made, in order: the changes, and missing parent directories.
 */
export async function applyChanges(
  tree: Tree,
  changes: readonly Change[],
  options: ApplyOptions = {},
): Promise<Expected<Change[]>> {
  const made = await tree.putAll(changes, options);
  return made.ok ? made : refuse(`${made.problem.message}.`);
}
