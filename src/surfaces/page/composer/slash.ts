/** What is offered while the name of a command is typed: which, in which order, and what a key does to the list. */

import type { SlashCommandValue } from "../../remote/api-values.ts";

/** The name as far as it is typed; undefined where the text is more than that. */
export const nameTyped = (text: string): string | undefined =>
  /^\/(?<name>\S*)$/u.exec(text)?.groups?.["name"];

/**
 * Names that begin like it first, then those with a part that does, then those that have it somewhere; each in its
 * order.
 */
export function offered(commands: readonly SlashCommandValue[], typed: string): readonly SlashCommandValue[] {
  const wanted = typed.toLowerCase();
  const rankOf = ({ name }: SlashCommandValue): number => {
    const at = name.toLowerCase().indexOf(wanted);
    const isPart = name
      .toLowerCase()
      .split(/[:_-]/u)
      .some((part) => part.startsWith(wanted));
    return at === 0 ? 0 : isPart ? 1 : at > 0 ? 2 : 3;
  };
  const ranked = commands.map((command) => ({ command, rank: rankOf(command) }));
  return ranked
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}

type ListKey = { type: "move"; at: number } | { type: "take" } | { type: "close" };

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;
/** `isWhole`: the name at `at` is typed already, so that Enter sends it. */
type Standing = { at: number; count: number; isWhole: boolean };

/** Undefined: the key is not for the list. */
export function listKey(
  { key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: Pressed,
  { at, count, isWhole }: Standing,
): ListKey | undefined {
  if (count === 0 || isComposing || shiftKey || ctrlKey || metaKey || altKey) return undefined;
  if (key === "ArrowDown") return { type: "move", at: (at + 1) % count };
  if (key === "ArrowUp") return { type: "move", at: (at - 1 + count) % count };
  if (key === "Tab" || (key === "Enter" && !isWhole)) return { type: "take" };
  return key === "Escape" ? { type: "close" } : undefined;
}

/** For whoever cannot see the list. */
export const countWords = (count: number): string =>
  count === 1 ? "1 command: Tab takes it." : `${count} commands: arrows choose, Tab takes one.`;

/** Whose it is, and what. */
export const sourceWords = ({ kind, from }: SlashCommandValue): string =>
  `${from === "user" ? "yours" : "workspace"}${kind === "skill" ? " · skill" : ""}`;
