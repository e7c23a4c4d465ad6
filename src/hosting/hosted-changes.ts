/** Notifies listeners that session lists have changed: at once, then at most twice a second. */

const pauseMs = 500;

export class ListChanges {
  readonly #listeners = new Set<() => void>();
  #pause: NodeJS.Timeout | undefined;
  /** A change has happened since the last notification. */
  #isOwed = false;

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  happened(): void {
    this.#isOwed = true;
    if (this.#pause === undefined) this.#tell();
  }

  close(): void {
    clearTimeout(this.#pause);
    this.#listeners.clear();
  }

  #tell(): void {
    this.#isOwed = false;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isOwed) this.#tell();
    }, pauseMs).unref();
    for (const listener of this.#listeners) listener();
  }
}
