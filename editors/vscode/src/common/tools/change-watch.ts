/** The editor's problems before a change, kept until its end: what is new since then is told with the change's result. */

import type { EditorPowers, FileProblems } from "./editor-powers.ts";
import { newsWords, problemNews } from "./problem-news.ts";

/** Changes that have begun and not ended; the oldest is forgotten first. */
const mostBegun = 50;

export class ChangeWatch {
  readonly #powers: EditorPowers;
  /** By the change's name; the oldest first. */
  readonly #before = new Map<string, readonly FileProblems[]>();

  constructor(powers: EditorPowers) {
    this.#powers = powers;
  }

  /** Resolves once the editor knows the files as they are before the change. */
  async begin(change: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#powers.examine(paths, signal);
    const [oldest] = this.#before.keys();
    if (oldest !== undefined && this.#before.size >= mostBegun) this.#before.delete(oldest);
    this.#before.set(change, this.#powers.problems());
  }

  /** What to tell the model; empty if nothing changed. A change whose beginning is unknown is compared with now. */
  async end(change: string, paths: readonly string[], signal: AbortSignal): Promise<string> {
    const before = this.#before.get(change) ?? this.#powers.problems();
    this.#before.delete(change);
    const { isSettled } = await this.#powers.examine(paths, signal);
    return [newsWords(problemNews(before, this.#powers.problems()), isSettled), ...this.#unsaved(paths)]
      .filter((words) => words !== "")
      .join("\n");
  }

  #unsaved(paths: readonly string[]): string[] {
    const open = this.#powers
      .openEditors()
      .filter(({ path, isUnsaved }) => isUnsaved && paths.includes(path));
    return open.map(
      ({ path }) =>
        `[${path} has unsaved changes of the user in the editor, which differ from the file on disk.]`,
    );
  }
}
