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
  { passed, hints, ...layout }: StatusLayout & { passed?: string; hints: readonly string[] },
): string {
  const { mode, model, context, cost, branch, isUncontained, own } = figures;
  const { style } = layout;
  if (own !== undefined) return hintedRow([{ words: own, rank: 0 }], hints, layout);
  const parts: RowPart[] = [{ words: modeWords(mode, style), rank: 0 }];
  parts.push({ words: style.dim(model), rank: 4 });
  if (passed !== undefined) parts.push({ words: passed, rank: 2 });
  if (context !== undefined) parts.push({ words: contextWords(context, style), rank: 3 });
  if (cost !== undefined) parts.push({ words: style.dim(cost), rank: 5 });
  if (branch !== undefined) parts.push({ words: style.dim(`⎇ ${branch}`), rank: 6 });
  if (isUncontained) parts.push({ words: style.yellow("no sandbox"), rank: 1 });
  return hintedRow(parts, hints, layout);
}

type StatusLayout = { style: Style; columns: number };

/** `rank`: where there is not enough space, the highest goes first. */
type RowPart = { words: string; rank: number };

/**
 * A row with hints at its right end, the most necessary first. Where there is not enough space the other hints go, then
 * the parts: nobody must search for the one key that leads on.
 */
export function hintedRow(
  parts: readonly RowPart[],
  hints: readonly string[],
  { style, columns }: StatusLayout,
): string {
  const [first = ""] = hints;
  const most = columns - 1 - (first === "" ? 0 : styledWidth(first) + 2);
  const rowOf = (kept: readonly RowPart[]): string =>
    ` ${kept.map(({ words }) => words).join(style.dim(" · "))}`;
  let kept = parts;
  while (kept.length > 1 && styledWidth(rowOf(kept)) > most) {
    const rank = Math.max(...kept.map((part) => part.rank));
    kept = kept.filter((part) => part.rank !== rank);
  }
  const row = clippedRow(rowOf(kept), Math.max(1, most + 1));
  const space = columns - 1 - styledWidth(row) - 2;
  const shown = fittingHints(hints, space);
  if (shown === "") return clippedRow(rowOf(kept), columns);
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
