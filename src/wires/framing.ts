/**
 * Splits byte streams into frames and writes frames: server-sent events (WHATWG HTML, 9.2) and newline-delimited JSON.
 * Each byte is examined a bounded number of times, however the stream is chunked. Frames come in batches, one per
 * chunk: an asynchronous turn per frame would cost more than parsing it.
 */

import { sizeInWords } from "../base/amounts.ts";
import { mib } from "../base/bound.ts";
import { ModelError } from "../protocol/model-events.ts";
import { wireBounds } from "./bounds.ts";

/**
 * One server-sent event. `event` is "message" if the stream named none. `bare`: not an event but a JSON text between
 * events, as Google writes an error in mid-stream. llama.cpp's field "error" is an event of that name.
 */
export type SseEvent = { event: string; data: string; bare?: true };

/** Maximum line length in UTF-16 units: no honest provider sends more in one event. */
const maxLine = 64 * mib;

/** Maximum size of a whole stream: no honest answer is longer, and an endless one must not fill the memory. */
const maxBytes = wireBounds.answerBytes.most;

/**
 * Reads server-sent events. An event cut off by the end of the stream is still yielded if it has data. `join` makes
 * fewer events of a batch.
 */
export async function* sseBatches(
  bytes: AsyncIterable<Uint8Array>,
  join: (events: SseEvent[]) => SseEvent[] = (events) => events,
): AsyncGenerator<SseEvent[]> {
  const reader = new SseReader();
  for await (const lines of lineBatches(bytes, { loneCr: true })) {
    const events: SseEvent[] = [];
    for (const line of lines) reader.take(line, events);
    if (events.length > 0) yield join(events);
  }
  const last: SseEvent[] = [];
  reader.end(last);
  if (last.length > 0) yield last;
}

/** Reads newline-delimited JSON: the non-blank lines, unparsed, after `join`. */
export async function* ndjsonBatches(
  bytes: AsyncIterable<Uint8Array>,
  join: (lines: string[]) => string[] = (lines) => lines,
): AsyncGenerator<string[]> {
  for await (const lines of lineBatches(bytes, { loneCr: false })) {
    const documents = lines.filter((line) => line.trim() !== "");
    if (documents.length > 0) yield join(documents);
  }
}

/** One server-sent event as text. `data` must not contain line breaks (JSON never does). */
export const writeSse = (data: string, event?: string): string =>
  (event === undefined ? "" : `event: ${event}\n`) + `data: ${data}\n\n`;

class SseReader {
  #event = "message";
  #data: string | undefined;
  #first = true;
  /** The lines of a bare JSON text, up to an empty line or the next field. */
  #bare: string[] = [];

  take(raw: string, events: SseEvent[]): void {
    const line = this.#first && raw.startsWith("\uFEFF") ? raw.slice(1) : raw;
    this.#first = false;
    if (line === "") this.end(events);
    else if (line.startsWith("data:")) {
      this.#endBare(events);
      const value = fieldValue(line, 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (line.startsWith("event:")) this.#event = fieldValue(line, 6);
    else if (line.startsWith("error:")) events.push({ event: "error", data: fieldValue(line, 6) });
    else if (this.#bare.length > 0 || /^[{[]/.test(line)) this.#bare.push(line);
  }

  /** Emits the pending event, at an empty line or at the end of the stream. */
  end(events: SseEvent[]): void {
    if (this.#data !== undefined) events.push({ event: this.#event, data: this.#data });
    this.#endBare(events);
    this.#event = "message";
    this.#data = undefined;
  }

  #endBare(events: SseEvent[]): void {
    if (this.#bare.length === 0) return;
    events.push({ event: "message", data: this.#bare.join("\n"), bare: true });
    this.#bare = [];
  }
}

const fieldValue = (line: string, from: number): string =>
  line.slice(line.charCodeAt(from) === 32 ? from + 1 : from);

/**
 * Yields the lines that each chunk completes. Line ends are LF, CRLF or (server-sent events) a lone CR; U+2028 is data.
 */
async function* lineBatches(
  bytes: AsyncIterable<Uint8Array>,
  { loneCr }: { loneCr: boolean },
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8");
  const splitter = new LineSplitter(loneCr);
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes)
      throw new ModelError(
        "malformed",
        `The provider's answer is longer than ${sizeInWords(maxBytes)}; it was cut off there.`,
        { advice: "Ask for less at a time." },
      );
    const lines = splitter.take(decoder.decode(chunk, { stream: true }));
    if (lines.length > 0) yield lines;
  }
  const rest = splitter.rest(decoder.decode());
  if (rest.length > 0) yield rest;
}

class LineSplitter {
  readonly #loneCr: boolean;
  /** The pieces of the unfinished line, joined only once, when it ends. */
  #pieces: string[] = [];
  #held = 0;
  /** Whether a chunk ended in CR: the next chunk shows whether an LF belongs to it. */
  #heldCr = false;

  constructor(loneCr: boolean) {
    this.#loneCr = loneCr;
  }

  take(piece: string): string[] {
    if (piece === "") return [];
    let text = this.#heldCr ? "\r" + piece : piece;
    this.#heldCr = text.endsWith("\r");
    if (this.#heldCr) text = text.slice(0, -1);
    if (text.includes("\r")) text = text.replaceAll(this.#loneCr ? /\r\n?/g : /\r\n/g, "\n");
    return this.#split(text);
  }

  rest(piece: string): string[] {
    const lines = this.take(piece);
    const last = this.#whole("");
    const tail = this.#heldCr && !this.#loneCr ? `${last}\r` : last;
    return tail === "" ? lines : [...lines, tail];
  }

  #split(text: string): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      lines.push(this.#whole(text.slice(start, end)));
      start = end + 1;
    }
    if (start < text.length) this.#hold(start === 0 ? text : text.slice(start));
    return lines;
  }

  #hold(text: string): void {
    this.#pieces.push(text);
    this.#held += text.length;
    if (this.#held > maxLine)
      throw new ModelError(
        "malformed",
        `The provider sent a line of over ${sizeInWords(maxLine)}; the answer was dropped.`,
        { advice: "Ask for less at a time." },
      );
  }

  #whole(tail: string): string {
    if (this.#pieces.length === 0) return tail;
    const line = this.#pieces.join("") + tail;
    this.#pieces = [];
    this.#held = 0;
    return line;
  }
}
