/** The checkouts of a host's sessions: made, kept in the store, made again where they are missing, and removed. */

import { join } from "node:path";
import { livingHolder } from "../archive/sessions.ts";
import { errorMessage, type Expected, refuse } from "../base/expected.ts";
import { isDirectoryAt, isWithin } from "../base/paths.ts";
import type { Fact } from "../protocol/facts.ts";
import { type CheckoutState, hasUnstored } from "../protocol/fold-checkout.ts";
import { step } from "../protocol/fold.ts";
import { emptyState, type SessionState } from "../protocol/session-state.ts";
import { checkoutBounds } from "../session/checkouts/bounds.ts";
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

/** For how long a tree may belong to a session that is just being created or opened, in milliseconds. */
const creatingMs = 3_600_000;
/** How often trees of deleted sessions are looked for, in milliseconds. */
const sweepMs = 600_000;
/** A session, the one whose call started it, and so on. */
const mostParents = 16;

export type HostedCheckoutsSetup = CheckoutsSetup & {
  /** How many there may be; replaced in tests. */
  most?: number;
  /** Unused milliseconds after which one may make room; replaced in tests. */
  restMs?: number;
};

export class HostedCheckouts {
  readonly #checkouts: Checkouts;
  readonly #store: Store;
  readonly #most: number;
  readonly #restMs: number;
  /** By session: what was stored last, in short. */
  readonly #known = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  constructor({ most, restMs, ...setup }: HostedCheckoutsSetup, store: Store) {
    this.#checkouts = new Checkouts(setup);
    this.#store = store;
    this.#most = most ?? checkoutBounds.trees.most;
    this.#restMs = restMs ?? creatingMs;
    this.#timer = setInterval(() => void this.sweep().catch(() => undefined), sweepMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async make(id: string, source: RepositorySource): Promise<Expected<CheckoutPlace>> {
    const full = await this.#makeRoom();
    return full === undefined ? this.#checkouts.make(id, source) : refuse(full);
  }

  /**
   * Where the session's workspace is, made again if it was a checkout that is not there. `told`: what the session has to
   * be told of that.
   */
  async workspaceOf(session: SessionInfo): Promise<Expected<{ workspace: string; told: Fact[] }>> {
    const { workspace } = session;
    const asItIs = { ok: true as const, value: { workspace, told: [] } };
    const isDirectory = await isDirectoryAt(workspace);
    if (isDirectory && !(await this.#checkouts.holds(workspace))) return asItIs;
    const begun = await this.#begun(session);
    if (!begun?.checkout) return asItIs;
    const { source, kept } = begun.checkout;
    const full = isDirectory ? undefined : await this.#makeRoom();
    if (full !== undefined) return refuse(full);
    const id = await this.#idOf(begun);
    const work = () => this.#image([begun.session, id], kept?.hash ?? "");
    const place = { workspace: begun.workspace, checkout: source };
    const made = await this.#checkouts.ensure(place, kept && { hash: kept.hash, work });
    if (!made.ok)
      return refuse(`The checkout of session ${session.id} could not be made again: ${made.problem}`);
    return { ok: true, value: { workspace, told: made.value === "made" ? factsOf(begun.checkout) : [] } };
  }

  /** Stores what is not stored yet; the fact comes last. */
  async keep(log: SessionLog): Promise<void> {
    const { state } = log;
    const { workspace, checkout, session } = state;
    if (!checkout) return;
    const id = await this.#idOf(state);
    const { kept } = checkout;
    const how = { title: titleOf(state), known: this.#known.get(session) };
    const read = await this.#checkouts.keep({ workspace, checkout: checkout.source }, how).catch(asProblem);
    if (!read.ok) return log.append({ type: "work-kept", problem: read.problem }).then(() => undefined);
    if (!read.value && kept) return log.append({ type: "work-kept", ...kept }).then(() => undefined);
    if (!read.value) return;
    const { commit, bytes, state: known } = read.value;
    // Two owners by turns: the last content is dropped only after the next one is a fact.
    const owner = `work-${checkout.stored % 2}`;
    await this.#store.dropImages(session, owner);
    const hash = await this.#store.keepImage(session, owner, bytes);
    await this.#checkouts.noteStored(id, hash);
    await log.append({ type: "work-kept", commit, hash });
    this.#known.set(session, known);
  }

  /** The trees in which this workspace is not. */
  async besides(workspace: string): Promise<string[]> {
    return (await this.#checkouts.everyTree()).filter((tree) => !isWithin(tree, workspace));
  }

  /** Whether a workspace is a checkout that was made for some session. */
  holds(workspace: string): Promise<boolean> {
    return this.#checkouts.holds(workspace);
  }

  outcome(state: SessionState, wanted: OutcomeWanted): Promise<Expected<WorkOutcome>> {
    const { workspace, checkout } = state;
    if (!checkout)
      return Promise.resolve(
        refuse("This session works in a directory, and not in a checkout of its own: its work is there."),
      );
    return this.#checkouts.outcome(
      { workspace, checkout: checkout.source },
      { title: titleOf(state), wanted },
    );
  }

  /** The tree of a session that is not in the store any more, unless another one, as a copy, works in it. */
  async removeOf(workspace: string): Promise<void> {
    const id = await this.#checkouts.madeFor(workspace);
    if (id !== undefined) await this.#removeUnused([id]);
  }

  /** Trees of sessions that were deleted elsewhere. */
  async sweep(): Promise<void> {
    const trees = await this.#checkouts.trees();
    const used = new Set(trees.flatMap(({ id, usedAt }) => (Date.now() - usedAt > this.#restMs ? [] : [id])));
    const all = new Set([...trees.map(({ id }) => id), ...(await this.#checkouts.known())]);
    await this.#removeUnused([...all].filter((id) => !used.has(id)));
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
    const trees = await this.#checkouts.trees();
    let left = trees.length;
    for (const { id, usedAt } of trees) {
      if (left < this.#most) return undefined;
      if (Date.now() - usedAt < this.#restMs || !(await this.#mayGo(id))) continue;
      await this.#checkouts.remove(id);
      left -= 1;
    }
    return left < this.#most
      ? undefined
      : `This machine has as many checkouts as it may have (${left}), and all are in use or hold work that is not stored. Delete sessions that are done.`;
  }

  async #mayGo(id: string): Promise<boolean> {
    const session = await this.#store.get(id);
    if (!session || (await livingHolder(this.#store, id))) return false;
    const { checkout } = (await this.#begun(session)) ?? {};
    if (!checkout || (await this.#isShared(id))) return false;
    const { kept } = checkout;
    if (kept && !(await this.#image([id], kept.hash))) return false;
    return !hasUnstored(checkout) || !(await this.#checkouts.isCurrent(id, kept?.hash));
  }

  /** Whether a copy of the session works in its tree. */
  async #isShared(id: string): Promise<boolean> {
    const tree = join(await this.#checkouts.directory(), id);
    const all = await this.#store.list();
    return all.some((one) => one.id !== id && one.parent === undefined && isWithin(tree, one.workspace));
  }

  async #idOf({ workspace, session }: SessionState): Promise<string> {
    return (await this.#checkouts.madeFor(workspace)) ?? session;
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

const asProblem = (error: unknown) => refuse(errorMessage(error));

const titleOf = ({ title, session }: SessionState): string => title ?? `Work of session ${session}`;

/** Most paths that are named. */
const mostNamed = 20;

/** For people, and for the model, which remembers what it did. */
function factsOf(checkout: CheckoutState): Fact[] {
  const { source, kept, unstored } = checkout;
  const paths = [...unstored].toSorted().slice(0, mostNamed);
  const more = unstored.size > paths.length ? ` and ${unstored.size - paths.length} more` : "";
  const missing =
    paths.length > 0
      ? ` What was changed after that is missing: ${paths.join(", ")}${more}.`
      : hasUnstored(checkout)
        ? " What a command changed after that is missing."
        : "";
  const text = `The workspace was made again from commit ${(kept?.commit ?? source.commit).slice(0, 12)}, as it was stored.${missing} Files that git ignores, as installed packages, and what was staged are not there any more.`;
  return [
    { type: "warning", code: "checkout-made-again", text },
    { type: "nudge", code: "checkout-made-again", text: `${text} Look at a file before you rely on it.` },
  ];
}
