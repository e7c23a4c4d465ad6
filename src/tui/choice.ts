/** One of several things that a person chooses: from a menu, or by its number where lines are printed. */

import type { CardOffer } from "./card.ts";

/** A name, and what it means. */
export type Choice = { name: string; says: string };

export type ChoiceMenu = {
  title: string;
  choices: readonly Choice[];
  /** The number of the first one, 1 by default. */
  first?: number;
  /** Where the person begins, by its place. */
  at?: number;
  /** What can be done with a choice by one key; without them, typing looks for a choice. */
  keys?: readonly CardOffer[];
  /** How lines list them, and what they ask below that. */
  lines: readonly string[];
  prompt: string;
};

/** `key`: which of the menu's; Enter is none. `words`: what was typed, and is none of the choices. */
export type ChoiceAnswer = { type: "choice"; at: number; key?: string } | { type: "words"; words: string };

/** What a line means that answers a list. */
export function choiceInLine(line: string, { choices, first = 1 }: ChoiceMenu): ChoiceAnswer | undefined {
  const words = line.trim();
  if (words === "") return undefined;
  const [, number] = /^#?(\d{1,9})$/u.exec(words) ?? [];
  const at = number === undefined ? -1 : Number(number) - first;
  return choices[at] ? { type: "choice", at } : { type: "words", words };
}
