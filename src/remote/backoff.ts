/** Reconnection delays: longer after each failure, and randomised so that clients do not retry together (jitter). */

/** Wait between two connection attempts to a gateway, in milliseconds. */
const retryWaitMs = 30_000;

/** Milliseconds. */
const first = 500;
/** After a connection that lasted this long, the delay starts over. */
const settled = 5_000;

export class Backoff {
  readonly #random: () => number;
  #tries = 0;
  #openedAt: number | undefined;

  /** `random` returns numbers from 0 to 1. */
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
    const most = Math.min(retryWaitMs, first * 2 ** this.#tries);
    this.#tries += 1;
    return most * this.#random();
  }
}
