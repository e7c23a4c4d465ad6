/** Keeps pastes out of the line editor, which would take every line break for Enter and is slow with long lines. */

import { Transform, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { ArrivingPaste, pasteBegins, Pastes } from "../pastes.ts";
import { typedAhead } from "../typed-ahead.ts";

/** A chunk of this many characters, without any mark or line end, was not typed by hand. */
const longChunk = 400;

/** Sits between the terminal and the line editor; replaces a long paste by a short mark in the line. */
export class PasteFilter extends Transform {
  readonly #input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };
  readonly #decoder = new StringDecoder("utf8");
  readonly #pastes = new Pastes();
  readonly #failed = (error: unknown): void => void this.emit("error", error);
  /** Undefined outside a paste. */
  #arriving: ArrivingPaste | undefined;
  /** The start of a mark that was split between chunks. */
  #carry = "";
  readonly #asTyped = typedAhead();

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
    return this.#pastes.expand(line);
  }

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const typed = this.#asTyped(chunk);
    const text = this.#carry + (typeof typed === "string" ? typed : this.#decoder.write(typed));
    this.#carry = "";
    this.#read(text);
    done();
  }

  #read(text: string): void {
    let rest = text;
    while (rest !== "") {
      if (this.#arriving) {
        rest = this.#readPaste(this.#arriving, rest);
        continue;
      }
      const at = rest.indexOf(pasteBegins);
      if (at === -1) return this.#readKeys(rest);
      this.#pass(rest.slice(0, at));
      this.#arriving = new ArrivingPaste();
      rest = rest.slice(at + pasteBegins.length);
    }
  }

  /** A partial mark is held back from its third character on: a shorter prefix may be a key. */
  #readKeys(text: string): void {
    const tail = text.slice(-pasteBegins.length);
    const at = tail.lastIndexOf("\u001B");
    const isHalf = at !== -1 && tail.length - at > 2 && pasteBegins.startsWith(tail.slice(at));
    if (isHalf) this.#carry = tail.slice(at);
    const keys = isHalf ? text.slice(0, -this.#carry.length) : text;
    if (keys.length > longChunk && !/\p{Cc}/u.test(keys))
      this.#pass(this.#pastes.keep({ text: keys, isCut: false }));
    else this.#pass(keys);
  }

  /** Returns the text after the end of the paste. */
  #readPaste(arriving: ArrivingPaste, text: string): string {
    const rest = arriving.add(text);
    if (rest === undefined) return "";
    this.#arriving = undefined;
    this.#pass(this.#pastes.shown(arriving.whole()));
    return rest;
  }

  #pass(text: string): void {
    if (text !== "") this.push(text);
  }
}
