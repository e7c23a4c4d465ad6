/** What a program writes to a terminal, taken apart: text, control characters and escape sequences (ECMA-48). */

import { bounds } from "../bounds.ts";

/** A control sequence: `ESC [ ? 2 5 l` has the prefix "?", the numbers [25] and the final "l". */
export type ControlSequence = { prefix: string; numbers: readonly number[]; between: string; final: string };

export interface ControlHandler {
  text(run: string): void;
  /** One of the characters below U+0020, but ESC. */
  control(character: string): void;
  sequence(sequence: ControlSequence): void;
  /** `ESC 7`, `ESC ( 0`: what stands between ESC and the final character, and that. */
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
/** VS Code's shell integration, where something on the way took its ESC. */
const bareMarker = /(?<!\x1b)\]633;[A-Z](?:;[^\x07\n]*)?\x07/g;
/* eslint-enable no-control-regex */

/** Longer ones are not sequences but garbage, which must not keep us waiting for its end. */
const longestSequence = 256;
const longestString = bounds.terminals.controlText.most;

export class ControlReader {
  /** The beginning of a sequence whose rest has not come yet. */
  #held = "";
  /** Characters of the present string (a title, a picture), which is skipped. */
  #skipped: number | undefined;
  #endsString = endsString;

  /** However the text is cut, the handler is told the same; only runs of text come in other pieces. */
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
    // ESC \ ends it; any other ESC does too, and begins something else.
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
