/** How long the checks of a file are waited for: what checks a language says nothing where nothing is wrong. */

import type { QuietWaits } from "./quiet.ts";

/** In milliseconds. A program that checks a language takes seconds for the first file. */
const firsts = { unknown: 6_000, known: 1_500, none: 200 };
const [quiet, most] = [400, 12_000];
/** Files without a word after which a language counts as one that nobody checks. */
const mostSilent = 2;

export class CheckPatience {
  readonly #checked = new Set<string>();
  readonly #silent = new Map<string, number>();

  /** For files of these languages. */
  waits(languages: readonly string[]): QuietWaits {
    const first = Math.max(0, ...languages.map((language) => firsts[this.#knowledge(language)]));
    return { first, quiet, most };
  }

  /** Files of the language were waited for. */
  waited(language: string, wasHeard: boolean): void {
    if (wasHeard) this.#checked.add(language);
    else this.#silent.set(language, (this.#silent.get(language) ?? 0) + 1);
  }

  #knowledge(language: string): keyof typeof firsts {
    if (this.#checked.has(language)) return "known";
    return (this.#silent.get(language) ?? 0) < mostSilent ? "unknown" : "none";
  }
}
