/** A repository whose references are read and moved, without running anything that it names. */

import { lstatSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type GitPlace, type GitRun, plainEnvironment, textOfGit } from "../../base/git-run.ts";
import { isHash, type References } from "./references.ts";

/** `directory`: git's own for this working tree, absolute. */
export type Repository = {
  directory: string;
  /** Git's output; undefined if it failed. */
  git(
    words: readonly string[],
    more?: Pick<GitRun, "input"> & { index?: string },
  ): Promise<string | undefined>;
};

export function repositoryIn(directory: string, { workspace, env }: GitPlace): Repository {
  const plain = plainEnvironment(env, workspace);
  return {
    directory,
    git: (words, { index, ...more } = {}) =>
      textOfGit({
        directory,
        env: {
          ...plain,
          GIT_DIR: directory,
          GIT_WORK_TREE: directory, // not where its settings say
          ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
        },
        arguments: words,
        ...more,
      }),
  };
}

/** Where git keeps what belongs to a working tree, or to the one around it; undefined if there is none. */
export async function gitDirectoryOf(tree: string): Promise<string | undefined> {
  for (let at = tree; ; at = dirname(at)) {
    const path = join(at, ".git");
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return path;
    if (stats?.isFile()) return linkedDirectory(path);
    if (stats !== undefined || dirname(at) === at) return undefined;
  }
}

async function linkedDirectory(file: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)\n?$/u.exec(await readFile(file, "utf8").catch(() => ""))?.[1];
  return named === undefined ? undefined : resolve(dirname(file), named);
}

/** What Toolwright itself keeps. */
export const keptNames = "refs/toolwright/";
/** References of one repository that are read. */
const mostReferences = 10_000;
const opened = ["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
const openedToo = ["REBASE_HEAD", "BISECT_LOG", "BISECT_START", "rebase-merge", "rebase-apply", "sequencer"];

/** `commits`: of all that is named. `tags`: hashes of what is named, but is no commit. `kept`: names of ours. */
export type RepositoryState = {
  references: References;
  commits: readonly string[];
  tags: ReadonlySet<string>;
  kept: readonly string[];
};

/** Undefined if git cannot tell, or there are too many. */
export async function readRepository(repository: Repository): Promise<RepositoryState | undefined> {
  const form = "--format=%(refname) %(objectname) %(objecttype) %(*objecttype) %(*objectname) %(symref)";
  const [listed, head, index] = await Promise.all([
    repository.git(["for-each-ref", form]),
    readFile(join(repository.directory, "HEAD"), "utf8").catch(() => ""),
    treeOfIndex(repository),
  ]);
  const lines = listed?.split("\n").slice(0, -1);
  if (lines === undefined || lines.length > mostReferences) return undefined;
  const names = new Map<string, string>();
  const commits = new Set<string>();
  const tags = new Set<string>();
  const kept: string[] = [];
  for (const line of lines) {
    const [name = "", hash = "", type, typeBehind, behind = "", symbolic = ""] = line.split(" ");
    if (name.startsWith(keptNames)) kept.push(name);
    else names.set(name, symbolic === "" ? hash : symbolic);
    if (name.startsWith(keptNames)) continue;
    if (type === "commit") commits.add(hash);
    else tags.add(hash);
    if (typeBehind === "commit") commits.add(behind);
  }
  const stash = names.has("refs/stash") ? await stashOf(repository) : [];
  for (const { hash } of stash) commits.add(hash);
  const at = /^(?:ref: )?(\S+)\n?$/u.exec(head)?.[1];
  if (at !== undefined && isHash(at)) commits.add(at);
  const open = [...opened, ...openedToo].filter((name) => isThere(join(repository.directory, name)));
  return { references: { head: at, index, names, stash, open }, commits: [...commits], tags, kept };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

async function stashOf(repository: Repository): Promise<References["stash"]> {
  // Without checking signatures, which is done by a program that the repository may name.
  const words = ["log", "-g", "--no-show-signature", "--format=%H %gs", "refs/stash", "--"];
  const text = (await repository.git(words)) ?? "";
  return text.split("\n").flatMap((line) => {
    const [, hash, message = ""] = /^([\da-f]{40,64}) (.*)$/u.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, message }];
  });
}

/** Of a copy: git writes down in the index what it has found out, and would wait for whoever has it locked. */
async function treeOfIndex(repository: Repository): Promise<string | undefined> {
  const aside = await mkdtemp(join(tmpdir(), "toolwright-index-"));
  try {
    const index = join(aside, "index");
    await copyFile(join(repository.directory, "index"), index);
    return (await repository.git(["write-tree"], { index }))?.trim();
  } catch {
    return undefined; // nothing was ever staged
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
