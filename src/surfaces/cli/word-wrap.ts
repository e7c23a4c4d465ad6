/** Breaks lines between words for a terminal, which would break them inside: whole lines, and text as it streams. */

import { stripVTControlCharacters } from "node:util";
import { fitting, isPlain } from "../../base/terminal/row.ts";

/** The last column stays free: terminals disagree about what a full row does to the cursor. */
const mostIn = (columns: number): number => columns - 1;
/** A narrower terminal than this is left to break lines itself. */
const fewestColumns = 20;

const widthOf = (text: string): number => fitting(stripVTControlCharacters(text), Infinity).width;

/**
 * One line, which may have colours, as rows. Further rows stand below the last column of a table, else two blanks
 * further in than the first one. A word that is too long stays whole.
 */
export function wrapLine(line: string, columns: number): string[] {
  const most = mostIn(columns);
  if (columns < fewestColumns || widthOf(line) <= most) return [line];
  const margin = " ".repeat(marginOf(stripVTControlCharacters(line), most));
  const rows: string[] = [];
  let row = "";
  for (const word of line.split(/(?<=\S)(?= \S)/u)) {
    if (row === "" || widthOf(row) + widthOf(word) <= most) row += word;
    else {
      rows.push(row);
      row = margin + word.trimStart();
    }
  }
  return [...rows, row];
}

function marginOf(line: string, most: number): number {
  const [before = ""] = /^ *(?:\S+(?: \S+)* {2,})+/u.exec(line) ?? [];
  if (before !== "" && before.length <= most / 2) return before.length;
  return line.length - line.trimStart().length + 2;
}

/**
 * Text that is printed piece by piece. Nothing is held back: a word that turns out too long for its row is wiped there
 * and stands in the next one. Code and tables keep their lines.
 */
export class WordWrap {
  /** Columns taken in this row, */
  #column = 0;
  /** what stands in this line so far, up to where it tells what it is, */
  #start = "";
  /** and the word at its end. */
  #word = "";
  #isFenced = false;
  /** A blank that found no room: the next word begins a row. */
  #isFull = false;

  /** The piece as it is to be printed behind those before; it must be harmless already. */
  next(piece: string, columns: number): string {
    const most = mostIn(columns);
    let out = "";
    let printed = this.#word.length; // of the word: the rest of it is not on the screen yet
    for (const character of piece) {
      if (character !== " " && character !== "\n") {
        if (this.#isFull) out += this.#newRow();
        this.#word += character;
        this.#column += widthOf(character);
        this.#started(character);
        if (this.#column <= most || !this.#canMove(printed, columns)) continue;
        out += wiped(printed) + this.#newRow();
        this.#column += widthOf(this.#word);
        printed = 0;
        continue;
      }
      out += this.#word.slice(printed);
      printed = 0;
      this.#word = "";
      if (character === "\n") this.#lineEnds();
      else if (this.#column >= most && this.#isProse()) {
        this.#isFull = true;
        continue;
      } else {
        this.#column += 1;
        this.#started(character);
      }
      out += character;
    }
    return out + this.#word.slice(printed);
  }

  /** The line was ended by something else. */
  endLine(): void {
    this.#lineEnds();
  }

  /** The text is over. */
  end(): void {
    this.#lineEnds();
    this.#isFenced = false;
  }

  #lineEnds(): void {
    if (/^ {0,3}(?:```|~~~)/u.test(this.#start)) this.#isFenced = !this.#isFenced;
    this.#column = 0;
    this.#start = "";
    this.#word = "";
    this.#isFull = false;
  }

  #started(character: string): void {
    if (this.#start.length < longestStart) this.#start += character;
  }

  /** A row of its own cannot hold it, or would begin where this one does; nobody knows how wide odd letters are. */
  #canMove(printed: number, columns: number): boolean {
    const width = widthOf(this.#word);
    const isSure = printed === 0 || isPlain(this.#word);
    const fits = width < mostIn(columns) / 2 && width < this.#column - this.#margin();
    return columns >= fewestColumns && fits && isSure && this.#isProse();
  }

  #isProse(): boolean {
    return !this.#isFenced && !/^(?: {4}(?! *(?:[-*+]|\d+[.)]) )|\t| {0,3}(?:\||```|~~~))/u.test(this.#start);
  }

  /** Under the words of a list's entry. */
  #margin(): number {
    return /^ *(?:[-*+]|\d+[.)]) +(?=\S)/u.exec(this.#start)?.[0].length ?? 0;
  }

  #newRow(): string {
    this.#isFull = false;
    this.#column = this.#margin();
    return `\n${" ".repeat(this.#column)}`;
  }
}

/** As much of a line as tells whether it is prose. */
const longestStart = 24;

const wiped = (columns: number): string => (columns === 0 ? "" : `\u001B[${columns}D\u001B[K`);
