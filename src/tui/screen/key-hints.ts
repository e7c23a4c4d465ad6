/** Keys as the screen names them: those that an action has now, as short as they are read. */

import { type KeyBindings, fieldActions, screenActions } from "../input/key-bindings.ts";

type HintedAction = Parameters<KeyBindings["keyOf"]>[0];
/** Without them: the usual keys. */
type HintedKeys = { bindings?: KeyBindings | undefined };

const shortNames: readonly (readonly [string, string])[] = [
  ["escape", "esc"],
  ["enter", "⏎"],
  ["up", "↑"],
  ["down", "↓"],
];

/** Empty if no key does it. */
export function keyHint({ bindings }: HintedKeys, action: HintedAction): string {
  const modifiers = (bindings?.keyOf(action) ?? usualKey(action)).split("+");
  const name = modifiers.pop() ?? "";
  const short = shortNames.find(([long]) => long === name)?.[1] ?? name;
  return [...modifiers, short].join("+");
}

const usualKey = (action: HintedAction): string =>
  [...screenActions, ...fieldActions].find((row) => row.action === action)?.keys[0] ?? "";

/** The keys that move up and down a list: "↑↓", or "ctrl+p ctrl+n". */
export function moveHint(keys: HintedKeys): string {
  const both = [keyHint(keys, "up"), keyHint(keys, "down")].filter((key) => key !== "");
  return both.join(both.every((key) => key.length === 1) ? "" : " ");
}

/** "ctrl+o all", for a list of hints: none if no key does it. */
export function hintsOf(keys: HintedKeys, action: HintedAction, words: string): string[] {
  const key = keyHint(keys, action);
  return key === "" ? [] : [`${key} ${words}`];
}
