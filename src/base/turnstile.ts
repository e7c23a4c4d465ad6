/**
 * A fair read/write lock: shared holders overlap, an exclusive holder runs alone, and waiters keep their order. Tool
 * calls passed through it in the order they were written run "neighbouring reads together, each change alone", whether
 * they arrive one by one from a stream or all at once.
 */

export type Access = "shared" | "exclusive";

type Ticket = { access: Access; enter: () => void };

export class Turnstile {
  #queue: Ticket[] = [];
  #shared = 0;
  #exclusive = false;

  /** Runs the work when its turn comes. Aborting while it waits rejects with the signal's reason. */
  async pass<T>(access: Access, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#wait(access, signal);
    try {
      return await work();
    } finally {
      if (access === "shared") this.#shared -= 1;
      else this.#exclusive = false;
      this.#admit();
    }
  }

  #wait(access: Access, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue = this.#queue.filter((waiting) => waiting !== ticket);
        this.#admit();
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const ticket: Ticket = { access, enter };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue.push(ticket);
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const free = !this.#exclusive && (next.access === "shared" || this.#shared === 0);
      if (!free) return;
      this.#queue.shift();
      if (next.access === "shared") this.#shared += 1;
      else this.#exclusive = true;
      next.enter();
    }
  }
}
