/** Something that takes a while beside what a person sees: what goes on, and since when in milliseconds since 1970. */

export type LongWork = { what: string; since: number };

/** Works that go on, in the order in which they began. */
export class LongWorks {
  readonly #works = new Set<LongWork>();

  all(): LongWork[] {
    return [...this.#works];
  }

  /** A person was waited for meanwhile: the time counts from now on. */
  again(): void {
    for (const work of this.#works) work.since = Date.now();
  }

  /** Something else is shown instead. */
  clear(): void {
    this.#works.clear();
  }

  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const own = { what, since: Date.now() };
    this.#works.add(own);
    try {
      return await work();
    } finally {
      this.#works.delete(own);
    }
  }
}
