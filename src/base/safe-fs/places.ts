/** The directories in which steps take place, opened on demand and kept open while the next step needs the same. */

import { descend, type Directory } from "./directory.ts";
import type { Step } from "./step.ts";

/** `standing`: where temporary files are; `refuge`: where removed files wait until nothing can fail any more. */
export type Where = { parent: Directory; standing: Directory; refuge: Directory };

export class Places {
  readonly #parent: Cursor;
  readonly #standing: Cursor;
  readonly #refuge: Cursor;

  constructor(root: Directory) {
    this.#parent = new Cursor(root);
    this.#standing = new Cursor(root);
    this.#refuge = new Cursor(root);
  }

  /** Throws the system's error. The result is valid until the next step is requested. */
  of({ above, standing, refuge }: Step): Where {
    const parent = this.#parent.at(above);
    return {
      parent,
      standing: standing === above.length ? parent : this.#standing.at(above.slice(0, standing)),
      refuge: refuge === above.length ? parent : this.#refuge.at(above.slice(0, refuge)),
    };
  }

  /** Where the temporary file of a step is, and its parent directory if that exists yet. */
  beforehand({ above, standing }: Step): { standing: Directory; parent: Directory | undefined } {
    const directory = this.#standing.at(above.slice(0, standing));
    return { standing: directory, parent: standing === above.length ? directory : undefined };
  }

  /** Throws the system's error. */
  refuge({ above, refuge }: Step): Directory {
    return this.#refuge.at(above.slice(0, refuge));
  }

  close(): void {
    for (const cursor of [this.#parent, this.#standing, this.#refuge]) cursor.close();
  }
}

class Cursor {
  readonly #root: Directory;
  #open: { key: string; directory: Directory } | undefined;

  constructor(root: Directory) {
    this.#root = root;
  }

  at(names: readonly string[]): Directory {
    const key = names.join("/");
    if (this.#open?.key === key) return this.#open.directory;
    this.close();
    const directory = descend(this.#root, names);
    this.#open = { key, directory };
    return directory;
  }

  close(): void {
    this.#open?.directory.close();
    this.#open = undefined;
  }
}
