/** Waking those who wait for something, and a value of which only the newest matters. */

export class Bell {
  #next = Promise.withResolvers<void>();

  /** Wakes all who wait now. */
  ring(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers<void>();
    resolve();
  }

  next(): Promise<void> {
    return this.#next.promise;
  }
}

/** A value that changes: whoever reads slowly misses what was in between. */
export class Latest<T> {
  readonly #bell = new Bell();
  #value: { is: T } | undefined;
  #problem: Error | undefined;

  set(value: T): void {
    this.#value = { is: value };
    this.#bell.ring();
  }

  /** Ends its readers with this error. */
  fail(problem: Error): void {
    this.#problem = problem;
    this.#bell.ring();
  }

  /** The present value and each later one, until aborted. */
  async *values(signal?: AbortSignal): AsyncGenerator<T, void> {
    const isLeft = () => signal?.aborted === true;
    const wake = () => this.#bell.ring();
    signal?.addEventListener("abort", wake);
    try {
      let told: { is: T } | undefined;
      while (!isLeft()) {
        if (this.#value && this.#value !== told) {
          told = this.#value;
          yield told.is;
        } else if (this.#problem) throw this.#problem;
        else await this.#bell.next();
      }
    } finally {
      signal?.removeEventListener("abort", wake);
    }
  }
}
