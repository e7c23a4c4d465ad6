/** Pasted texts: one while it arrives, and those that stand in a message as a short mark until it is sent. */

import { mib } from "../base/bound.ts";
import { tuiBounds } from "./bounds.ts";

/** Pasted texts kept to be sent again, in characters. */
const mostPastes = 16 * mib;
const mostPasted = tuiBounds.pasted.most;
/** A single-line paste up to this length stands in the message as it is. */
const shortLine = 400;

/** How a terminal marks a paste, once `markPastes.on` was sent to it (bracketed paste mode). */
export const pasteBegins = "\u001B[200~";
const pasteEnds = "\u001B[201~";
export const markPastes = { on: "\u001B[?2004h", off: "\u001B[?2004l" };

/** `isCut`: it was longer than what is kept of it. */
export type Paste = { text: string; isCut: boolean };

/** A paste while it arrives, in pieces that may be cut anywhere. */
export class ArrivingPaste {
  readonly #pieces: string[] = [];
  #length = 0;
  #isCut = false;
  /** The newest characters, which may be the start of the end mark. */
  #tail = "";

  /** Returns what follows the end of the paste, or undefined while it goes on. */
  add(text: string): string | undefined {
    const joined = this.#tail + text;
    const at = joined.indexOf(pasteEnds);
    const held = at === -1 ? Math.max(0, joined.length - pasteEnds.length + 1) : at;
    this.#keep(joined.slice(0, held));
    this.#tail = at === -1 ? joined.slice(held) : "";
    return at === -1 ? undefined : joined.slice(at + pasteEnds.length);
  }

  endsWith(character: string): boolean {
    return this.#tail.endsWith(character);
  }

  /** What has arrived of it, with line feeds as line ends. */
  whole(): Paste {
    this.#keep(this.#tail);
    this.#tail = "";
    return { text: this.#pieces.join("").replaceAll(/\r\n?/gu, "\n"), isCut: this.#isCut };
  }

  #keep(text: string): void {
    const piece = text.slice(0, mostPasted - this.#length);
    this.#isCut ||= piece.length < text.length;
    this.#length += piece.length;
    if (piece !== "") this.#pieces.push(piece);
  }
}

const anyMark = /\[pasted #\d+: [^\]\n]*\]/gu;

/** The pastes of a conversation, by their marks: `[pasted #1: 120 lines]`. */
export class Pastes {
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** What stands in the message for this paste: itself if it is a short line, otherwise a mark. */
  shown({ text, isCut }: Paste): string {
    const line = text.replace(/\n$/u, "");
    const isPlain = line.length <= shortLine && !/\p{Cc}/u.test(line);
    return isPlain ? line : this.keep({ text, isCut });
  }

  /** Returns its mark. */
  keep({ text, isCut }: Paste): string {
    this.#count += 1;
    const lines = text.replace(/\n$/u, "").split("\n").length;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    const mark = `[pasted #${this.#count}: ${size}${isCut ? ", cut" : ""}]`;
    this.#texts.set(mark, text);
    this.#forgetOldest();
    return mark;
  }

  /** Replaces the marks in a message with the pastes they represent. */
  expand(message: string): string {
    return message.replaceAll(anyMark, (mark) => this.#texts.get(mark) ?? mark);
  }

  /** The marks in a line, in order. */
  marksIn(line: string): { from: number; to: number }[] {
    if (this.#texts.size === 0 || !line.includes("[pasted #")) return [];
    return [...line.matchAll(anyMark)].flatMap(({ 0: mark, index }) =>
      this.#texts.has(mark) ? { from: index, to: index + mark.length } : [],
    );
  }

  #forgetOldest(): void {
    let left = mostPastes;
    for (const [mark, text] of [...this.#texts].toReversed()) {
      left -= text.length;
      if (left < 0) this.#texts.delete(mark);
    }
  }
}
