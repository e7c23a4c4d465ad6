/** The files and directories of a workspace as people see it: without what git ignores. */

import type { Expected } from "../../base/expected.ts";
import { openTree } from "../../base/safe-fs/open-tree.ts";
import { walk } from "../../tools/search/walk.ts";

/** More are not offered. */
const mostPaths = 20_000;

/** Relative to the workspace; directories end with a slash. Stops at the signal, with what was found by then. */
export async function workspacePaths(workspace: string, signal: AbortSignal): Promise<Expected<string[]>> {
  const tree = openTree(workspace);
  if (!tree.ok) return tree;
  try {
    const paths: string[] = [];
    const walked = walk(tree.value, { start: ".", order: "directories-first", signal });
    for await (const { path, kind } of walked.entries) {
      paths.push(kind === "directory" ? `${path}/` : path);
      if (paths.length === mostPaths || signal.aborted) break;
    }
    return { ok: true, value: paths };
  } finally {
    tree.value.close();
  }
}
