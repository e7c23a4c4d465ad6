/** Splits a language server's output into messages: a header with the length, then a JSON body. */

import { kib } from "../../base/bound.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { plainOutput } from "../../base/terminal/plain-text.ts";
import { languageServerBounds } from "./bounds.ts";

/** The header of a language server's message, in bytes. */
const mostHeader = 8 * kib;

/** Output that cannot be parsed; it ends the connection. */
export class FramingError extends Error {}

type FramingLimits = { header: number; message: number };

const usual: FramingLimits = {
  header: mostHeader,
  message: languageServerBounds.message.most,
};

/** Accepts any chunking. Throws a `FramingError` as soon as the bytes cannot be valid. */
export async function* messagesIn(
  chunks: AsyncIterable<Uint8Array>,
  limits: FramingLimits = usual,
): AsyncGenerator<Record<string, unknown>> {
  const held = new FrameBuffer();
  for await (const chunk of chunks) {
    held.add(chunk);
    for (let body = held.take(limits); body !== undefined; body = held.take(limits)) yield messageOf(body);
  }
}

/** Buffers unread bytes; a body is concatenated only once, when complete. */
class FrameBuffer {
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** The length of the next body, once its header was read. */
  #length: number | undefined;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** The next body, if complete. */
  take({ header, message }: FramingLimits): Uint8Array | undefined {
    if (this.#length === undefined) {
      const bytes = this.#whole();
      const end = bytes.subarray(0, header).indexOf("\r\n\r\n");
      if (end === -1 && bytes.length >= header) throw new FramingError("it sent a header without an end");
      if (!couldBeHeader(end === -1 ? bytes : bytes.subarray(0, end)))
        throw new FramingError(noHeader(bytes));
      if (end === -1) return undefined;
      this.#length = lengthIn(bytes.toString("latin1", 0, end), message);
      this.#set(bytes.subarray(end + 4));
    }
    if (this.#size < this.#length) return undefined;
    const bytes = this.#whole();
    const body = bytes.subarray(0, this.#length);
    this.#set(bytes.subarray(this.#length));
    this.#length = undefined;
    return body;
  }

  #whole(): Buffer {
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const bytes = Buffer.isBuffer(whole) ? whole : Buffer.from(whole ?? []);
    this.#set(bytes);
    return bytes;
  }

  #set(bytes: Uint8Array): void {
    this.#pieces = [bytes];
    this.#size = bytes.length;
  }
}

/** Recognizes stray output early: a header, possibly with an incomplete last line, is the only valid start. */
const couldBeHeader = (bytes: Buffer): boolean =>
  /^(?:[A-Za-z-]+:[^\r\n]*\r\n)*(?:[A-Za-z-]*|[A-Za-z-]+:[^\r\n]*)\r?$/.test(bytes.toString("latin1"));

/** Quotes the output, which often shows which program is speaking, or what it lacks. */
const noHeader = (bytes: Buffer): string =>
  `it sent something that is no header: ${JSON.stringify(
    plainOutput(bytes.toString("utf8", 0, 200))
      .trim()
      .replace(/\n[^]*$/u, "") // a message may follow
      .slice(0, 100),
  )}`;

function lengthIn(header: string, most: number): number {
  const written = /^content-length:[ \t]*(\d{1,15})[ \t]*$/im.exec(header.replaceAll("\r\n", "\n"))?.[1];
  if (written === undefined) throw new FramingError("it sent a header without a length");
  const length = Number(written);
  if (length > most) throw new FramingError(`it sent a message of ${length} bytes`);
  return length;
}

function messageOf(body: Uint8Array): Record<string, unknown> {
  const parsed = parseJson(new TextDecoder().decode(body));
  if (!parsed.ok || !isObject(parsed.value))
    throw new FramingError("it sent a message that is no JSON object");
  return parsed.value;
}
