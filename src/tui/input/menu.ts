/** The menu above the input: what completes a command or a path that is being typed. */

import { fuzzyRanked } from "./fuzzy.ts";
import type { PressedKey } from "./key.ts";
import { keyWords } from "./key.ts";

/** `insert`: what stands in the text instead of the typed part; `says`: beside it in the menu. `number`: which finds it. */
export type MenuCandidate = { name: string; insert: string; says: string; number?: number };

/** What is typed: `from` where it begins in the line, `query` what to look for. */
type Completing = { from: number; query: string };

/** Candidates in the order of their rank, the one used last first. */
export type Candidates = Completing & { candidates: readonly MenuCandidate[] };

export type MenuRow = {
  name: string;
  says: string;
  number: number | undefined;
  isChosen: boolean;
  marked: readonly number[];
};

/** `taken`: the candidate replaces what was typed from `from` on; `isWhole`: by Enter, which sends a command. */
type MenuAnswer =
  | { type: "menu-moved" }
  | { type: "menu-closed" }
  | { type: "candidate-taken"; from: number; insert: string; by: "tab" | "enter" };

type MenuKey = "up" | "down" | "tab" | "enter" | "escape";

const menuKeys: ReadonlyMap<string, MenuKey> = new Map([
  ["up", "up"],
  ["ctrl+p", "up"],
  ["down", "down"],
  ["ctrl+n", "down"],
  ["tab", "tab"],
  ["enter", "enter"],
  ["escape", "escape"],
]);

/** Whether it means something else while a menu is open. */
export const isMenuKey = (key: PressedKey): boolean => menuKeys.has(keyWords(key));

const mostShown = 8;
/** More are not ranked at each key. */
const mostCandidates = 20_000;

export class Menu {
  readonly #found: ReturnType<typeof fuzzyRanked<MenuCandidate>>;
  readonly #from: number;
  #chosen = 0;
  #top = 0;

  constructor({ from, query, candidates }: Candidates) {
    this.#from = from;
    const named = fuzzyRanked(query, candidates.slice(0, mostCandidates), ({ name }) => name);
    const numbered = candidates.find(({ number }) => number !== undefined && String(number) === query);
    this.#found = numbered
      ? [
          { score: 0, at: [], candidate: numbered },
          ...named.filter(({ candidate }) => candidate !== numbered),
        ]
      : named;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** How many there are, also those that are not shown. */
  get count(): number {
    return this.#found.length;
  }

  /** The place of the first one that is shown. */
  get first(): number {
    return this.#top;
  }

  get chosen(): MenuCandidate | undefined {
    return this.#found[this.#chosen]?.candidate;
  }

  /** Chooses the one at this place, if there is one. */
  goTo(place: number): void {
    if (this.#found[place]) this.#chosen = place;
  }

  /** Stays at this one, if it is still there. */
  choose(candidate: MenuCandidate | undefined): void {
    this.goTo(this.#found.findIndex((each) => each.candidate.insert === candidate?.insert));
  }

  rows(most = mostShown): MenuRow[] {
    const shown = Math.min(mostShown, Math.max(1, most));
    this.#top = Math.min(Math.max(this.#top, this.#chosen - shown + 1), this.#chosen);
    return this.#found.slice(this.#top, this.#top + shown).map(({ candidate, at }, row) => ({
      name: candidate.name,
      says: candidate.says,
      number: candidate.number,
      isChosen: this.#top + row === this.#chosen,
      marked: at,
    }));
  }

  /** Undefined if the key is none of the menu's. */
  press(key: PressedKey): MenuAnswer | undefined {
    if (this.isEmpty) return undefined;
    const does = menuKeys.get(keyWords(key));
    switch (does) {
      case "up":
        return this.#move(-1);
      case "down":
        return this.#move(1);
      case "tab":
      case "enter":
        return this.#take(does);
      case "escape":
        return { type: "menu-closed" };
      case undefined:
        return undefined;
      default:
        return does satisfies never;
    }
  }

  #move(step: 1 | -1): MenuAnswer {
    const { length } = this.#found;
    this.#chosen = (this.#chosen + step + length) % length;
    return { type: "menu-moved" };
  }

  #take(by: "tab" | "enter"): MenuAnswer | undefined {
    const insert = this.chosen?.insert;
    return insert === undefined ? undefined : { type: "candidate-taken", from: this.#from, insert, by };
  }
}
