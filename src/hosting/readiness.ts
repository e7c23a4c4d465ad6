/** Whether a server can work now: asked by anybody and often, so the database is looked at once a second at most. */

import { withDeadline } from "../base/async.ts";
import { StoreError } from "../session/store.ts";

/** How long an answer counts, in milliseconds. */
const freshMs = 1_000;
/** How long the database may take for one, in milliseconds. */
const answerMs = 2_000;

export class Readiness {
  readonly #probe: () => Promise<void>;
  readonly #answerMs: number;
  /** At most one, also while the database hangs. */
  #probing: Promise<void> | undefined;
  #looked: { at: number; problem: Promise<string | undefined> } | undefined;

  /** `probe` throws StoreError. `mostMs`: how long it may take, in milliseconds; replaced in tests. */
  constructor(probe: () => Promise<void>, mostMs: number = answerMs) {
    this.#probe = probe;
    this.#answerMs = mostMs;
  }

  /** Why it is not ready; undefined if it is. */
  problem(): Promise<string | undefined> {
    const now = performance.now();
    if (!this.#looked || now - this.#looked.at >= freshMs) this.#looked = { at: now, problem: this.#look() };
    return this.#looked.problem;
  }

  async #look(): Promise<string | undefined> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    try {
      return (await withDeadline(this.#probing, this.#answerMs))
        ? undefined
        : "The session database does not answer.";
    } catch (error) {
      if (error instanceof StoreError) return error.message;
      throw error;
    }
  }
}
