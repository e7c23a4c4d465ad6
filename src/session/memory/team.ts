/** A team's part of a store in memory: whose sessions are, with whom they are shared, and records of people. */

import {
  type Belonging,
  everybody,
  type RecordTexts,
  type ShareRight,
  type TeamRecord,
  type TeamRecords,
  type Viewer,
} from "../team.ts";

type KeptBelonging = { tenant: string; person: string; tree: string };

/** `isKept`: whether there is a session of this id. */
export class KeptTeam implements TeamRecords {
  readonly #isKept: (session: string) => boolean;
  readonly #belongings = new Map<string, KeptBelonging>();
  readonly #shares = new Map<string, Map<string, ShareRight>>();
  readonly #records = new Map<string, string>();

  constructor(isKept: (session: string) => boolean) {
    this.#isKept = isKept;
  }

  sees({ tenant, person }: Viewer, session: string): boolean {
    const kept = this.#belongings.get(session);
    if (kept?.tenant !== tenant) return false;
    if (person === undefined || kept.person === person) return true;
    const shared = this.#shares.get(kept.tree);
    return shared?.has(person) === true || shared?.has(everybody) === true;
  }

  inherit(session: string, parent: string): void {
    const kept = this.#belongings.get(parent);
    if (kept) this.#belongings.set(session, kept);
  }

  drop(session: string): void {
    this.#belongings.delete(session);
    this.#shares.delete(session);
    for (const [child, kept] of this.#belongings)
      if (kept.tree === session) this.#belongings.set(child, { ...kept, tree: child });
  }

  async belonging(session: string): Promise<Belonging | undefined> {
    const kept = this.#belongings.get(session);
    if (!kept) return undefined;
    const { tenant, person, tree } = kept;
    return { tenant, person, shared: new Map(this.#shares.get(tree)) };
  }

  async belongings(sessions: readonly string[]): Promise<Map<string, Belonging>> {
    const all = new Map<string, Belonging>();
    for (const session of sessions) {
      const found = await this.belonging(session);
      if (found) all.set(session, found);
    }
    return all;
  }

  async give(session: string, { tenant, person }: Pick<Belonging, "tenant" | "person">): Promise<void> {
    if (!this.#isKept(session)) return;
    const tree = this.#belongings.get(session)?.tree ?? session;
    this.#belongings.set(session, { tenant, person, tree });
  }

  async share(session: string, person: string, right: ShareRight | undefined): Promise<void> {
    const tree = this.#belongings.get(session)?.tree;
    if (tree === undefined || !this.#isKept(tree)) return;
    const shared = this.#shares.get(tree) ?? new Map<string, ShareRight>();
    this.#shares.set(tree, shared);
    if (right === undefined) shared.delete(person);
    else shared.set(person, right);
  }

  async record(kind: string, id: string): Promise<string | undefined> {
    return this.#records.get(keyOf(kind, id));
  }

  async records(kind: string, from = ""): Promise<TeamRecord[]> {
    const start = keyOf(kind, "");
    return [...this.#records]
      .filter(([key]) => key.startsWith(start))
      .map(([key, text]) => ({ id: key.slice(start.length), text }))
      .filter(({ id }) => id >= from)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async replace(kind: string, id: string, { was, is, beside }: RecordTexts): Promise<boolean> {
    const key = keyOf(kind, id);
    if (this.#records.get(key) !== was) return false;
    if (is === undefined) this.#records.delete(key);
    else this.#records.set(key, is);
    if (beside) this.#records.set(keyOf(beside.kind, beside.id), beside.text);
    return true;
  }
}

/** Kinds are words of ours, without spaces. */
const keyOf = (kind: string, id: string): string => `${kind} ${id}`;
