/** Locates a repository's git directories, and the parts of them that decide what git executes. */

import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { entriesIn, namesIn, realPath } from "../on-disk.ts";
import type { CheckedRequest } from "./request.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

/** Parts that stay read-only even for git's own commands. */
export const pinnedParts = [
  "hooks",
  "config",
  "config.worktree",
  "info",
  "modules",
  "commondir",
  "objects/info/alternates",
] as const;

/**
 * The git directories that git commands in this workspace write: those inside it, that of a repository enclosing the
 * workspace, and that of the repository whose worktree it is.
 */
export function writableGitDirectories(workspace: string, found: IndexedPlaces): Expected<string[]> {
  const inside = found.git.filter(({ kind }) => kind === "directory").map(({ path }) => path);
  const link = found.git.find(({ kind, path }) => kind === "link" && dirname(path) === workspace);
  if (link) return cannotTell(`${link.path} is a symbolic link`);
  const own = join(workspace, ".git");
  if (inside.includes(own)) return { ok: true, value: inside };
  const stats = lstatSync(own, { throwIfNoEntry: false });
  const outside = stats?.isFile() ? directoriesOfWorktree(own, workspace) : directoryAbove(workspace);
  return outside.ok ? { ok: true, value: [...new Set([...inside, ...outside.value])] } : outside;
}

/** What a command may write of them: all with the profile `git`, and else none. */
export const repositoriesOf = (
  { profile, workspace }: Pick<CheckedRequest, "profile" | "workspace">,
  found: IndexedPlaces,
): Expected<string[]> =>
  profile === "git" ? writableGitDirectories(workspace, found) : { ok: true, value: [] };

/**
 * A `.git` file names a directory that may lie anywhere, and a command could have written the file. The directory
 * counts only if it names this worktree in turn, which nothing inside the workspace can arrange.
 */
function directoriesOfWorktree(file: string, workspace: string): Expected<string[]> {
  const directory = pathIn(file, /^gitdir: (.+)\n?$/);
  if (directory === undefined) return cannotTell(`${file} cannot be understood`);
  const named = pathIn(join(directory, "commondir"), /^(.+)\n?$/);
  const common = named === undefined ? undefined : realPath(named);
  if (isWithin(workspace, directory) && common === undefined) return { ok: true, value: [] };
  const back = pathIn(join(directory, "gitdir"), /^(.+)\n?$/);
  const isOurs = back === file && common !== undefined && dirname(directory) === join(common, "worktrees");
  if (!isOurs)
    return cannotTell(
      `${file} leads to ${directory}, which is not the git directory of a worktree here (a submodule's is not supported)`,
    );
  return { ok: true, value: [common] };
}

/** The path written in a file, resolved relative to that file's directory. */
export function pathIn(file: string, form: RegExp): string | undefined {
  try {
    const read = readSmallFile(file, 8192);
    const named = form.exec(read.ok ? Buffer.from(read.value ?? []).toString() : "")?.[1];
    if (named === undefined) return undefined;
    const path = resolve(dirname(file), named);
    return join(realpathSync.native(dirname(path)), path.slice(dirname(path).length));
  } catch {
    return undefined;
  }
}

function directoryAbove(workspace: string): Expected<string[]> {
  for (let at = dirname(workspace); ; at = dirname(at)) {
    const stats = lstatSync(join(at, ".git"), { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { ok: true, value: [join(at, ".git")] };
    if (stats !== undefined)
      return cannotTell(`the repository at ${at} is a worktree or a submodule; start Toolwright in ${at}`);
    if (at === dirname(at)) return { ok: true, value: [] };
  }
}

const cannotTell = (because: string): Expected<never> =>
  refuse(
    `The git command was not run, because the sandbox cannot tell which directory it may write: ${because}. A person may approve it to run in the open.`,
  );

/** The pinned parts of a git directory that exist; missing ones are checked for after the command. */
export function pinsOf(directory: string): string[] {
  return pinnedParts
    .map((part) => join(directory, part))
    .filter((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats !== undefined && !stats.isSymbolicLink();
    });
}

/** The administrative directories of a repository's worktrees. */
export const worktreesOf = (directory: string): string[] =>
  namesIn(join(directory, "worktrees")).map((name) => join(directory, "worktrees", name));

/** Directories of `modules` that are looked at: a submodule's name may hold slashes, and it has submodules of its own. */
const mostLooked = 1_000;

/** The git directories of a repository's submodules, and of theirs; undefined if there are too many. */
export function submodulesOf(directory: string): string[] | undefined {
  const found: string[] = [];
  const waiting = [join(directory, "modules")];
  for (let at = waiting.pop(), looked = 0; at !== undefined; at = waiting.pop(), looked += 1) {
    if (looked === mostLooked) return undefined;
    const entries = entriesIn(at);
    const isRepository = entries.some(({ name }) => name === "HEAD");
    if (isRepository) found.push(at);
    const below = isRepository ? entries.filter(({ name }) => name === "modules") : entries;
    for (const entry of below) if (entry.isDirectory()) waiting.push(join(at, entry.name));
  }
  return found;
}
