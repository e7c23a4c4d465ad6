/** Changes of files that make a directory a repository to git, or change what git obeys in one, whatever it is called. */

import { posix, resolve } from "node:path";
import { namesIn } from "./on-disk.ts";
import { isRepositoryPart, looksLikeRepository } from "./sandbox/protected-places.ts";

/**
 * Why these paths, workspace-relative, may not be written together; git finds a repository without a working tree by
 * what stands beside each other.
 */
export function repositoryProblem(paths: readonly string[], workspace: string): string | undefined {
  const written = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = posix.normalize(path.replaceAll("\\", "/")).split("/");
    for (const [at, name] of names.entries()) {
      if (!isRepositoryPart(name)) continue;
      const directory = names.slice(0, at).join("/");
      written.set(directory, (written.get(directory) ?? new Set()).add(name));
    }
  }
  const made = [...written].find(([directory, names]) =>
    looksLikeRepository([...names, ...namesIn(resolve(workspace, directory))]),
  );
  if (made === undefined) return undefined;
  const [directory] = made;
  return `${directory === "" ? "the workspace" : directory} is, or would become, a repository that git obeys, which no tool changes`;
}
