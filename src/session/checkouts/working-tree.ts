/** Makes a session's working tree from the repository that is kept, and reads back what became of it. */

import { copyFile, lstat, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { makeDirectory } from "../../base/safe-fs/own-files.ts";
import type { CheckoutGit } from "./checkout-git.ts";
import { wayElsewhere } from "./own-repository.ts";
import { type CheckoutWork, putReferences, workReferences } from "./work-record.ts";

/** `repository`: the one that is kept. `tree`: where the files are. */
type CheckoutTree = { git: CheckoutGit; repository: string; tree: string; id: string };

/** The work's commits must be in the repository. All or nothing: a tree that is there is whole. */
export async function makeTree(
  place: CheckoutTree,
  work: CheckoutWork,
  { address }: { address: string },
): Promise<Expected<undefined>> {
  const { git, repository, tree, id } = place;
  const kept = await putReferences(git, { repository, id }, work);
  if (!kept.ok) return kept;
  await makeDirectory(dirname(tree), 0o700);
  const made = join(dirname(tree), `.making-${randomHex(4)}`);
  const at = workReferences(id);
  const isBranch = work.head.startsWith("refs/heads/");
  const head = isBranch
    ? ["symbolic-ref", "HEAD", work.head]
    : ["update-ref", "--no-deref", "HEAD", work.head];
  const steps: readonly (readonly string[])[] = [
    [
      "fetch",
      ...quietly,
      repository,
      `+${at}/heads/*:refs/heads/*`,
      `+${at}/tags/*:refs/tags/*`,
      `+${at}/work:${ownWork}`,
    ],
    ["config", "remote.origin.url", address],
    ["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    head,
    ["read-tree", "--reset", "-u", ownWork],
    ["read-tree", "HEAD"],
    ["update-ref", "-d", ownWork],
  ];
  try {
    const begun = await git.here(dirname(tree), ["init", "--quiet", "--template=", made]);
    if (!begun.ok) return begun;
    for (const words of steps) {
      const done = await git.between(made, words);
      if (!done.ok) return done;
    }
    await git.here(made, ["update-index", "-q", "--refresh"]); // fails where a file differs from what is checked out
    await rename(made, tree);
    return { ok: true, value: undefined };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

const ownWork = "refs/toolwright/work";
const quietly = [
  "--quiet",
  "--no-tags",
  "--update-head-ok",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
  "--",
];

/** `most`: bytes of changed files beyond which nothing is read. */
type ReadingHow = { title: string; most?: number };

/** Takes over its branches, tags and files into the repository that is kept. Runs nothing that the tree's settings name. */
export async function readTree(
  place: CheckoutTree,
  { base, ...how }: ReadingHow & { base: string },
): Promise<Expected<CheckoutWork>> {
  const { git, repository, tree, id } = place;
  const at = workReferences(id);
  const way = await wayElsewhere(join(tree, ".git"));
  if (way !== undefined) return refuse(`its .git/${way} leads to another repository`);
  const head = await headOf(place);
  if (!head.ok) return head;
  const fetched = await git.between(repository, [
    "fetch",
    "--prune",
    ...quietly,
    join(tree, ".git"),
    `+refs/heads/*:${at}/heads/*`,
    `+refs/tags/*:${at}/tags/*`,
    `+HEAD:${at}/head`,
  ]);
  if (!fetched.ok) return fetched;
  const work = await commitFiles(place, { head: head.value.commit, ...how });
  if (!work.ok) return work;
  const listed = await git.here(repository, [
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    `${at}/heads`,
    `${at}/tags`,
  ]);
  if (!listed.ok) return listed;
  const names = listed.value.split("\n").flatMap((line): [string, string][] => {
    const [name = "", to] = line.split(" ");
    return to === undefined ? [] : [[name.slice(at.length + 1), to]];
  });
  return { ok: true, value: { base, head: head.value.name, work: work.value, names } };
}

async function headOf({ git, tree }: CheckoutTree): Promise<Expected<{ name: string; commit: string }>> {
  const own = { variables: { GIT_DIR: join(tree, ".git"), GIT_WORK_TREE: tree } };
  const commit = await git.here(tree, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], own);
  if (!commit.ok) return refuse("no commit is checked out in it");
  const branch = await git.here(tree, ["symbolic-ref", "--quiet", "HEAD"], own);
  const at = commit.value.trim();
  return { ok: true, value: { name: branch.ok ? branch.value.trim() : at, commit: at } };
}

/** Who made a commit of files that nobody has committed. */
const ourselves = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Toolwright"],
    [`GIT_${who}_EMAIL`, "toolwright@localhost"],
  ]),
);

/** By the settings of the repository that is kept, whatever those of the tree say. The one checked out, if no file differs. */
async function commitFiles(
  { git, repository, tree, id }: CheckoutTree,
  { head, title, most }: ReadingHow & { head: string },
): Promise<Expected<string>> {
  const index = join(repository, `index-of-${id}`);
  const own = `${index}.${randomHex(4)}`;
  const variables = { GIT_DIR: repository, GIT_WORK_TREE: tree, GIT_INDEX_FILE: own, ...ourselves };
  const git1 = (words: readonly string[], more: { input?: string } = {}) =>
    git.here(tree, words, { variables, ...more });
  try {
    const isKnown = await copyIndex(index, own).catch(() => false); // there is none yet
    if (!isKnown) {
      const begun = await git1(["read-tree", head]);
      if (!begun.ok) return begun;
      await git1(["update-index", "-q", "--refresh"]); // fails where a file differs
    }
    const changed = await changedIn(tree, git1);
    if (most !== undefined && changed.bytes > most) return refuse("what has changed is too large");
    const added = await git1([...addAll], { input: pathspecs(changed.repositories) });
    if (!added.ok) return added;
    const written = await git1(["write-tree"]);
    if (!written.ok) return written;
    const files = written.value.trim();
    await rename(own, index).catch(() => undefined);
    const known = [head, `${workReferences(id)}/work`];
    for (const commit of known) {
      const parts = await git1(["log", "-1", "--no-show-signature", "--format=%T %P %H", commit, "--"]);
      const [of, parent, hash] = parts.ok ? partsOf(parts.value) : [];
      if (hash !== undefined && of === files && (hash === head || parent === head))
        return { ok: true, value: hash };
    }
    const made = await git1(["commit-tree", files, "-p", head, "-F", "-"], { input: messageOf(title) });
    if (!made.ok) return made;
    const commit = made.value.trim();
    const put = await git1(["update-ref", `${workReferences(id)}/work`, commit]);
    return put.ok ? { ok: true, value: commit } : put;
  } finally {
    await rm(own, { force: true });
    await rm(`${own}.lock`, { force: true });
  }
}

/**
 * So that only changed files are read. To git, a file may have changed unseen if it is not older than the index: so the copy
 * must not be younger.
 */
async function copyIndex(from: string, to: string): Promise<true> {
  const written = Math.floor((await stat(from)).mtimeMs / 1_000);
  await copyFile(from, to);
  await utimes(to, written, written);
  return true;
}

/** A title is anybody's, of any length, and git takes no NUL. */
const messageOf = (title: string): string => title.replaceAll("\0", " ");

const addAll = ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];

/** Everything but repositories inside it: git would add a commit's name that leads nowhere, and none without a commit. */
const pathspecs = (repositories: readonly string[]): string =>
  [".", ...repositories.map((path) => `:(exclude,literal)${path}`)].map((path) => `${path}\0`).join("");

/** `bytes`: of files that git would read. `repositories`: directories in the tree that are repositories themselves. */
async function changedIn(
  tree: string,
  git: (words: readonly string[]) => Promise<Expected<string>>,
): Promise<{ bytes: number; repositories: string[] }> {
  const listed = await git(["ls-files", "--others", "--modified", "--exclude-standard", "-z"]);
  const paths = listed.ok ? listed.value.split("\0").filter((path) => path !== "") : [];
  const sizes = paths.map((path) =>
    lstat(join(tree, path)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { bytes, repositories: paths.filter((path) => path.endsWith("/")) };
}

/** Of one commit: its tree, its parents, itself. */
function partsOf(line: string): (string | undefined)[] {
  const words = line.trim().split(" ");
  return [words[0], words.slice(1, -1).join(" "), words.at(-1)];
}
