/** Splits a server's standard output into messages, one per line, with limits on length and nesting. */

import { isTextDeeperThan } from "../../base/json-brackets.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { toolServerBounds } from "./bounds.ts";
import { deepest, endsOf, idIn, looked, type Unread } from "./unread.ts";

export type MessageFrame =
  | { type: "message"; value: unknown }
  /** Not read. `id`: the request it answers, if that can be determined. */
  | { type: Unread; id?: number }
  /** A line that is no message: many servers print logs to standard output. */
  | { type: "noise"; line: string };

const largest = toolServerBounds.message.most;

/** Buffers at most one message. `isWanted`: whether to parse a line at all. */
export class FrameReader {
  readonly #isWanted: (line: Buffer) => boolean;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Set while the rest of an oversized message is skipped. */
  #dropped: { head: string; tail: string } | undefined;

  constructor(isWanted: (line: Buffer) => boolean = () => true) {
    this.#isWanted = isWanted;
  }

  read(bytes: Buffer): MessageFrame[] {
    const frames: MessageFrame[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      this.#add(bytes.subarray(start, end));
      const frame = this.#take();
      if (frame) frames.push(frame);
      start = end + 1;
    }
    this.#add(bytes.subarray(start));
    return frames;
  }

  #add(piece: Buffer): void {
    if (this.#dropped) {
      this.#dropped.tail = (this.#dropped.tail + piece.subarray(-looked).toString("latin1")).slice(-looked);
      return;
    }
    if (piece.length === 0) return;
    this.#pieces.push(Buffer.from(piece)); // copied: a view would retain the whole chunk
    this.#length += piece.length;
    if (this.#length <= largest) return;
    const whole = Buffer.concat(this.#pieces);
    this.#dropped = {
      head: whole.subarray(0, looked).toString("latin1"),
      tail: whole.subarray(-looked).toString("latin1"),
    };
    this.#pieces = [];
  }

  #take(): MessageFrame | undefined {
    const dropped = this.#dropped;
    const [first] = this.#pieces;
    const line = first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#dropped = undefined;
    this.#pieces = [];
    this.#length = 0;
    if (dropped) return unread("too-large", dropped);
    if (!this.#isWanted(line)) return undefined;
    const text = line.toString("utf8").trim();
    return text === "" ? undefined : frameOf(text);
  }
}

function unread(type: Unread, ends: ReturnType<typeof endsOf>): { type: Unread; id?: number } {
  const id = idIn(ends);
  return { type, id };
}

function frameOf(text: string): MessageFrame {
  if (!text.startsWith("{") && !text.startsWith("[")) return { type: "noise", line: text.slice(0, looked) };
  if (isTextDeeperThan(deepest, text)) return unread("too-deep", endsOf(text));
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const broken = unread("broken", endsOf(text));
    if (broken.id !== undefined) return broken;
  }
  const isMessage = parsed.ok && isObject(parsed.value) && parsed.value["jsonrpc"] === "2.0";
  return isMessage
    ? { type: "message", value: parsed.value }
    : { type: "noise", line: text.slice(0, looked) };
}
