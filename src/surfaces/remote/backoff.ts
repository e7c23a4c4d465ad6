/** How long to wait before the next try: longer each time, and never as long as all the others who wait (jitter). */

import { bounds } from "../../base/bounds.ts";

/** Milliseconds. */
const first = 500;
/** What worked for so long is tried again soon. */
const settled = 5_000;

export class Backoff {
  readonly #random: () => number;
  #tries = 0;
  #openedAt: number | undefined;

  /** `random` gives numbers from 0 to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  opened(): void {
    this.#openedAt = Date.now();
  }

  /** Milliseconds until the next try. */
  next(): number {
    if (this.#openedAt !== undefined && Date.now() - this.#openedAt >= settled) this.#tries = 0;
    this.#openedAt = undefined;
    const most = Math.min(bounds.remote.retryWait.most, first * 2 ** this.#tries);
    this.#tries += 1;
    return most * this.#random();
  }
}
