/** The logic of the command list: which commands match, in which order, and what each key does. */

import type { SlashCommandValue } from "../../remote/api-values.ts";

/** The command name typed so far; undefined if the text is more than a name. */
export const nameTyped = (text: string): string | undefined =>
  /^\/(?<name>\S*)$/u.exec(text)?.groups?.["name"];

/**
 * First names that start with the typed text, then names with a part that does, then names that contain it; each group
 * in its original order.
 */
export function matchingCommands(
  commands: readonly SlashCommandValue[],
  typed: string,
): readonly SlashCommandValue[] {
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

type SlashKeyPress = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing"
>;
/** `isWhole`: the name at `at` is typed in full, so Enter sends it. */
type CommandListState = { at: number; count: number; isWhole: boolean };

/** Undefined if the key is not meant for the list. */
export function listKey(
  { key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: SlashKeyPress,
  { at, count, isWhole }: CommandListState,
): ListKey | undefined {
  if (count === 0 || isComposing || shiftKey || ctrlKey || metaKey || altKey) return undefined;
  if (key === "ArrowDown") return { type: "move", at: (at + 1) % count };
  if (key === "ArrowUp") return { type: "move", at: (at - 1 + count) % count };
  if (key === "Tab" || (key === "Enter" && !isWhole)) return { type: "take" };
  return key === "Escape" ? { type: "close" } : undefined;
}

/** The announcement for screen readers. */
export const countWords = (count: number): string =>
  count === 1 ? "1 command: Tab takes it." : `${count} commands: arrows choose, Tab takes one.`;

/** Describes the command's kind and where it comes from. */
export const sourceWords = ({ kind, from }: SlashCommandValue): string =>
  `${from === "user" ? "yours" : "workspace"}${kind === "skill" ? " · skill" : ""}`;
