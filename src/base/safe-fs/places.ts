/** The directories in which steps take place, opened on demand and kept open while the next step needs the same. */

import { descend, type PinnedDirectory } from "./directory.ts";
import type { ChangeStep } from "./step.ts";

/** `standing`: where temporary files are; `refuge`: where removed files wait until nothing can fail any more. */
export type StepDirectories = { parent: PinnedDirectory; standing: PinnedDirectory; refuge: PinnedDirectory };

export class OpenDirectories {
  readonly #parent: DirectoryCursor;
  readonly #standing: DirectoryCursor;
  readonly #refuge: DirectoryCursor;

  constructor(root: PinnedDirectory) {
    this.#parent = new DirectoryCursor(root);
    this.#standing = new DirectoryCursor(root);
    this.#refuge = new DirectoryCursor(root);
  }

  /** Throws the system's error. The result is valid until the next step is requested. */
  of({ above, standing, refuge }: ChangeStep): StepDirectories {
    const parent = this.#parent.at(above);
    return {
      parent,
      standing: standing === above.length ? parent : this.#standing.at(above.slice(0, standing)),
      refuge: refuge === above.length ? parent : this.#refuge.at(above.slice(0, refuge)),
    };
  }

  /** Where the temporary file of a step is, and its parent directory if that exists yet. */
  beforehand({ above, standing }: ChangeStep): {
    standing: PinnedDirectory;
    parent: PinnedDirectory | undefined;
  } {
    const directory = this.#standing.at(above.slice(0, standing));
    return { standing: directory, parent: standing === above.length ? directory : undefined };
  }

  /** Throws the system's error. */
  refuge({ above, refuge }: ChangeStep): PinnedDirectory {
    return this.#refuge.at(above.slice(0, refuge));
  }

  close(): void {
    for (const cursor of [this.#parent, this.#standing, this.#refuge]) cursor.close();
  }
}

class DirectoryCursor {
  readonly #root: PinnedDirectory;
  #open: { key: string; directory: PinnedDirectory } | undefined;

  constructor(root: PinnedDirectory) {
    this.#root = root;
  }

  at(names: readonly string[]): PinnedDirectory {
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
