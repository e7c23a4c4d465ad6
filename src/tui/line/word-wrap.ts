/** Wraps text between words for a terminal, which would break inside them: whole lines, and streaming text. */

import { stripVTControlCharacters } from "node:util";
import { fitting, isPlain } from "../../base/terminal/row.ts";

/** The last column stays free: terminals disagree about what a full row does to the cursor. */
const mostIn = (columns: number): number => columns - 1;
/** A narrower terminal breaks lines itself. */
const fewestColumns = 20;

export const widthOf = (text: string): number => fitting(stripVTControlCharacters(text), Infinity).width;

/**
 * Wraps one line, which may have colours. Further rows align with a table's last column, else are indented by two more
 * spaces. A word that is too long stays whole.
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
 * Wraps streaming text without buffering it: a word that outgrows its row is wiped there and printed in the next one.
 * Code and tables keep their lines.
 */
export class WordWrap {
  /** Columns used in the current row. */
  #column = 0;
  /** The start of the current line, as far as needed to classify it. */
  #start = "";
  /** The unfinished word at its end. */
  #word = "";
  /** The word has more characters than a row, so it is printed as it comes and no longer measured. */
  #isLong = false;
  #isFenced = false;
  /** A space did not fit any more, so the next word starts a new row. */
  #isFull = false;

  /** Returns the piece with wrapping applied, to print after the previous ones; it must be sanitized already. */
  next(piece: string, columns: number): string {
    const most = mostIn(columns);
    let out = "";
    let printed = this.#word.length; // the part of the word already on the screen
    for (const character of piece) {
      if (character !== " " && character !== "\n") {
        if (this.#isFull) out += this.#newRow();
        this.#column += widthOf(character);
        this.#started(character);
        if (this.#isLong) {
          out += character;
          continue;
        }
        this.#word += character;
        if (this.#word.length > most) {
          out += this.#word.slice(printed);
          printed = 0;
          this.#word = "";
          this.#isLong = true;
          continue;
        }
        if (this.#column <= most || !this.#canMove(printed, columns)) continue;
        out += wipeSequence(printed) + this.#newRow();
        this.#column += widthOf(this.#word);
        printed = 0;
        continue;
      }
      out += this.#word.slice(printed);
      printed = 0;
      this.#word = "";
      this.#isLong = false;
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

  /** Call when other output has ended the line. */
  endLine(): void {
    this.#lineEnds();
  }

  /** Call at the end of the text. */
  end(): void {
    this.#lineEnds();
    this.#isFenced = false;
  }

  #lineEnds(): void {
    if (/^ {0,3}(?:```|~~~)/u.test(this.#start)) this.#isFenced = !this.#isFenced;
    this.#column = 0;
    this.#start = "";
    this.#word = "";
    this.#isLong = false;
    this.#isFull = false;
  }

  #started(character: string): void {
    if (this.#start.length < longestStart) this.#start += character;
  }

  /** False if the word does not fit a row of its own, gains nothing by moving, or has characters of unknown width. */
  #canMove(printed: number, columns: number): boolean {
    const width = widthOf(this.#word);
    const isSure = printed === 0 || isPlain(this.#word);
    const fits = width < mostIn(columns) / 2 && width < this.#column - this.#margin();
    return columns >= fewestColumns && fits && isSure && this.#isProse();
  }

  #isProse(): boolean {
    return !this.#isFenced && !/^(?: {4}(?! *(?:[-*+]|\d+[.)]) )|\t| {0,3}(?:\||```|~~~))/u.test(this.#start);
  }

  /** Aligns with the text of a list item. */
  #margin(): number {
    return /^ *(?:[-*+]|\d+[.)]) +(?=\S)/u.exec(this.#start)?.[0].length ?? 0;
  }

  #newRow(): string {
    this.#isFull = false;
    this.#column = this.#margin();
    return `\n${" ".repeat(this.#column)}`;
  }
}

/** Enough of a line's start to tell whether it is prose. */
const longestStart = 24;

const wipeSequence = (columns: number): string => (columns === 0 ? "" : `\u001B[${columns}D\u001B[K`);
