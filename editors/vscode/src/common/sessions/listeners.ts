/** Functions that are told of a change; one that throws does not keep the others from being told. */

export type Leave = () => void;

export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: (value: T) => void): Leave {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  tell(value: T): void {
    for (const listener of this.#listeners)
      try {
        listener(value);
      } catch (error) {
        this.#failed(error);
      }
  }
}
