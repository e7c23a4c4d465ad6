/** A repository whose references are read and moved, without running anything that it names. */

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { mib } from "../../base/bound.ts";
import { type GitPlace, type GitRun, plainEnvironment, textOfGit } from "../../base/git-run.ts";
import { isWithin } from "../../base/paths.ts";
import { readRegularFile } from "../../base/safe-fs/own-files.ts";
import { indexTree } from "./index-tree.ts";
import { type LaterWork, laterWork } from "./later-work.ts";
import { isLooseCommit, objectFile } from "./object-file.ts";
import {
  type GitDirectories,
  isOfFiles,
  keptNames,
  mostReferences,
  type NamedReferences,
  plainReferences,
  plainStash,
} from "./plain-references.ts";
import { isHash, type References } from "./references.ts";

export type Repository = GitDirectories & {
  known: KnownOfRepository;
  /** Git's output; undefined if it failed. */
  git(
    this: void,
    words: readonly string[],
    more?: Pick<GitRun, "input"> & { index?: string },
  ): Promise<string | undefined>;
};

export function repositoryIn(directory: string, { workspace, env }: GitPlace): Repository {
  const plain = plainEnvironment(env, workspace);
  return {
    directory,
    common: commonOf(directory),
    known: knownOf(directory),
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

/**
 * Where git keeps what belongs to a working tree, or to the one around it; undefined if there is none, or if it leads to a
 * repository that does not know this tree: anybody can write down where another one is.
 */
export async function gitDirectoryOf(tree: string): Promise<string | undefined> {
  for (let at = tree; ; at = dirname(at)) {
    const path = join(at, ".git");
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return isItsOwn(path) ? path : undefined;
    if (stats?.isFile()) return linkedDirectory(path);
    if (stats !== undefined || dirname(at) === at) return undefined;
  }
}

const isItsOwn = (directory: string): boolean =>
  !isThere(join(directory, "commondir")) &&
  !["refs", "packed-refs"].some((name) =>
    lstatSync(join(directory, name), { throwIfNoEntry: false })?.isSymbolicLink(),
  );

/** Of a linked working tree, or of a submodule, which name the tree in turn; and one below the tree is its own. */
async function linkedDirectory(file: string): Promise<string | undefined> {
  const directory = await pathIn(file, /^gitdir: (.+)\n?$/u);
  if (directory === undefined) return undefined;
  const common = await pathIn(join(directory, "commondir"), wholeLine);
  if (common !== undefined) {
    const back = await pathIn(join(directory, "gitdir"), wholeLine);
    return back === file && dirname(directory) === join(common, "worktrees") ? directory : undefined;
  }
  const tree = await pathIn(join(directory, "config"), /^\s*worktree\s*=\s*(.+?)\s*$/imu);
  const isKnown = tree === dirname(file) || isWithin(dirname(file), directory);
  return isKnown && isItsOwn(directory) ? directory : undefined;
}

const wholeLine = /^(.+)\n?$/u;

/** What is written in a small file, seen from its directory, with links above it resolved. */
async function pathIn(file: string, form: RegExp): Promise<string | undefined> {
  const read = await readRegularFile(file, { maxBytes: mostHeadBytes });
  const named = read.ok ? form.exec(Buffer.from(read.value).toString())?.[1] : undefined;
  if (named === undefined) return undefined;
  const path = resolve(dirname(file), named);
  return join(realOr(dirname(path)), basename(path));
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** What can be known for good: what an object is never changes. */
type KnownOfRepository = {
  /** The commit that each object is or, as a tag, leads to; empty if there is none. */
  commits: Map<string, string>;
  /** The tree of an index that git has written last. */
  tree: string | undefined;
} & LaterWork;

/** By git's directory: another one in its place is another repository. */
const repositories = new Map<string, KnownOfRepository>();
const mostKnown = 64;

function knownOf(directory: string): KnownOfRepository {
  const place = `${directory}:${lstatSync(directory, { throwIfNoEntry: false })?.ino}`;
  const known = repositories.get(place) ?? { commits: new Map(), tree: undefined, ...laterWork() };
  repositories.delete(place);
  repositories.set(place, known);
  for (const [oldest] of repositories) if (repositories.size > mostKnown) repositories.delete(oldest);
  return known;
}

function commonOf(directory: string): string {
  const file = join(directory, "commondir");
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > mostHeadBytes) return directory;
  return resolve(directory, readFileSync(file, "utf8").trimEnd());
}

const opened = ["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
const openedToo = ["REBASE_HEAD", "BISECT_LOG", "BISECT_START", "rebase-merge", "rebase-apply", "sequencer"];

/**
 * `commits`: of all that is named. `tags`: hashes of what is named, but is no commit. `kept`: names of ours. `isPlain`:
 * its references are files of git's that are read and written as they are.
 */
export type RepositoryState = {
  isPlain: boolean;
  references: References;
  commits: readonly string[];
  tags: ReadonlySet<string>;
  kept: readonly string[];
};

/** The references alone; undefined if git cannot tell, or there are too many. */
export async function readReferences(repository: Repository): Promise<References | undefined> {
  const named = (await plainReferences(repository)) ?? (await listReferences(repository));
  return named && referencesWith(named, repository, { isWritten: false });
}

/** With what is known of each object, so that all can be held: the tree of what is staged is among the objects then. */
export async function readRepository(repository: Repository): Promise<RepositoryState | undefined> {
  const { known } = repository;
  const plain = await plainReferences(repository);
  const asked = plain && (await areKnown(plain, repository)) ? plain : listReferences(repository);
  const [named, references] = await Promise.all([
    asked,
    plain && referencesWith(plain, repository, { isWritten: true }),
  ]);
  if (!named) return undefined;
  const { head, stash, ...rest } =
    references ?? (await referencesWith(named, repository, { isWritten: true }));
  const commits = new Set([...named.hashes].flatMap((hash) => known.commits.get(hash) || []));
  for (const { hash } of stash) commits.add(hash);
  if (head !== undefined && isHash(head)) commits.add(head);
  return {
    isPlain: plain !== undefined,
    references: { ...rest, head, stash, names: (plain ?? named).names },
    commits: [...commits],
    tags: new Set([...named.hashes].filter((hash) => known.commits.get(hash) !== hash)),
    kept: named.kept,
  };
}

/** A few that are new, as after a commit, are looked at without asking git. */
async function areKnown({ hashes }: NamedReferences, { common, known }: Repository): Promise<boolean> {
  const unknown = [...hashes].filter((hash) => !known.commits.has(hash));
  if (unknown.length > mostLookedAt) return false;
  for (const hash of unknown) {
    if (!(await isLooseCommit(common, hash))) return false;
    known.commits.set(hash, hash);
  }
  return true;
}

const mostLookedAt = 8;

async function referencesWith(
  { names, hashes }: NamedReferences,
  repository: Repository,
  index: { isWritten: boolean },
): Promise<References> {
  const head = await headOf(repository);
  const [some = ""] = head !== undefined && isHash(head) ? [head] : hashes;
  return {
    head,
    names,
    stash: names.has("refs/stash") ? await stashOf(repository) : [],
    index: await treeOfIndex(repository, { ...index, some }),
    open: [...opened, ...openedToo].filter((name) => isThere(join(repository.directory, name))),
  };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Tells what each object is, too. */
async function listReferences(repository: Repository): Promise<NamedReferences | undefined> {
  if (!isOfFiles(repository)) return undefined;
  const { git, known } = repository;
  const form = "--format=%(refname) %(objectname) %(objecttype) %(*objecttype) %(*objectname) %(symref)";
  const listed = (await git(["for-each-ref", form])) ?? (await listWhole(git, form));
  const lines = listed?.split("\n").slice(0, -1);
  if (lines === undefined || lines.length > mostReferences) return undefined;
  const names = new Map<string, string>();
  const kept: string[] = [];
  const hashes = new Set<string>();
  if (known.commits.size > 2 * mostReferences) known.commits.clear();
  for (const line of lines) {
    const [name = "", hash = "", type, typeBehind, behind = "", symbolic = ""] = line.split(" ");
    if (name.startsWith(keptNames)) {
      kept.push(name);
      continue;
    }
    names.set(name, symbolic === "" ? hash : symbolic);
    hashes.add(hash);
    known.commits.set(hash, type === "commit" ? hash : typeBehind === "commit" ? behind : "");
  }
  return { names, kept, hashes };
}

/** One name that leads to what is gone makes git tell of none: such names are passed over. */
async function listWhole(git: Repository["git"], form: string): Promise<string | undefined> {
  const all = (await git(["for-each-ref", "--format=%(objectname) %(refname)"]))?.split("\n").slice(0, -1);
  if (all === undefined || all.length > mostReferences) return undefined;
  const input = all.map((line) => `${line.split(" ")[0]}\n`).join("");
  const found = (await git(["cat-file", "--batch-check"], { input }))?.split("\n") ?? [];
  const whole = all.filter((_, at) => found[at]?.endsWith(" missing") === false);
  if (whole.length === all.length) return undefined;
  return whole.length === 0
    ? ""
    : git(["for-each-ref", form, ...whole.map((line) => line.replace(/^\S+ /u, ""))]);
}

async function headOf({ directory, git }: Repository): Promise<string | undefined> {
  const read = await readRegularFile(join(directory, "HEAD"), { maxBytes: mostHeadBytes });
  const text = read.ok ? Buffer.from(read.value).toString() : "";
  // What other formats of git have there leads nowhere.
  const head = text.includes("refs/heads/.invalid")
    ? ((await git(["symbolic-ref", "--quiet", "HEAD"])) ??
      (await git(["rev-parse", "--verify", "HEAD"])) ??
      "")
    : text;
  return /^(?:ref: )?(\S+)\n?$/u.exec(head)?.[1];
}

/** Of HEAD, and of a file that says where another one is. */
const mostHeadBytes = 8192;

async function stashOf(repository: Repository): Promise<References["stash"]> {
  const plain = await plainStash(repository);
  if (plain) return plain;
  // Without checking signatures, which is done by a program that the repository may name.
  const words = ["log", "-g", "--no-show-signature", "--format=%H %gs", "refs/stash", "--"];
  const text = (await repository.git(words)) ?? "";
  return text.split("\n").flatMap((line) => {
    const [, hash, message = ""] = /^([\da-f]{40,64}) (.*)$/su.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, message }];
  });
}

/** Read by ourselves up to so many bytes. */
const mostReadIndex = 2 * mib;
const mostIndex = 512 * mib;

type IndexWanted = {
  /** Whether the tree must be among the objects. */
  isWritten: boolean;
  /** Any name of an object, for the form of names here. */
  some: string;
};

async function treeOfIndex(
  repository: Repository,
  { isWritten, some }: IndexWanted,
): Promise<string | undefined> {
  const read = await readRegularFile(join(repository.directory, "index"), { maxBytes: mostIndex });
  if (!read.ok) return undefined; // nothing was ever staged
  const bytes = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.length);
  const tree = bytes.length > mostReadIndex ? undefined : indexTree(bytes, some || shortest);
  if (tree && (!isWritten || tree.isWritten || isStillThere(tree.hash, repository))) return tree.hash;
  return writtenTree(repository, bytes);
}

/** Nothing need lead to it, so that a clean-up may have taken it. */
const isStillThere = (tree: string, { common, known }: Repository): boolean =>
  tree === known.tree && isThere(objectFile(common, tree));

const shortest = "0".repeat(40);

/** Of a copy: git writes down in the index what it has found out, and would wait for whoever has it locked. */
async function writtenTree({ git, known }: Repository, bytes: Uint8Array): Promise<string | undefined> {
  const aside = await mkdtemp(join(tmpdir(), "toolwright-index-"));
  try {
    const index = join(aside, "index");
    await writeFile(index, bytes);
    known.tree = (await git(["write-tree"], { index }))?.trim();
    return known.tree;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
