/** What the sandbox protects in a workspace: git's own places, and those that make programs run by themselves. */

import { type ExecutingPlace, protectingRow, setsOnlyPlainKeys } from "../executing-places.ts";
import { canonicalName } from "../judge/names.ts";
import { readAlone } from "./plain-repository.ts";

/** `path`: relative or absolute; its last names count. */
export const isProtectedPath = (path: string): boolean => protectingRow(path) !== undefined;

/** Whether a file that a command newly made at `path` may stay, although its name is protected. `written`: where it is. */
export function mayStay(path: string, written: string): boolean {
  const row: ExecutingPlace | undefined = protectingRow(path);
  const text = row?.plain && readAlone(written);
  return row !== undefined && text !== undefined && setsOnlyPlainKeys(row, text);
}

/** `.git` as a directory, or as the file of a worktree or submodule; in any spelling that some file system takes for it. */
export const isGitName = (name: string): boolean => canonicalName(name) === ".git";

/** Whether a directory with these entries is a bare repository, whose settings git also obeys, or leads to one. */
export function looksLikeRepository(entries: Iterable<string>): boolean {
  const names = new Set<string>();
  for (const name of entries) if (isRepositoryPart(name)) names.add(canonicalName(name));
  return names.has("head") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
}

/** What makes a directory a repository, and what in one decides which programs git runs. */
export const isRepositoryPart = (name: string): boolean => repositoryParts.has(canonicalName(name));

const repositoryParts: ReadonlySet<string> = new Set([
  "head",
  "objects",
  "refs",
  "commondir",
  "config",
  "config.worktree",
  "hooks",
  "info",
  "modules",
  "worktrees",
]);

/** Directories that hold only downloaded or built files: too large to scan, and never opened as a project. */
export const skippedDirectories: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "__pycache__",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".tox",
  ".gradle",
  ".turbo",
  ".nx",
  ".next",
  ".pnpm-store",
  ".yarn",
]);
