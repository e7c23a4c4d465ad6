/** One shared timer for all once-a-second checks; it stops while there are none. */

const usualTickMs = 1_000;

/** Monotonic milliseconds: unaffected by changes to the machine's clock. */
export const steadyNow = (): number => performance.now();

export class Clockwork {
  readonly #watched = new Set<(now: number) => void>();
  readonly #now: () => number;
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number = steadyNow, tickMs: number = usualTickMs) {
    this.#now = now;
    this.#tickMs = tickMs;
  }

  get now(): number {
    return this.#now();
  }

  /** Calls `look` each second until the returned function is called. */
  watch(look: (now: number) => void): () => void {
    this.#watched.add(look);
    this.#timer ??= setInterval(() => this.tick(), this.#tickMs).unref();
    return () => {
      this.#watched.delete(look);
      if (this.#watched.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  tick(): void {
    for (const look of this.#watched) look(this.#now());
  }
}
