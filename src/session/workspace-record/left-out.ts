/** Directories a record of the workspace skips: git's own, and those made by installing and caching. */

/** Can be recreated by a command; too large to scan before each one. */
const installed = new Set([
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".venv",
  ".tox",
  "__pycache__",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".turbo",
  ".nx",
  ".next",
]);

export const isInstalledName = (name: string): boolean => installed.has(name);

/** `.git` in any letter case: a directory, or the file of a worktree or submodule. */
export const isGitName = (name: string): boolean => name.length === 4 && name.toLowerCase() === ".git";

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The containing directory, "." for entries of the root; undefined for the root itself. */
export function parentOf(path: string): string | undefined {
  if (path === ".") return undefined;
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "." : path.slice(0, cut);
}

/** Every containing directory, nearest first, the root last. */
export function ancestorsOf(path: string): string[] {
  const above: string[] = [];
  for (let at = parentOf(path); at !== undefined; at = parentOf(at)) above.push(at);
  return above;
}

export const joinPath = (directory: string, name: string): string =>
  directory === "." ? name : `${directory}/${name}`;
