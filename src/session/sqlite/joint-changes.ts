/** Small changes that are asked for in one turn of the event loop, or ride along: one transaction stores them all. */

import { StaleEpoch, StoreError } from "../store.ts";

type JointChange = { work: () => void; resolve: () => void; reject: (error: unknown) => void };
/** Runs its argument in a transaction, again if need be. */
type InTransaction = (work: () => void) => Promise<void>;

export class JointChanges {
  readonly #store: InTransaction;
  #asked: JointChange[] = [];
  #storing: Promise<void> | undefined;

  constructor(store: InTransaction) {
    this.#store = store;
  }

  /** Resolves when it is stored. Work that is refused, which must not have changed anything, keeps nothing else out. */
  add(work: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ask([{ work, resolve, reject }]);
    return promise;
  }

  /** Stores `work`, and what was asked for before in its transaction; if `work` fails, that is stored without it. */
  async takeAlong(work: () => void, store: InTransaction): Promise<void> {
    const asked = this.#take();
    try {
      await storeTogether(asked, (joint) =>
        store(() => {
          work();
          joint();
        }),
      );
    } catch (error) {
      this.#ask(asked);
      throw error;
    }
  }

  /** Resolves when nothing is left to store. */
  async settled(): Promise<void> {
    while (this.#storing) await this.#storing;
  }

  #ask(changes: readonly JointChange[]): void {
    if (changes.length === 0) return;
    this.#asked.push(...changes);
    this.#storing ??= new Promise<void>((turn) => setImmediate(turn)).then(() => this.#storeAll());
  }

  #take(): JointChange[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  async #storeAll(): Promise<void> {
    const asked = this.#take();
    this.#storing = undefined;
    if (asked.length === 0) return;
    try {
      await storeTogether(asked, this.#store);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

async function storeTogether(asked: readonly JointChange[], store: InTransaction): Promise<void> {
  let refused = new Map<JointChange, unknown>();
  await store(() => {
    refused = new Map();
    for (const change of asked) {
      try {
        change.work();
      } catch (error) {
        if (!(error instanceof StaleEpoch || error instanceof StoreError)) throw error;
        refused.set(change, error);
      }
    }
  });
  for (const change of asked)
    if (refused.has(change)) change.reject(refused.get(change));
    else change.resolve();
}
