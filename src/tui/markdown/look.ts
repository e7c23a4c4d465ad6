/** Pieces of text with their look, and how a row of them is written. */

import { fitting } from "../../base/terminal/row.ts";
import type { Style, StyleName } from "../../view/style.ts";

/** Plain data, so that an unfinished row can be copied. `link`: the address that it leads to, or nothing. */
export type PieceLook = { styles: readonly StyleName[]; link: string };
export type Piece = { text: string; look: PieceLook };

export const plainLook: PieceLook = { styles: [], link: "" };

export const withStyle = (look: PieceLook, ...styles: readonly StyleName[]): PieceLook => ({
  ...look,
  styles: [...look.styles, ...styles.filter((style) => !look.styles.includes(style))],
});

export const widthOf = (text: string): number => fitting(text, Infinity).width;

/** The row begins and ends in the terminal's default style. */
export function rowText(pieces: readonly Piece[], style: Style): string {
  const joined: Piece[] = [];
  for (const { text, look } of pieces) {
    const last = joined.at(-1);
    if (last && isSameLook(last.look, look)) last.text += text;
    else joined.push({ text, look });
  }
  return joined.map((piece) => paintedPiece(piece, style)).join("");
}

const isSameLook = (one: PieceLook, other: PieceLook): boolean =>
  one === other || (one.link === other.link && one.styles.join() === other.styles.join());

function paintedPiece({ text, look }: Piece, style: Style): string {
  const coloured = look.styles.reduce((inner, name) => style[name](inner), text);
  return look.link === "" ? coloured : `\u001B]8;;${look.link}\u001B\\${coloured}\u001B]8;;\u001B\\`;
}
