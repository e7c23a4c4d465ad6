/** Changes of a workspace, made all or none, with what went wrong in words for people and models. */

import type { Expected } from "../expected.ts";
import type { Change } from "./image.ts";
import type { ApplyOptions, Tree } from "./tree.ts";

/**
 * Makes the changes if all of it still is as they were planned; otherwise, or when one cannot be made, everything is as
 * before. What was made, in its order: these changes, and the directories that were missing above them.
 */
export async function applyChanges(
  tree: Tree,
  changes: readonly Change[],
  options: ApplyOptions = {},
): Promise<Expected<Change[]>> {
  const made = await tree.putAll(changes, options);
  return made.ok ? made : { ok: false, problem: `${made.problem.message}.` };
}
