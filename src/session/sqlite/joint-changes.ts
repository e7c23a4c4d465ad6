/** Small changes of many sessions that are asked for in one turn of the event loop: one transaction stores them all. */

import { StaleEpoch, StoreError } from "../store.ts";

type JointChange = { work: () => void; resolve: () => void; reject: (error: unknown) => void };

export class JointChanges {
  readonly #store: (work: () => void) => Promise<void>;
  #asked: JointChange[] = [];
  #storing: Promise<void> | undefined;

  /** `store` runs its argument in a transaction, again if need be. */
  constructor(store: (work: () => void) => Promise<void>) {
    this.#store = store;
  }

  /** Resolves when it is stored. Work that is refused, which must not have changed anything, keeps nothing else out. */
  add(work: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#asked.push({ work, resolve, reject });
    this.#storing ??= new Promise<void>((turn) => setImmediate(turn)).then(() => this.#storeAll());
    return promise;
  }

  /** Resolves when nothing is left to store. */
  async settled(): Promise<void> {
    while (this.#storing) await this.#storing;
  }

  async #storeAll(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    this.#storing = undefined;
    let refused = new Map<JointChange, unknown>();
    try {
      await this.#store(() => {
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
    } catch (error) {
      for (const { reject } of asked) reject(error);
      return;
    }
    for (const change of asked)
      if (refused.has(change)) change.reject(refused.get(change));
      else change.resolve();
  }
}
