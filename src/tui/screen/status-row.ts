/** The lowest row: what this session is set to and has used, and what the keys do now. */

import type { Style } from "../../view/style.ts";
import { clippedRow, styledWidth } from "../styled-rows.ts";

/** What a person sees of a session at any time. */
export type SessionFigures = {
  mode: string;
  model: string;
  /** How much of the model's window the conversation fills, from 0 to 1; undefined until that is known. */
  context: number | undefined;
  /** In words; undefined before the first answer. */
  cost: string | undefined;
  branch: string | undefined;
  /** Commands run without a sandbox. */
  isUncontained: boolean;
  /** What the person has put in place of all this; may have colours. */
  own?: string | undefined;
};

/** From here on the conversation will soon be shortened. */
const nearlyFull = 0.8;

/** `passed`: how long the request has been worked on, in words. */
export function statusRow(
  figures: SessionFigures,
  {
    style,
    columns,
    passed,
    hints,
  }: { style: Style; columns: number; passed?: string; hints: readonly string[] },
): string {
  const { mode, model, context, cost, branch, isUncontained, own } = figures;
  const share = context === undefined ? [] : [contextWords(context, style)];
  const parts = [
    modeWords(mode, style),
    style.dim(model),
    ...(passed === undefined ? [] : [passed]),
    ...share,
    ...(cost === undefined ? [] : [style.dim(cost)]),
    ...(branch === undefined ? [] : [style.dim(`⎇ ${branch}`)]),
    ...(isUncontained ? [style.yellow("no sandbox")] : []),
  ];
  const row = ` ${own ?? parts.join(style.dim(" · "))}`;
  const space = columns - 1 - styledWidth(row) - 2;
  const shown = fittingHints(hints, space);
  if (shown === "") return clippedRow(row, columns);
  return row + " ".repeat(space + 2 - styledWidth(shown)) + style.dim(shown);
}

const contextWords = (share: number, style: Style): string => {
  const words = `context ${Math.round(share * 100)} %`;
  return share >= nearlyFull ? style.yellow(words) : style.dim(words);
};

const modeWords = (mode: string, style: Style): string =>
  mode === "trusted" || mode === "auto" ? style.yellow(mode) : style.bold(mode);

/** The first ones are the most important. */
function fittingHints(hints: readonly string[], space: number): string {
  for (let count = hints.length; count > 0; count -= 1) {
    const words = hints.slice(0, count).join(" · ");
    if (styledWidth(words) <= space) return words;
  }
  return "";
}
