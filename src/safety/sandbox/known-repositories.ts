/** Has git use no repository but those whose settings were looked at: others could name programs, wherever they lie. */

import { basename, dirname, join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { plainEnvironment, textOfGit } from "../../base/git-run.ts";
import { realPath, statusOf } from "../on-disk.ts";
import { knownDirectory } from "./environment.ts";
import { pathIn, worktreesOf } from "./git-places.ts";
import { type GitSetting, withoutPrograms, withoutProgramsToRead } from "./git-programs.ts";
import { readPlain } from "./plain-repository.ts";
import type { CheckedRequest } from "./request.ts";
import { type IndexedPlaces, knownWorkspace, withFilled } from "./workspace-index.ts";

/** What makes a repository, or a working tree of one, which its own line then works in. */
const making = /\b(?:clone|init|worktree)\b/u;

type GitRequest = Pick<CheckedRequest, "workspace" | "env" | "command">;

/** All that a command's git is told besides what it always is. `directories`: of git, that the command may write. */
export async function gitSettings(
  request: GitRequest,
  found: Pick<IndexedPlaces, "git">,
  directories: readonly string[],
): Promise<Expected<GitSetting[]>> {
  const [answered, known] = await Promise.all([
    withoutPrograms(directories, request),
    onlyKnown(request, found, directories),
  ]);
  return answered.ok ? { ok: true, value: [...answered.value, ...known] } : answered;
}

/**
 * For a command that only reads, and that nothing contains: git runs no program that a repository in the workspace, or
 * the one around it, names. Where not all were seen, it uses no other.
 */
export async function gitSettingsToRead(request: GitRequest): Promise<Expected<GitSetting[]>> {
  const index = knownWorkspace(request.workspace);
  const seen = index.look();
  const filled = await index.lookIntoFilled(seen);
  const found = withFilled(seen, filled);
  const directories = [...new Set([...found.git.map(({ path }) => path), ...above(request.workspace)])];
  const answered = await withoutProgramsToRead(directories.flatMap(commonOf), request);
  if (!answered.ok || (!found.truncated && filled.isWhole)) return answered;
  const known = await onlyKnown({ ...request, command: [] }, found, directories); // it makes none
  return { ok: true, value: [...answered.value, ...known] };
}

/** The places where git would look for the repository around a directory, the nearest first. */
function above(directory: string): string[] {
  const up = dirname(directory);
  return up === directory ? [] : [join(up, ".git"), ...above(up)];
}

/** Whose settings hold there: `.git` may be a file or a link, and lead to a working tree of another one. */
function commonOf(path: string): string[] {
  const status = statusOf(path);
  const directory = status?.isFile() ? pathIn(path, /^gitdir: (.+)\n?$/) : status && realPath(path);
  return directory === undefined ? [] : [pathIn(join(directory, "commondir"), /^(.+)\n?$/) ?? directory];
}

/** None where git would heed none of them. */
async function onlyKnown(
  request: GitRequest,
  found: Pick<IndexedPlaces, "git">,
  directories: readonly string[],
): Promise<GitSetting[]> {
  if (directories.length === 0 || making.test(request.command.at(-1) ?? "")) return [];
  if (!(await heedsSettings(request))) return [];
  const trees = [
    request.workspace,
    ...directories.filter((path) => basename(path) === ".git").map(dirname),
    ...found.git.filter(({ kind }) => kind === "file").map(({ path }) => dirname(path)),
    ...directories.flatMap(worktreesOf).flatMap((place) => {
      const file = readPlain(`${place}/gitdir`)?.trim();
      return file === undefined || file === "" ? [] : [dirname(file)];
    }),
  ];
  return [firstNone, ...[...new Set(trees)].map((path): GitSetting => [knownDirectory, path])];
}

/** Forgets what a person's own settings allow. */
const firstNone: GitSetting = [knownDirectory, ""];

/** By the path on which git is found. */
const heeding = new Map<string, Promise<boolean>>();

/** From 2.38 on; before, git takes them from files only, and would use no repository at all. */
function heedsSettings({ workspace, env }: Pick<CheckedRequest, "workspace" | "env">): Promise<boolean> {
  const path = env["PATH"] ?? "";
  const known = heeding.get(path);
  if (known) return known;
  const asked = textOfGit({
    directory: workspace,
    env: plainEnvironment(env, workspace),
    arguments: ["version"],
  }).then((text = "") => {
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/u.exec(text) ?? [];
    return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
  });
  heeding.set(path, asked);
  return asked;
}
