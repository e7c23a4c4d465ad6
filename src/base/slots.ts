/** So many at once: whoever comes later waits for a place, in the order of coming. */

export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves to the function that gives the place back. Aborting while it waits rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        this.#waiting.delete(enter);
        this.#free -= 1;
        resolve(this.#place());
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(enter);
      this.#admit();
    });
  }

  #place(): () => void {
    let isTaken = true;
    return () => {
      if (isTaken) this.#free += 1;
      isTaken = false;
      this.#admit();
    };
  }

  #admit(): void {
    const [next] = this.#waiting;
    if (next && this.#free > 0) next();
  }
}
