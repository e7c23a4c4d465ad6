/** Splits terminal output into text, control characters and escape sequences (ECMA-48). */

import { kib } from "../bound.ts";

/** A control sequence: `ESC [ ? 2 5 l` has the prefix "?", the numbers [25] and the final "l". */
export type ControlSequence = { prefix: string; numbers: readonly number[]; between: string; final: string };

export interface ControlHandler {
  text(run: string): void;
  /** A character below U+0020, except ESC. */
  control(character: string): void;
  sequence(sequence: ControlSequence): void;
  /** `ESC 7`, `ESC ( 0`: the characters between ESC and the final one, and the final one. */
  escape(between: string, final: string): void;
}

/* eslint-disable no-control-regex -- control characters are what this is about */
const printable = /[^\x00-\x1f\x7f-\x9f]+/y;
const sequence = /\x1b\[([<-?]?)([0-9:;]*)([ -/]*)([@-~])/y;
const openSequence = /\x1b(?:\[[0-?]*[ -/]*)?$/y;
const escape = /\x1b([ -/]*)([0-~])/y;
const openEscape = /\x1b[ -/]*$/y;
const opensString = /\x1b[\]PX^_]/y;
const endsString = /[\x07\x18\x1a\x1b]/g;
const endsTitle = /[\x07\x18\x1a\x1b\n]/g;
/** A marker of VS Code's shell integration whose ESC was lost on the way. */
const bareMarker = /(?<!\x1b)\]633;[A-Z](?:;[^\x07\n]*)?\x07/g;
/* eslint-enable no-control-regex */

/** Longer sequences are garbage, and waiting for their end would hold back output. */
const longestSequence = 256;
/** A terminal control sequence without an end, in characters. */
const longestString = 64 * kib;

export class ControlReader {
  /** The beginning of a sequence that is still incomplete. */
  #held = "";
  /** Characters of the current string (a title, a picture), which is skipped. */
  #skipped: number | undefined;
  #endsString = endsString;

  /** The handler's calls do not depend on how the input is chunked, except that runs of text may be split. */
  read(piece: string, handler: ControlHandler): void {
    const whole = this.#held + piece;
    const text = whole.includes("]633;") ? whole.replace(bareMarker, "") : whole;
    this.#held = "";
    let at = 0;
    while (at < text.length)
      at = this.#skipped === undefined ? this.#step(text, at, handler) : this.#skip(text, at);
  }

  #step(text: string, at: number, handler: ControlHandler): number {
    const run = matchAt(printable, text, at);
    if (run) {
      handler.text(run[0]);
      return at + run[0].length;
    }
    const character = text.charAt(at);
    if (character === "\x1b") return this.#escape(text, at, handler);
    if (character < " ") handler.control(character);
    return at + 1;
  }

  #escape(text: string, at: number, handler: ControlHandler): number {
    const found = matchAt(sequence, text, at);
    if (found) {
      const [all, prefix = "", numbers = "", between = "", final = ""] = found;
      handler.sequence({ prefix, numbers: numbersIn(numbers), between, final });
      return at + all.length;
    }
    const left = text.length - at;
    if (left < longestSequence && (matchAt(openSequence, text, at) ?? matchAt(openEscape, text, at))) {
      this.#held = text.slice(at);
      return text.length;
    }
    if (matchAt(opensString, text, at)) {
      this.#skipped = 0;
      this.#endsString = text.charAt(at + 1) === "]" ? endsTitle : endsString;
      return at + 2;
    }
    const short = text.charAt(at + 1) === "[" ? undefined : matchAt(escape, text, at);
    if (!short) return at + 1;
    handler.escape(short[1] ?? "", short[2] ?? "");
    return at + short[0].length;
  }

  #skip(text: string, at: number): number {
    this.#endsString.lastIndex = at;
    const end = this.#endsString.exec(text)?.index ?? text.length;
    this.#skipped = (this.#skipped ?? 0) + end - at;
    if (this.#skipped > longestString) {
      this.#skipped = undefined;
      return end;
    }
    if (end === text.length) return end;
    const final = text.charAt(end);
    // ESC \ ends the string; any other ESC ends it too, and begins a new sequence.
    if (final === "\x1b" && end + 1 === text.length) {
      this.#held = final;
      return text.length;
    }
    this.#skipped = undefined;
    if (final === "\n") return end;
    if (final !== "\x1b") return end + 1;
    return text.charAt(end + 1) === "\\" ? end + 2 : end;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const mostNumbers = 16;
const largestNumber = 9999;

function numbersIn(text: string): number[] {
  if (text === "") return [];
  const numbers = text.split(/[;:]/, mostNumbers).map(Number);
  return numbers.map((number) => Math.min(number, largestNumber));
}
