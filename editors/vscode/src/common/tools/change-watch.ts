/** The editor's problems before a change, kept until its end: what is new since then is told with the change's result. */

import type { EditorPowers, FileProblems } from "./editor-powers.ts";
import { newsWords, problemNews } from "./problem-news.ts";

/** `change` is its name; `seen` are other files that the model has seen, which it may break. */
type WatchedChange = { change: string; paths: readonly string[]; seen?: readonly string[] | undefined };

/** `words`: what to tell the model, empty if nothing changed. `checked`: the files that the editor has certainly checked. */
type ChangeNews = { words: string; checked: readonly string[] };

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
  async begin({ change, paths, seen }: WatchedChange, signal: AbortSignal): Promise<void> {
    await this.#powers.examine(paths, signal, seen);
    const [oldest] = this.#before.keys();
    if (oldest !== undefined && this.#before.size >= mostBegun) this.#before.delete(oldest);
    this.#before.set(change, this.#powers.problems());
  }

  /** A change whose beginning is unknown is compared with now. */
  async end({ change, paths, seen }: WatchedChange, signal: AbortSignal): Promise<ChangeNews> {
    const before = this.#before.get(change) ?? this.#powers.problems();
    this.#before.delete(change);
    const { isSettled, answered } = await this.#powers.examine(paths, signal, seen);
    const after = this.#powers.problems();
    const words = [newsWords(problemNews(before, after), isSettled), ...this.#unsaved(paths)];
    return {
      words: words.filter((one) => one !== "").join("\n"),
      checked: paths.filter((path) => answered.includes(path) || hasErrors(after, path)),
    };
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

const hasErrors = (files: readonly FileProblems[], path: string): boolean =>
  files.some((file) => file.path === path && file.problems.some(({ severity }) => severity === "error"));
