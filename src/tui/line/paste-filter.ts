/** Keeps pastes out of the line editor, which would take every line break for Enter and is slow with long lines. */

import { Transform, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { mib } from "../../base/bound.ts";
import { tuiBounds } from "../bounds.ts";

/** Pasted texts kept to be sent again, in characters. */
const mostPastes = 16 * mib;

const begin = "\u001B[200~";
const end = "\u001B[201~";
/** Switches the terminal's marking of pastes (bracketed paste mode) on and off. */
export const markPastes = { on: "\u001B[?2004h", off: "\u001B[?2004l" };

const mostPasted = tuiBounds.pasted.most;
/** A single-line paste up to this length goes into the editor unchanged. */
const shortLine = 400;
/** A chunk of this many characters, without any mark or line end, was not typed by hand. */
const longChunk = 400;

/** Sits between the terminal and the line editor; replaces a long paste by a short mark in the line. */
export class PasteFilter extends Transform {
  readonly #input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };
  readonly #decoder = new StringDecoder("utf8");
  readonly #pastes = new Map<string, string>();
  readonly #failed = (error: unknown): void => void this.emit("error", error);
  #count = 0;
  /** The received part of an unfinished paste; undefined outside one. */
  #pasted: string | undefined;
  /** The start of a mark that was split between chunks. */
  #carry = "";
  #isCut = false;

  constructor(input: NodeJS.ReadableStream) {
    super({ decodeStrings: false, encoding: "utf8" });
    this.#input = input;
    input.on("error", this.#failed);
    input.pipe(this);
  }

  setRawMode(raw: boolean): void {
    this.#input.setRawMode?.(raw);
  }

  /** Detaches from the input for good. */
  leave(): void {
    this.#input.unpipe(this);
    this.#input.off("error", this.#failed);
    this.#input.on("error", () => undefined); // resetting a vanished terminal emits its error again
    this.#input.pause();
  }

  /** Lets another program read the terminal until `takeBack`. */
  lend(): void {
    this.#input.unpipe(this);
    this.#input.pause();
    this.#input.setRawMode?.(false);
  }

  takeBack(): void {
    this.#input.setRawMode?.(true);
    this.#input.pipe(this);
  }

  /** Replaces the marks in a line with the pastes they represent. */
  expand(line: string): string {
    return line.replaceAll(/\[pasted #\d+: [^\]]*\]/gu, (mark) => this.#pastes.get(mark) ?? mark);
  }

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#carry + (typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    this.#carry = "";
    this.#read(text);
    done();
  }

  #read(text: string): void {
    let rest = text;
    while (rest !== "") {
      if (this.#pasted !== undefined) {
        rest = this.#readPaste(rest);
        continue;
      }
      const at = rest.indexOf(begin);
      if (at === -1) return this.#readKeys(rest);
      this.#pass(rest.slice(0, at));
      this.#pasted = "";
      rest = rest.slice(at + begin.length);
    }
  }

  /** A partial mark is held back from its third character on: a shorter prefix may be a key. */
  #readKeys(text: string): void {
    const tail = text.slice(-begin.length);
    const at = tail.lastIndexOf("\u001B");
    const isHalf = at !== -1 && tail.length - at > 2 && begin.startsWith(tail.slice(at));
    if (isHalf) this.#carry = tail.slice(at);
    const keys = isHalf ? text.slice(0, -this.#carry.length) : text;
    if (keys.length > longChunk && !/\p{Cc}/u.test(keys)) this.#keep(keys);
    else this.#pass(keys);
  }

  /** Returns the text after the end of the paste. */
  #readPaste(text: string): string {
    const held = (this.#pasted ?? "").slice(-end.length);
    const joined = held + text;
    const at = joined.indexOf(end);
    const more = at === -1 ? text : joined.slice(held.length, Math.max(at, held.length));
    const before = (this.#pasted ?? "") + more;
    this.#isCut ||= before.length > mostPasted + end.length;
    if (at === -1) {
      this.#pasted = before.length > mostPasted + end.length ? this.#shortened(before) : before;
      return "";
    }
    const whole = at < held.length ? before.slice(0, before.length - (held.length - at)) : before;
    this.#pasted = undefined;
    this.#insert(whole.slice(0, mostPasted));
    this.#isCut = false;
    return joined.slice(at + end.length);
  }

  /** Drops what exceeds the bound, but keeps the end, which may be half a mark. */
  #shortened(text: string): string {
    return text.slice(0, mostPasted) + text.slice(-end.length);
  }

  #insert(pasted: string): void {
    const text = pasted.replaceAll(/\r\n?/gu, "\n");
    const line = text.replace(/\n$/u, "");
    const isPlain = line.length <= shortLine && !/\p{Cc}/u.test(line);
    if (isPlain) this.#pass(line);
    else this.#keep(text);
  }

  #keep(text: string): void {
    this.#count += 1;
    const lines = text.replace(/\n$/u, "").split("\n").length;
    const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
    const mark = `[pasted #${this.#count}: ${size}${this.#isCut ? ", cut" : ""}]`;
    this.#pastes.set(mark, text);
    this.#forgetOldest();
    this.#pass(mark);
  }

  #forgetOldest(): void {
    let left = mostPastes;
    for (const [mark, text] of [...this.#pastes].toReversed()) {
      left -= text.length;
      if (left < 0) this.#pastes.delete(mark);
    }
  }

  #pass(text: string): void {
    if (text !== "") this.push(text);
  }
}
