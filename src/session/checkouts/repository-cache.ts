/** The repositories that checkouts are made from: fetched once, and kept where no command sees them. */

import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { randomHex, sha256 } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { isDirectoryAt } from "../../base/paths.ts";
import { makeDirectory } from "../../base/safe-fs/own-files.ts";
import { checkoutBounds } from "./bounds.ts";
import type { CheckoutGit } from "./checkout-git.ts";
import type { RepositorySource } from "./repository-source.ts";

/** `cache`: the directory of all of them; mode 0700. */
type CacheContext = { cache: string; git: CheckoutGit };

/** How often the size of what arrives is looked at, in milliseconds. */
const lookMs = 500;

/** The bare repository for this address, made if it is missing. Its settings are ours alone. */
export async function cachedRepository(
  { cache, git }: CacheContext,
  address: string,
): Promise<Expected<string>> {
  const place = join(cache, `${sha256(Buffer.from(address)).slice(0, 40)}.git`);
  if (await isDirectoryAt(place)) {
    const now = new Date();
    await utimes(place, now, now).catch(() => undefined);
    return { ok: true, value: place };
  }
  await makeDirectory(cache, 0o700);
  await dropUnused(cache);
  const made = `${place}.${randomHex(4)}`;
  const done = await git.here(cache, ["init", "--quiet", "--bare", "--template=", made]);
  if (!done.ok) return done;
  await rename(made, place).catch(() => rm(made, { recursive: true, force: true })); // another has just made it
  return { ok: true, value: place };
}

async function dropUnused(cache: string): Promise<void> {
  const places = (await readdir(cache))
    .filter((name) => name.endsWith(".git"))
    .map((name) => join(cache, name));
  const ages = await Promise.all(places.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  const newest = ages.toSorted((one, other) => other.at - one.at);
  for (const { path } of newest.slice(checkoutBounds.repositories.most - 1))
    await rm(path, { recursive: true, force: true });
}

/** Where the commit of a session's source is kept. */
export const baseReference = (id: string): string => `refs/base/${id}`;

/** Fetches what the source names, and tells its commit. Each session has a reference of its own, so none waits for another. */
export async function fetchBase(
  { git }: CacheContext,
  repository: string,
  { id, source, commit }: { id: string; source: RepositorySource; commit?: string | undefined },
): Promise<Expected<string>> {
  const kept = baseReference(id);
  if (commit !== undefined && (await hasCommit(git, repository, commit))) {
    const named = await git.here(repository, ["update-ref", kept, commit]);
    return named.ok ? { ok: true, value: commit } : named;
  }
  const wanted = commit ?? source.ref ?? "HEAD";
  const fetched = await fetchWithin(git, repository, [source.repository, `+${wanted}:${kept}`]);
  if (!fetched.ok)
    return refuse(`${JSON.stringify(wanted)} of the repository cannot be fetched: ${fetched.problem}.`);
  const found = await git.here(repository, ["rev-parse", "--verify", "--quiet", `${kept}^{commit}`]);
  return found.ok
    ? { ok: true, value: found.value.trim() }
    : refuse(`${JSON.stringify(wanted)} is no commit.`);
}

const hasCommit = async (git: CheckoutGit, repository: string, commit: string): Promise<boolean> =>
  (await git.here(repository, ["cat-file", "-e", `${commit}^{commit}`])).ok;

const fetchWords = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
  "--",
];

/** Stops when too much arrives. */
async function fetchWithin(
  git: CheckoutGit,
  repository: string,
  words: readonly string[],
): Promise<Expected<string>> {
  await dropBroken(join(repository, "objects", "pack"));
  const stop = new AbortController();
  let isTooLarge = false;
  const look = async (): Promise<void> => {
    isTooLarge ||= (await bytesIn(join(repository, "objects", "pack"))) > checkoutBounds.repositoryBytes.most;
    if (isTooLarge) stop.abort();
  };
  const timer = setInterval(() => {
    void look();
  }, lookMs);
  try {
    const fetched = await git.away(repository, [...fetchWords, ...words], { signal: stop.signal });
    return isTooLarge ? refuse("it is too large") : fetched;
  } finally {
    clearInterval(timer);
  }
}

/** What git was writing when it was stopped stays, and would count for ever. No living git is at it for so long. */
async function dropBroken(directory: string): Promise<void> {
  const oldest = Date.now() - checkoutBounds.gitTime.most;
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const at = name.startsWith("tmp_") ? (await stat(path).catch(() => undefined))?.mtimeMs : undefined;
    if (at !== undefined && at < oldest) await rm(path, { force: true });
  }
}

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(directory, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Why the commit cannot be checked out, or its subdirectory be worked in. */
export async function commitProblem(
  git: CheckoutGit,
  repository: string,
  { commit, subdirectory }: { commit: string; subdirectory: string | undefined },
): Promise<string | undefined> {
  if (subdirectory !== undefined) {
    const kind = await git.here(repository, ["cat-file", "-t", `${commit}:${subdirectory}`]);
    if (!kind.ok || kind.value.trim() !== "tree")
      return `The repository has no directory ${JSON.stringify(subdirectory)} there.`;
  }
  const { files, bytes, isWhole } = await sizeOf(git, repository, commit);
  if (!isWhole || files > checkoutBounds.treeFiles.most || bytes > checkoutBounds.repositoryBytes.most)
    return "The repository has too many files for a checkout, or too large ones (see the limits of checkouts).";
  return undefined;
}

async function sizeOf(git: CheckoutGit, repository: string, commit: string) {
  const stop = new AbortController();
  let [files, bytes, rest] = [0, 0, ""];
  const { ok } = await git.here(repository, ["ls-tree", "-r", "-l", "-z", "--full-tree", commit], {
    signal: stop.signal,
    onBytes(piece) {
      const rows = (rest + piece.toString("latin1")).split("\0");
      rest = rows.pop() ?? "";
      for (const row of rows) {
        files += 1;
        bytes += Number(/^\S+ \S+ \S+ +(\d+)\t/u.exec(row)?.[1] ?? 0);
      }
      if (files > checkoutBounds.treeFiles.most || bytes > checkoutBounds.repositoryBytes.most) stop.abort();
    },
  });
  return { files, bytes, isWhole: ok };
}
