/** A bell that wakes waiting tasks, and a value whose readers need only the newest state. */

export class Bell {
  #next = Promise.withResolvers<void>();

  /** Wakes all current waiters. */
  ring(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers<void>();
    resolve();
  }

  next(): Promise<void> {
    return this.#next.promise;
  }
}

/** A changing value: a slow reader skips intermediate values. */
export class Latest<T> {
  readonly #bell = new Bell();
  #value: { is: T } | undefined;
  #end: { problem?: Error } | undefined;

  set(value: T): void {
    this.#value = { is: value };
    this.#bell.ring();
  }

  /** Readers end after the newest value, with this error if there is one. */
  end(problem?: Error): void {
    this.#end ??= problem ? { problem } : {};
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
        } else if (this.#end?.problem) throw this.#end.problem;
        else if (this.#end) return;
        else await this.#bell.next();
      }
    } finally {
      signal?.removeEventListener("abort", wake);
    }
  }
}
