/** vi's keys on the input (`/vim`): its normal and insert mode, with counts, operators and motions. */

import type { PressedKey } from "./key.ts";
import type { TextField } from "./text-field.ts";
import * as moves from "./text-moves.ts";
import {
  type CharacterSearch,
  isMotion,
  type Motion,
  motionOf,
  otherWay,
  searchMotion,
  viName,
} from "./vi-motions.ts";
import { isBefore, type Position } from "./written-text.ts";

type Operator = "d" | "c" | "y";

/** `isLines`: whole lines, which are inserted as such. */
type Register = { text: string; isLines: boolean };

/** Nobody means more, and a hostile count must not keep us busy. */
const mostTimes = 9_999;

export class ViKeys {
  readonly #field: TextField;
  mode: "insert" | "normal" = "insert";
  #register: Register = { text: "", isLines: false };
  #operator: { name: Operator; count: number } | undefined;
  #count = "";
  #searching: CharacterSearch["command"] | undefined;
  #searched: CharacterSearch | undefined;

  constructor(field: TextField) {
    this.#field = field;
  }

  /** What has been typed of a command, for the person to see. */
  get pending(): string {
    const { name = "", count = 1 } = this.#operator ?? {};
    return `${count > 1 ? count : ""}${name}${this.#count}${this.#searching ?? ""}`;
  }

  /** After a message was sent. */
  reset(): void {
    this.#forget();
    this.mode = "insert";
  }

  /** Returns whether the key was vi's; every other one does what it usually does. */
  press(key: PressedKey): boolean {
    if (this.mode === "insert") return this.#leaveInsert(key);
    const isPending = this.pending !== "";
    if (key.name === "escape") {
      this.#forget();
      return isPending;
    }
    const name = viName(key);
    // Keys without a character, and those with Ctrl or Alt, are not vi's.
    if (key.text === "") {
      this.#forget();
      return false;
    }
    if (this.#searching) this.#find({ command: this.#searching, character: name });
    else if (/^[1-9]$/u.test(name) || (name === "0" && this.#count !== ""))
      this.#count = String(Math.min(mostTimes, Number(this.#count + name)));
    else return this.#command(name);
    return true;
  }

  #leaveInsert({ name, ctrl, alt, shift }: PressedKey): boolean {
    if (name !== "escape" || ctrl || alt || shift) return false;
    this.mode = "normal";
    const { cursor } = this.#field;
    if (cursor.at > 0) this.#field.moveTo(moves.before(this.#field, cursor));
    return true;
  }

  #command(name: string): boolean {
    const count = this.#times;
    const operator = this.#operator?.name;
    if (name === "j" || name === "k") return this.#moveLines(name, count);
    if (name === "f" || name === "F" || name === "t" || name === "T") {
      this.#searching = name;
      return true;
    }
    if (name === ";" || name === ",") {
      const search = this.#searched && (name === ";" ? this.#searched : otherWay(this.#searched));
      this.#go(search && searchMotion(this.#field, search, { count, isRepeated: true }));
    } else if (isMotion(name)) this.#go(this.#motion(name, count), name === "w" || name === "W");
    else if (name === "d" || name === "c" || name === "y") {
      if (operator === undefined) {
        this.#operator = { name, count };
        this.#count = "";
        return true;
      }
      if (operator === name) this.#takeLines(count - 1);
    } else if (operator === undefined) this.#act(name, count);
    this.#forget();
    this.#stayOnCharacter();
    return true;
  }

  /** `cw` changes to the end of the word, as vi does. */
  #motion(name: string, count: number): Motion | undefined {
    const { cursor, lines } = this.#field;
    const isOnWord = /\S/u.test(lines[cursor.line]?.[cursor.at] ?? " ");
    const isChange = this.#operator?.name === "c" && isOnWord;
    const meant = isChange && (name === "w" || name === "W") ? { w: "e", W: "E" }[name] : name;
    return motionOf(this.#field, meant, count);
  }

  #find(search: CharacterSearch): void {
    this.#searched = search;
    this.#go(searchMotion(this.#field, search, { count: this.#times, isRepeated: false }));
    this.#forget();
    this.#stayOnCharacter();
  }

  /** `staysInLine`: an operator with `w` takes nothing of the next line. */
  #go(motion: Motion | undefined, staysInLine = false): void {
    if (!motion) return;
    const field = this.#field;
    if (!this.#operator) return field.moveTo(motion.to);
    const { cursor } = field;
    const isBack = isBefore(motion.to, cursor);
    const far = motion.isInclusive && !isBack ? moves.after(field, motion.to) : motion.to;
    if (isBack) return this.#take(far, cursor);
    this.#take(cursor, staysInLine && far.line > cursor.line ? moves.lineEnd(field, cursor) : far);
  }

  #take(from: Position, to: Position): void {
    const field = this.#field;
    const text = field.between(from, to);
    this.#keep({ text, isLines: false });
    if (this.#operator?.name === "y") return field.moveTo(from);
    field.delete(from, to);
    if (this.#operator?.name === "c") this.mode = "insert";
  }

  /** The cursor's line and some after it, or before it with a negative number. */
  #takeLines(more: number): void {
    const field = this.#field;
    const { line } = field.cursor;
    const first = Math.max(0, Math.min(line, line + more));
    const last = Math.min(field.lines.length - 1, Math.max(line, line + more));
    const from = { line: first, at: 0 };
    const to = moves.lineEnd(field, { line: last, at: 0 });
    this.#keep({ text: field.between(from, to), isLines: true });
    switch (this.#operator?.name) {
      case "c":
        field.delete(from, to);
        this.mode = "insert";
        break;
      case "d":
        // With the line end behind it, or before it at the end of the text.
        if (last < field.lines.length - 1) field.delete(from, { line: last + 1, at: 0 });
        else field.delete(moves.before(field, from), to);
        field.moveTo(moves.lineStart(field.cursor));
        break;
      default:
        if (more < 0) field.moveTo(from);
    }
  }

  #moveLines(name: "j" | "k", count: number): boolean {
    const isDown = name === "j";
    if (this.#operator) {
      this.#takeLines(isDown ? count : -count);
      this.#forget();
      this.#stayOnCharacter();
      return true;
    }
    this.#forget();
    let moved = 0;
    while (moved < count && this.#field.do(isDown ? "down" : "up")) moved += 1;
    this.#stayOnCharacter();
    return moved > 0;
  }

  #act(name: string, count: number): void {
    const field = this.#field;
    const { cursor } = field;
    switch (name) {
      case "i":
        return this.#insertAt(cursor);
      case "a":
        return this.#insertAt(this.#isAtLineEnd ? cursor : moves.after(field, cursor));
      case "I":
        return this.#insertAt(motionOf(field, "^", 1)?.to ?? cursor);
      case "A":
        return this.#insertAt(moves.lineEnd(field, cursor));
      case "o":
        return this.#openLine(moves.lineEnd(field, cursor), 1);
      case "O":
        return this.#openLine(moves.lineStart(cursor), 0);
      case "x":
        return this.#with("d", motionOf(field, "l", count));
      case "X":
        return this.#with("d", motionOf(field, "h", count));
      case "D":
        return this.#with("d", motionOf(field, "$", 1));
      case "C":
        return this.#with("c", motionOf(field, "$", 1));
      case "p":
      case "P":
        return this.#put(name === "p", count);
      case "u":
        for (let done = 0; done < count && field.undo(); done++);
        return undefined;
      default:
        return undefined;
    }
  }

  #with(name: Operator, motion: Motion | undefined): void {
    this.#operator = { name, count: 1 };
    this.#go(motion);
  }

  #insertAt(position: Position): void {
    this.#field.moveTo(position);
    this.mode = "insert";
  }

  #openLine(at: Position, below: 0 | 1): void {
    this.#field.replace(at, at, "\n");
    this.#insertAt({ line: at.line + below, at: 0 });
  }

  #put(isAfter: boolean, count: number): void {
    const field = this.#field;
    const { text, isLines } = this.#register;
    const times = Math.min(count, Math.floor(mostPut / Math.max(1, text.length)));
    if (text === "" && !isLines) return;
    const { cursor } = field;
    if (isLines) {
      const lines = Array.from({ length: Math.max(1, times) }, () => text).join("\n");
      const at = isAfter ? moves.lineEnd(field, cursor) : moves.lineStart(cursor);
      field.replace(at, at, isAfter ? `\n${lines}` : `${lines}\n`);
      return field.moveTo({ line: cursor.line + (isAfter ? 1 : 0), at: 0 });
    }
    const at = isAfter && !this.#isAtLineEnd ? moves.after(field, cursor) : cursor;
    field.replace(at, at, text.repeat(Math.max(1, times)));
    field.moveTo(moves.before(field, field.cursor));
  }

  #keep(register: Register): void {
    this.#register = register;
    if (register.text !== "") this.#field.keep(register.text);
  }

  /** In normal mode the cursor stands on a character, not behind the last one. */
  #stayOnCharacter(): void {
    const { cursor } = this.#field;
    if (this.mode === "normal" && this.#isAtLineEnd && cursor.at > 0)
      this.#field.moveTo(moves.before(this.#field, cursor));
  }

  get #isAtLineEnd(): boolean {
    const { cursor } = this.#field;
    return cursor.at >= moves.lineEnd(this.#field, cursor).at;
  }

  get #times(): number {
    return Math.min(mostTimes, (this.#operator?.count ?? 1) * Number(this.#count || 1));
  }

  #forget(): void {
    this.#operator = undefined;
    this.#searching = undefined;
    this.#count = "";
  }
}

/** Characters that one command inserts. */
const mostPut = 1_000_000;
