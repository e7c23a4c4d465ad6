/** The checkouts of one machine: made for sessions that name a git repository, read back, and removed. */

import { lstat, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { makeDirectory } from "../../base/safe-fs/own-files.ts";
import { removeTreeSoon } from "../../base/safe-fs/remove-tree.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { checkoutBounds } from "./bounds.ts";
import { type CheckoutGit, checkoutGit } from "./checkout-git.ts";
import { baseReference, cachedRepository, commitProblem, fetchBase } from "./repository-cache.ts";
import { isRefName, nameOf, type RepositorySource, sourceProblem } from "./repository-source.ts";
import { patchOf } from "./work-patch.ts";
import { type CheckoutWork, freshWork, packWork, unpackWork, workReferences } from "./work-record.ts";
import { makeTree, readTree } from "./working-tree.ts";

type Checkout = NonNullable<FactOf<"session-start">["checkout"]>;

export type CheckoutsSetup = {
  /** Where the trees are; no other program writes there. */
  directory: string;
  /** Where repositories are kept, hidden from commands: for the sessions of one store. */
  cache: string;
  /** Tells the store whose sessions work here: other programs may have others, and their trees are not touched. */
  owner: string;
  /** Of `https`, `ssh` and `file`, those that may be used. */
  protocols: readonly string[];
  /** Of this process: git's logins are in it. */
  env: EnvironmentVariables;
};

/** What a session's work becomes: a branch in the kept repository, a patch, or a branch where it was fetched from. */
export type OutcomeWanted = { as: "branch" } | { as: "patch" } | { as: "push"; to?: string | undefined };
/** `commit`: of all files, also those that were not committed. `base`: what they were checked out from. */
export type WorkOutcome = { base: string; commit: string; branch?: string; patch?: string };

/** `state`: all that it holds, in short, to know whether anything has changed. */
type StoredWork = { commit: string; state: string; bytes: Uint8Array };

/** A session's tree: whose it is, and what it was made from. */
export type CheckoutPlace = { workspace: string; checkout: Checkout };

/** Beside a tree: the store that has its session, and the hashes of what was stored of it last. */
const ownedBy = ".owner";
const storedAs = ".stored";
const mostNoted = 20;

export class Checkouts {
  readonly #setup: CheckoutsSetup;
  readonly #git: CheckoutGit;
  /** Trees that are being made, or read, by their session: one thing at a time. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(setup: CheckoutsSetup) {
    const { env, directory: tree, protocols } = setup;
    this.#setup = setup;
    this.#git = checkoutGit(env, { tree, protocols });
  }

  /** For a new session. On failure nothing is left but what was fetched. */
  make(id: string, source: RepositorySource): Promise<Expected<CheckoutPlace>> {
    return this.#making(id, async () => {
      const problem = sourceProblem(source, this.#setup.protocols);
      if (problem !== undefined) return refuse(problem);
      const { repository: address, ref, subdirectory } = source;
      const repository = await this.#repository(address);
      if (!repository.ok) return repository;
      const base = await fetchBase(this.#cacheContext, repository.value, { id, source });
      if (!base.ok) return base;
      const commit = base.value;
      const unfit = await commitProblem(this.#git, repository.value, { commit, subdirectory });
      if (unfit !== undefined) return refuse(unfit);
      const branch = `toolwright/${id.slice(-6).toLowerCase()}`;
      const root = join(await this.directory(), id, nameOf(address));
      const at = { git: this.#git, repository: repository.value, tree: root, id };
      await this.#removeTree(id); // of a creation that was cut off
      const made = await makeTree(at, freshWork(commit, branch), { address });
      if (!made.ok) return refuse(`The checkout could not be made: ${made.problem}.`);
      await this.#own(id);
      const workspace = subdirectory === undefined ? root : join(root, ...subdirectory.split("/"));
      const checkout = { repository: address, ref, subdirectory, commit, branch };
      return { ok: true, value: { workspace, checkout: withoutUndefined(checkout) } };
    });
  }

  /** Whether the workspace is in a tree of a checkout here, whether or not that is there now. */
  async holds(workspace: string): Promise<boolean> {
    return isWithin(await this.directory(), workspace);
  }

  /**
   * Makes the tree again if it is gone, or is not current: as it was stored, or, if nothing was, as it was at first.
   * Undefined `work`: what was stored is not kept any more.
   */
  async ensure(
    place: CheckoutPlace,
    stored: { hash: string; work: () => Promise<Uint8Array | undefined> } | undefined,
  ): Promise<Expected<"there" | "made">> {
    const { id, tree } = await this.#treeOf(place);
    if (tree === undefined) return refuse(otherPlace(place.workspace, await this.directory()));
    return this.#making(id, async () => {
      const isThere = await isRepository(tree);
      if (isThere && (await this.isCurrent(id, stored?.hash))) {
        await this.#touch(id);
        return { ok: true, value: "there" };
      }
      const kept = await stored?.work();
      if (stored && !kept)
        return refuse(
          "what was stored of its work is not kept any more, so it can go on only on the machine where it was.",
        );
      const { checkout } = place;
      const problem = sourceProblem(checkout, this.#setup.protocols);
      if (problem !== undefined) return refuse(problem);
      const repository = await this.#repository(checkout.repository);
      if (!repository.ok) return repository;
      const base = await this.#fetchAgain(repository.value, id, checkout);
      if (!base.ok) return base;
      const work = kept
        ? await unpackWork(this.#git, repository.value, kept)
        : { ok: true as const, value: freshWork(base.value, checkout.branch) };
      if (!work.ok) return work;
      await setAside(tree);
      const at = { git: this.#git, repository: repository.value, tree, id };
      const made = await makeTree(at, work.value, { address: checkout.repository });
      if (made.ok) await this.#own(id);
      if (made.ok && stored) await writeFile(join(dirname(tree), storedAs), stored.hash);
      return made.ok ? { ok: true, value: "made" } : made;
    });
  }

  /** What the tree holds beyond its base, to be stored; undefined if it is as the commit `known` has it. */
  keep(
    place: CheckoutPlace,
    { title, known }: { title: string; known: string | undefined },
  ): Promise<Expected<StoredWork | undefined>> {
    const { most } = checkoutBounds.keptWork;
    return this.#reading(place, { title, most }, async ({ repository }, work) => {
      const state = `${work.work} ${work.head} ${JSON.stringify(work.names)}`;
      if (known === state) return { ok: true, value: undefined };
      const bytes = await packWork(this.#git, repository, work);
      return bytes.ok ? { ok: true, value: { commit: work.work, bytes: bytes.value, state } } : bytes;
    });
  }

  outcome(
    place: CheckoutPlace,
    { title, wanted }: { title: string; wanted: OutcomeWanted },
  ): Promise<Expected<WorkOutcome>> {
    return this.#reading<WorkOutcome>(place, { title }, async ({ repository }, { base, work: commit }) => {
      const { branch, repository: address } = place.checkout;
      switch (wanted.as) {
        case "branch": {
          const put = await this.#git.here(repository, ["update-ref", `refs/heads/${branch}`, commit]);
          return put.ok ? { ok: true, value: { base, commit, branch } } : put;
        }
        case "patch": {
          const patch = await patchOf(this.#git, { repository, base, commit });
          return patch.ok ? { ok: true, value: { base, commit, patch: patch.value } } : patch;
        }
        case "push": {
          const to = wanted.to ?? branch;
          if (!isRefName(to) || to.startsWith("refs/"))
            return refuse(`${JSON.stringify(to)} cannot be the name of a branch to push to.`);
          const pushed = await this.#git.away(repository, [
            "push",
            "--quiet",
            "--",
            address,
            `${commit}:refs/heads/${to}`,
          ]);
          return pushed.ok
            ? { ok: true, value: { base, commit, branch: to } }
            : refuse(`Nothing was pushed: ${pushed.problem}.`);
        }
        default:
          return wanted satisfies never;
      }
    });
  }

  /** Call before it is a fact that the tree was stored so. Copies of its session know it by earlier ones. */
  async noteStored(id: string, hash: string): Promise<void> {
    const noted = await this.#noted(id);
    await writeFile(
      join(await this.directory(), id, storedAs),
      [...noted, hash].slice(-mostNoted).join("\n"),
    );
  }

  /** Whether the tree is as it was stored, or has gone on since: not if its session has gone on on another machine. */
  async isCurrent(id: string, stored: string | undefined): Promise<boolean> {
    if (stored === undefined) return true;
    return (await this.#noted(id)).includes(stored);
  }

  async #noted(id: string): Promise<string[]> {
    const noted = await readFile(join(await this.directory(), id, storedAs), "utf8").catch(() => "");
    return noted.split("\n");
  }

  /** Removes the tree of a session, and what the kept repository has of it but its branch. */
  remove(id: string): Promise<void> {
    return this.#alone(id, () => this.#remove(id));
  }

  /** The directories of all trees, also of other stores. */
  async everyTree(): Promise<string[]> {
    const directory = await this.directory();
    const names = await readdir(directory).catch(() => []);
    return names.filter((name) => !name.startsWith(".")).map((name) => join(directory, name));
  }

  /** The sessions of this store that trees here were made for, the longest unused first. */
  async trees(): Promise<{ id: string; usedAt: number }[]> {
    const all = (await this.everyTree()).map(async (path) => {
      const id = basename(path);
      const stats = await stat(path).catch(() => undefined);
      return stats?.isDirectory() && (await this.#isOwn(id)) ? [{ id, usedAt: stats.mtimeMs }] : [];
    });
    return (await Promise.all(all)).flat().toSorted((one, other) => one.usedAt - other.usedAt);
  }

  /** The sessions whose work the kept repositories have. */
  async known(): Promise<string[]> {
    const words = ["for-each-ref", "--format=%(refname:lstrip=2)", baseReference("")];
    const listed = await Promise.all((await this.#repositories()).map((one) => this.#git.here(one, words)));
    return listed.flatMap((one) => (one.ok ? one.value.split("\n").filter((id) => id !== "") : []));
  }

  /** The session that the tree was made for, if the workspace is in one. */
  async madeFor(workspace: string): Promise<string | undefined> {
    const directory = await this.directory();
    return isWithin(directory, workspace) ? relative(directory, workspace).split(sep)[0] : undefined;
  }

  /** Absolute, and real if it is there. */
  directory(): Promise<string> {
    return realAbove(this.#setup.directory);
  }

  get #cacheContext() {
    return { cache: this.#setup.cache, git: this.#git };
  }

  #repository(address: string): Promise<Expected<string>> {
    return cachedRepository(this.#cacheContext, address);
  }

  /** Some servers give a commit only by the name that leads to it. */
  async #fetchAgain(repository: string, id: string, source: Checkout): Promise<Expected<string>> {
    const context = this.#cacheContext;
    const { commit } = source;
    const found = await fetchBase(context, repository, { id, source, commit });
    if (found.ok) return found;
    const named = await fetchBase(context, repository, { id, source });
    if (!named.ok) return named;
    return fetchBase(context, repository, { id, source, commit });
  }

  async #own(id: string): Promise<void> {
    await writeFile(join(await this.directory(), id, ownedBy), this.#setup.owner);
  }

  /** One without an owner was not made whole. */
  async #isOwn(id: string): Promise<boolean> {
    const { owner } = this.#setup;
    const noted = await readFile(join(await this.directory(), id, ownedBy), "utf8").catch(() => owner);
    return noted === owner;
  }

  async #removeTree(id: string): Promise<void> {
    if (await this.#isOwn(id)) await removeTreeSoon(join(await this.directory(), id));
  }

  async #touch(id: string): Promise<void> {
    const now = new Date();
    await utimes(join(await this.directory(), id), now, now);
  }

  async #remove(id: string): Promise<void> {
    await this.#removeTree(id);
    for (const repository of await this.#repositories()) {
      const ours = [`${workReferences(id)}/`, baseReference(id)];
      const listed = await this.#git.here(repository, [
        "for-each-ref",
        "--format=delete %(refname)",
        ...ours,
      ]);
      if (!listed.ok || listed.value === "") continue;
      await this.#git.here(repository, ["update-ref", "--stdin"], { input: listed.value });
      await rm(join(repository, `index-of-${id}`), { force: true });
      void this.#git.here(repository, ["-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"]);
    }
  }

  async #repositories(): Promise<string[]> {
    const { cache } = this.#setup;
    const names = await readdir(cache).catch(() => []);
    return names.filter((name) => /^[\da-f]{40}\.git$/u.test(name)).map((name) => join(cache, name));
  }

  async #reading<T>(
    place: CheckoutPlace,
    how: { title: string; most?: number },
    work: (at: { repository: string; id: string }, read: CheckoutWork) => Promise<Expected<T>>,
  ): Promise<Expected<T>> {
    const { id, tree } = await this.#treeOf(place);
    if (tree === undefined || !(await isRepository(tree)))
      return refuse("The session's checkout is not there. Go on with the session, which makes it again.");
    return this.#alone(id, async () => {
      const repository = await this.#repository(place.checkout.repository);
      if (!repository.ok) return repository;
      const at = { git: this.#git, repository: repository.value, tree, id };
      const base = await this.#fetchAgain(repository.value, id, place.checkout);
      if (!base.ok) return base;
      const read = await readTree(at, { base: place.checkout.commit, ...how });
      return read.ok
        ? work({ repository: repository.value, id }, read.value)
        : refuse(`The checkout cannot be read: ${read.problem}.`);
    });
  }

  /** `tree` is undefined if the workspace is not where checkouts are here. */
  async #treeOf({ workspace, checkout }: CheckoutPlace): Promise<{ id: string; tree: string | undefined }> {
    const directory = await this.directory();
    const id = (await this.madeFor(workspace)) ?? "";
    const tree = join(directory, id, nameOf(checkout.repository));
    const isHere = id !== "" && join(tree, checkout.subdirectory ?? "") === workspace;
    return { id, tree: isHere ? tree : undefined };
  }

  /** The directory is there while it works. */
  #making<T>(id: string, work: () => Promise<Expected<T>>): Promise<Expected<T>> {
    return this.#alone(id, async () => {
      try {
        await makeDirectory(this.#setup.directory, 0o700);
        return await work();
      } catch (error) {
        if (!isFileError(error)) throw error;
        return refuse(
          `A checkout cannot be made in ${this.#setup.directory}: ${error.message}. Choose another directory with --checkouts.`,
        );
      }
    });
  }

  #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#busy.get(id) ?? Promise.resolve()).then(work, work);
    this.#busy.set(id, done);
    const forget = (): void => {
      if (this.#busy.get(id) === done) this.#busy.delete(id);
    };
    done.then(forget, forget);
    return done;
  }
}

const realAbove = (path: string): Promise<string> =>
  realpath(path).catch(async (error: unknown) => {
    if (dirname(path) === path) throw error;
    return join(await realAbove(dirname(path)), basename(path));
  });

const isFileError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

/** What is there, and may hold what is stored nowhere, stays until the session is deleted, or something else is set aside. */
async function setAside(tree: string): Promise<void> {
  const aside = join(dirname(tree), ".aside");
  if (!(await stat(tree).catch(() => undefined))) return;
  await removeTreeSoon(aside);
  await rename(tree, aside);
}

/** No link to another one. */
const isRepository = (tree: string): Promise<boolean> =>
  lstat(join(tree, ".git")).then(
    (found) => found.isDirectory(),
    () => false,
  );

const otherPlace = (workspace: string, directory: string): string =>
  `The session's checkout was made in ${workspace}, and this machine makes checkouts in ${directory}. Start the worker with the same --checkouts as the one that made it.`;
