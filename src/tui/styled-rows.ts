/** Lays out styled lines as rows of a screen: each fits, and each begins and ends in the default style. */

import { fitting, isPlain } from "../base/terminal/row.ts";

/** Indentation of the first row, and of those that follow. */
type RowIndent = { first: string; rest: string };

const noIndent: RowIndent = { first: "", rest: "" };
/* eslint-disable no-control-regex -- control characters are what this is about */

/** A colour or another property of text (SGR), or a link (OSC 8). */
const styling = /\u001B(?:\[[\d;]*m|\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\))/gu;

/** `needs`: the columns of the word that begins with it; none within a word, however its styles change. */
type StyledPiece = { text: string; width: number; needs: number; isStyle: boolean };

/** Wraps between words; a word that is too long is cut. One column stays free. */
export function styledRows(line: string, columns: number, { first, rest } = noIndent): string[] {
  const most = Math.max(2, columns - 1);
  if (line === "") return [first.trimEnd()];
  const rows: string[] = [];
  const styles = new OpenStyles();
  let [row, width, isBlank] = [first, styledWidth(first), true];
  const end = (): void => {
    rows.push(row.trimEnd() + styles.closing);
    [row, width, isBlank] = [rest + styles.opening, styledWidth(rest), true];
  };
  for (const piece of pieces(line)) {
    if (piece.isStyle) {
      styles.take(piece.text);
      row += piece.text;
      continue;
    }
    const isSpace = piece.text.startsWith(" ");
    if (width + piece.needs > most && !isBlank) {
      end();
      if (isSpace) continue;
    }
    let left = piece;
    while (width + left.width > most) {
      const { piece: part, width: taken } = fitting(left.text, most - width);
      if (part === "") {
        if (isBlank) break; // not even one character fits
        end();
        continue;
      }
      [row, isBlank] = [row + part, false];
      left = { ...left, text: left.text.slice(part.length), width: left.width - taken };
      end();
    }
    row += left.text;
    width += left.width;
    isBlank &&= isSpace && rows.length > 0;
  }
  rows.push(row.trimEnd() + styles.closing);
  return rows;
}

/** As much of a styled line as fits one row; a mark stands for the rest. */
export function clippedRow(line: string, columns: number): string {
  const most = Math.max(2, columns - 1);
  if (styledWidth(line) <= most) return line;
  const styles = new OpenStyles();
  let [row, left] = ["", most - 1];
  for (const piece of pieces(line)) {
    if (piece.isStyle) {
      styles.take(piece.text);
      row += piece.text;
      continue;
    }
    const { piece: part, width } = fitting(piece.text, left);
    row += part;
    left -= width;
    if (part !== piece.text) break;
  }
  return `${row}…${styles.closing}`;
}

/** The columns of a styled line. */
export const styledWidth = (line: string): number =>
  pieces(line).reduce((sum, { width, isStyle }) => (isStyle ? sum : sum + width), 0);

/** Words, runs of spaces and styles, in order. */
function pieces(line: string): StyledPiece[] {
  const all: StyledPiece[] = [];
  const addText = (text: string): void => {
    for (const [word] of text.matchAll(/ +|[^ ]+/gu))
      all.push({ text: word, width: widthOf(word), needs: 0, isStyle: false });
  };
  let at = 0;
  for (const match of line.matchAll(styling)) {
    addText(line.slice(at, match.index));
    all.push({ text: match[0], width: 0, needs: 0, isStyle: true });
    at = match.index + match[0].length;
  }
  addText(line.slice(at));
  return withNeeds(all);
}

function withNeeds(all: StyledPiece[]): StyledPiece[] {
  let first: StyledPiece | undefined;
  for (const piece of all) {
    if (piece.isStyle) continue;
    const isSpace = piece.text.startsWith(" ");
    first = isSpace || !first ? piece : first;
    first.needs += piece.width;
    if (isSpace) first = undefined;
  }
  return all;
}

const widthOf = (text: string): number => (isPlain(text) ? text.length : fitting(text, Infinity).width);

const linkEnd = "\u001B]8;;\u001B\\";

/** The styles that are on at a place. */
class OpenStyles {
  #codes: string[] = [];
  #link = "";

  take(style: string): void {
    if (style.startsWith("\u001B]8;"))
      this.#link = /^\u001B\]8;[^;]*;(?:\u0007|\u001B\\)$/u.test(style) ? "" : style;
    else {
      const code = style.slice(2, -1);
      const ended = closes[code];
      if (code === "" || code === "0") this.#codes = [];
      else if (ended === undefined) this.#codes.push(style);
      else this.#codes = this.#codes.filter((open) => !ended.test(open.slice(2, -1)));
    }
  }

  get opening(): string {
    return this.#link + this.#codes.join("");
  }

  get closing(): string {
    return (this.#codes.length > 0 ? "\u001B[0m" : "") + (this.#link === "" ? "" : linkEnd);
  }
}

/** What a code that ends a property ends. */
const closes: Readonly<Record<string, RegExp>> = {
  "22": /^[12]$/u,
  "23": /^3$/u,
  "24": /^4$/u,
  "27": /^7$/u,
  "29": /^9$/u,
  "39": /^(?:3[0-7]|38;.*|9[0-7])$/u,
  "49": /^(?:4[0-7]|48;.*|10[0-7])$/u,
};
