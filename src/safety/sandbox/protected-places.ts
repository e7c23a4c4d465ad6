/** What the sandbox protects in a workspace: git's own places, and those that make programs run by themselves. */

import { type ExecutingPlace, protectingRow, setsOnlyPlainKeys } from "../executing-places.ts";
import { readPlain } from "./plain-repository.ts";

/** `path`: relative or absolute; its last names count. */
export const isProtectedPath = (path: string): boolean => protectingRow(path) !== undefined;

/** Whether a file that a command newly made at `path` may stay, although its name is protected. `written`: where it is. */
export function mayStay(path: string, written: string): boolean {
  const row: ExecutingPlace | undefined = protectingRow(path);
  const text = row?.plain && readPlain(written);
  return row !== undefined && text !== undefined && setsOnlyPlainKeys(row, text);
}

/** `.git` as a directory, or as the file of a worktree or submodule. */
export const isGitName = (name: string): boolean => name.toLowerCase() === ".git";

/** Whether a directory with these entries is a bare repository, whose settings git also obeys, or leads to one. */
export function looksLikeRepository(entries: ReadonlySet<string>): boolean {
  return entries.has("HEAD") && (entries.has("commondir") || (entries.has("objects") && entries.has("refs")));
}

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
