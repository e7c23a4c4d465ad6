/** One timer for everything that has to be looked at each second, and none while there is nothing. */

const usualTickMs = 1_000;

/** Milliseconds since some moment: it goes on evenly when somebody sets the clock of the machine. */
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

  /** Calls it each second until the function that it returns is called. */
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
