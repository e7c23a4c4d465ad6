/** The checkouts of a host's sessions: made, kept in the store, made again where they are missing, and removed. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { livingHolder } from "../archive/sessions.ts";
import { errorMessage, type Expected, refuse } from "../base/expected.ts";
import { isWithin } from "../base/paths.ts";
import type { Fact } from "../protocol/facts.ts";
import type { CheckoutState } from "../protocol/fold-checkout.ts";
import { step } from "../protocol/fold.ts";
import { emptyState, type SessionState } from "../protocol/session-state.ts";
import { checkoutBounds } from "../session/bounds.ts";
import {
  type CheckoutPlace,
  Checkouts,
  type CheckoutsSetup,
  type OutcomeWanted,
  type WorkOutcome,
} from "../session/checkouts/checkouts.ts";
import type { RepositorySource } from "../session/checkouts/repository-source.ts";
import type { SessionLog } from "../session/log.ts";
import { pagesOf } from "../session/pages.ts";
import type { SessionInfo, Store } from "../session/store.ts";

/** A tree whose session is not in the store may belong to one that is just being created: for how long, in milliseconds. */
const creatingMs = 3_600_000;
/** How often trees of deleted sessions are looked for, in milliseconds. */
const sweepMs = 600_000;
/** A session, the one whose call started it, and so on. */
const mostParents = 16;

export class HostedCheckouts {
  readonly #checkouts: Checkouts;
  readonly #store: Store;
  /** By tree: what was stored last, in short. */
  readonly #known = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  constructor(setup: CheckoutsSetup, store: Store) {
    this.#checkouts = new Checkouts(setup);
    this.#store = store;
    this.#timer = setInterval(() => void this.sweep().catch(() => undefined), sweepMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async make(id: string, source: RepositorySource): Promise<Expected<CheckoutPlace>> {
    const room = await this.#makeRoom();
    return room === undefined ? this.#checkouts.make(id, source) : refuse(room);
  }

  /**
   * Where the session's workspace is, made again if it was a checkout that is not there. `told`: what the session has to be told
   * of that.
   */
  async workspaceOf(session: SessionInfo): Promise<Expected<{ workspace: string; told: Fact[] }>> {
    const { workspace } = session;
    const isThere = { ok: true as const, value: { workspace, told: [] } };
    if (!(await this.#checkouts.holds(workspace)) && (await isDirectory(workspace))) return isThere;
    const begun = await this.#begun(session);
    if (!begun?.checkout) return isThere;
    const { source, kept } = begun.checkout;
    const id = (await this.#checkouts.madeFor(workspace)) ?? begun.session;
    if (!(await isDirectory(workspace))) {
      const room = await this.#makeRoom();
      if (room !== undefined) return refuse(room);
    }
    const work = kept?.hash === undefined ? undefined : await this.#image([begun.session, id], kept.hash);
    if (kept?.hash !== undefined && !work && !(await isDirectory(workspace)))
      return refuse(
        `The checkout of session ${session.id} is not on this machine, and what was stored of its work is not kept any more: it can go on only where it was.`,
      );
    const made = await this.#checkouts.ensure(
      { workspace: begun.workspace, checkout: source },
      async () => work,
    );
    if (!made.ok)
      return refuse(`The checkout of session ${session.id} could not be made again: ${made.problem}`);
    const told = made.value === "made" ? factsOf(begun.checkout) : [];
    return { ok: true, value: { workspace, told } };
  }

  /** Stores what is not stored yet; the fact comes last. */
  async keep(log: SessionLog): Promise<void> {
    const { workspace, checkout, session, title } = log.state;
    if (!checkout) return;
    const id = (await this.#checkouts.madeFor(workspace)) ?? session;
    const place = { workspace, checkout: checkout.source };
    const read = await this.#checkouts
      .keep(place, { title: title ?? `Work of session ${session}`, known: this.#known.get(id) })
      .catch((error: unknown) => refuse(errorMessage(error)));
    if (!read.ok) {
      if (checkout.kept?.problem !== read.problem)
        await log.append({ type: "work-kept", problem: read.problem });
      return;
    }
    if (!read.value) {
      const { kept } = checkout;
      if (kept?.hash !== undefined)
        await log.append({ type: "work-kept", commit: kept.commit, hash: kept.hash });
      return;
    }
    const { commit, bytes, state } = read.value;
    // Two owners by turns: the last content is dropped only after the next one is a fact.
    const owner = `work-${checkout.stored % 2}`;
    await this.#store.dropImages(session, owner);
    const hash = await this.#store.keepImage(session, owner, bytes);
    await log.append({ type: "work-kept", commit, hash });
    this.#known.set(id, state);
  }

  /** Call when the session has been closed. */
  async closed({ workspace, checkout, session }: SessionState): Promise<void> {
    if (!checkout) return;
    const { changedAt, kept } = checkout;
    const isStored = changedAt <= (kept?.seq ?? 0) && kept?.problem === undefined;
    const id = (await this.#checkouts.madeFor(workspace)) ?? session;
    if (isStored) await this.#checkouts.markStored(id);
  }

  outcome(
    { workspace, checkout, title, session }: SessionState,
    wanted: OutcomeWanted,
  ): Promise<Expected<WorkOutcome>> {
    if (!checkout)
      return Promise.resolve(
        refuse("This session works in a directory, and not in a checkout of its own: its work is there."),
      );
    const place = { workspace, checkout: checkout.source };
    return this.#checkouts.outcome(place, { title: title ?? `Work of session ${session}`, wanted });
  }

  /** The tree of a session that is not in the store any more, unless another one, as a copy, works in it. */
  async removeOf(workspace: string): Promise<void> {
    const id = await this.#checkouts.madeFor(workspace);
    if (id !== undefined) await this.#removeUnused([id]);
  }

  /** Trees of sessions that were deleted elsewhere. */
  async sweep(): Promise<void> {
    const old = (await this.#checkouts.trees()).filter(({ madeAt }) => Date.now() - madeAt > creatingMs);
    await this.#removeUnused(old.map(({ id }) => id));
  }

  async #removeUnused(ids: readonly string[]): Promise<void> {
    const there = await this.#store.heads(ids);
    const gone = ids.filter((id) => !there.has(id));
    if (gone.length === 0) return;
    const directory = await this.#checkouts.directory();
    const others = await this.#store.list();
    for (const id of gone) {
      const isUsed = others.some(({ workspace }) => isWithin(join(directory, id), workspace));
      if (!isUsed) await this.#checkouts.remove(id);
    }
  }

  /** The longest unused tree whose work is stored makes room; the problem if there is none. */
  async #makeRoom(): Promise<string | undefined> {
    const { most } = checkoutBounds.trees;
    const trees = await this.#checkouts.trees();
    let left = trees.length;
    for (const { id } of trees) {
      if (left < most) return undefined;
      if ((await livingHolder(this.#store, id)) === undefined && (await this.#checkouts.removeStored(id)))
        left -= 1;
    }
    return left < most
      ? undefined
      : `There are ${left} checkouts on this machine, and all are in use or hold work that is not stored. Delete sessions that are done.`;
  }

  /** The state of the session, or of the one whose call started it, which has the checkout. */
  async #begun(session: SessionInfo): Promise<SessionState | undefined> {
    let root = session;
    for (let at = 0; at < mostParents && root.parent !== undefined; at += 1)
      root = (await this.#store.get(root.parent)) ?? { ...root, parent: undefined };
    const [first] = await this.#store.read(root.id, 0, { facts: 1, characters: 1 });
    if (first?.type !== "session-start" || !first.checkout) return undefined;
    const state = emptyState();
    for await (const page of pagesOf(this.#store, root.id)) for (const entry of page) step(state, entry);
    return state;
  }

  async #image(sessions: readonly string[], hash: string): Promise<Uint8Array | undefined> {
    for (const session of sessions) {
      const bytes = await this.#store.image(session, hash);
      if (bytes) return bytes;
    }
    return undefined;
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Most paths that are named. */
const mostNamed = 20;

/** For people, and for the model, which remembers what it did. */
function factsOf({ source, kept, unstored, changedAt }: CheckoutState): Fact[] {
  const commit = kept?.hash === undefined ? source.commit : (kept.commit ?? source.commit);
  const paths = [...unstored].toSorted().slice(0, mostNamed);
  const more = unstored.size > paths.length ? ` and ${unstored.size - paths.length} more` : "";
  const isBehind = changedAt > (kept?.seq ?? 0) || kept?.problem !== undefined;
  const missing =
    paths.length > 0
      ? ` What was changed after that is missing: ${paths.join(", ")}${more}.`
      : isBehind
        ? " What a command changed after that is missing."
        : "";
  const text = `The workspace was made again from commit ${commit.slice(0, 12)}, as it was stored.${missing} Files that git ignores, as installed packages, and what was staged are not there any more.`;
  return [
    { type: "warning", code: "checkout-made-again", text },
    { type: "nudge", code: "checkout-made-again", text: `${text} Look at a file before you rely on it.` },
  ];
}
