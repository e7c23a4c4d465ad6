/**
 * Filters a stream of events: bounds their size, depth and rate, and answers the pending request if the stream cannot.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { isTextDeeperThan } from "../../base/json-brackets.ts";
import { toolServerBounds } from "./bounds.ts";
import { FloodGate } from "./flood.ts";
import { deepest, endsOf, idIn, refusal, type Unread, UnreadAnswer } from "./unread.ts";

const [newline, carriageReturn] = [10, 13];

const lengthOf = (line: Uint8Array): number =>
  line.at(-1) === carriageReturn ? line.length - 1 : line.length;

/** Encodes a message as an event. */
const eventOf = (message: object): Uint8Array<ArrayBuffer> =>
  Buffer.from(`data: ${JSON.stringify(message)}\n\n`);

const largest = toolServerBounds.message.most;

export type Bytes = Uint8Array<ArrayBuffer>;

/** `asked`: the id of the request that this stream will answer; `floods`: called when events were skipped. */
type Sifting = { asked: number | undefined; floods: (() => void) | undefined };

export function siftStream(body: ReadableStream<Bytes>, sifting: Sifting): ReadableStream<Bytes> {
  const reader = body.getReader();
  const sieve = new EventSieve(sifting);
  return new ReadableStream({
    async pull(controller) {
      for (let isTold = false; !isTold;) {
        const { done, value } = await reader.read().catch((error: unknown) => sieve.endOr(error));
        for (const event of done ? sieve.end("cut-off") : sieve.sift(value)) {
          controller.enqueue(event);
          isTold = true;
        }
        if (done) return controller.close();
        if (sieve.isOver) {
          controller.close();
          return reader.cancel();
        }
        await sieve.rest();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** A stream may carry answers to requests sent over other connections. */
const anyId = { has: () => true };

/** Decides which events of a stream are read, and substitutes error answers for the others. */
class EventSieve {
  readonly #sifting: Sifting;
  readonly #events = new EventCutter();
  readonly #gate = new FloodGate();
  #second = performance.now();
  /** Whether the answer to `asked` is still to come. */
  #isOwed: boolean;
  /** The rest of the stream is ignored. */
  isOver = false;

  constructor(sifting: Sifting) {
    this.#sifting = sifting;
    this.#isOwed = sifting.asked !== undefined;
  }

  *sift(bytes: Bytes): Generator<Bytes> {
    if (performance.now() - this.#second > 1_000) {
      this.#gate.reset();
      this.#second = performance.now();
    }
    for (const event of this.#events.cut(bytes)) if (this.#gate.lets(event, anyId)) yield* this.#read(event);
    if (this.#gate.isFlood) this.#sifting.floods?.();
    if (this.#events.size <= largest) return;
    if (!this.#isOwed) throw new UnreadAnswer("too-large");
    this.isOver = true;
    yield* this.end("too-large");
  }

  *#read(event: Buffer<ArrayBuffer>): Generator<Bytes> {
    const { texts, hasId } = textsIn(event);
    // A stream whose events have ids is resumed by the SDK, so the answer may come later.
    if (hasId || texts.some((text) => this.#answers(text))) this.#isOwed = false;
    const deep = texts.filter((text) => isTextDeeperThan(deepest, text));
    if (deep.length === 0) yield event;
    for (const text of deep) {
      const id = idIn(endsOf(text));
      if (id !== undefined) yield eventOf(refusal(id, "too-deep"));
    }
  }

  #answers(text: string): boolean {
    const { head, tail } = endsOf(text);
    const id = new RegExp(`"id"\\s*:\\s*${this.#sifting.asked}\\b`, "u");
    return id.test(head) || id.test(tail);
  }

  /** Sends an error in place of the pending answer. */
  *end(why: Unread): Generator<Bytes> {
    const { asked } = this.#sifting;
    if (this.#isOwed && asked !== undefined) yield eventOf(refusal(asked, why));
  }

  /** For a request that waits for its answer, a broken stream is simply over. */
  endOr(error: unknown): { done: true; value: undefined } {
    if (!this.#isOwed) throw error;
    return { done: true, value: undefined };
  }

  /** Above the hard limit, stops reading until the second is over. */
  async rest(): Promise<void> {
    const rest = 1_000 - (performance.now() - this.#second);
    if (this.#gate.isTooMuch && rest > 0) await sleep(rest, undefined, { ref: false });
  }
}

/** Yields raw events, each including the empty line that ends it. */
class EventCutter {
  #pieces: Uint8Array[] = [];
  /** Bytes of the incomplete event. */
  size = 0;
  /** Bytes of its last line. */
  #line = 0;

  *cut(bytes: Uint8Array): Generator<Buffer<ArrayBuffer>> {
    let start = 0;
    let at = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, at)) {
      this.#line += lengthOf(bytes.subarray(at, end));
      at = end + 1;
      if (this.#line > 0) this.#line = 0;
      else {
        this.#pieces.push(bytes.subarray(start, at));
        yield Buffer.concat(this.#pieces);
        [this.#pieces, this.size, start] = [[], 0, at];
      }
    }
    this.#line += lengthOf(bytes.subarray(at));
    if (start === bytes.length) return;
    this.#pieces.push(bytes.subarray(start));
    this.size += bytes.length - start;
  }
}

/** The data of a raw event: several texts if the stream uses line endings that `EventCutter` does not split at. */
function textsIn(event: Buffer): { texts: string[]; hasId: boolean } {
  const texts: string[] = [];
  let data: string[] = [];
  let hasId = false;
  for (const line of event
    .toString("utf8")
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u)) {
    if (line === "") {
      if (data.length > 0) texts.push(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice("data:".length).trimStart());
    else if (line.startsWith("id:")) hasId = true;
  }
  if (data.length > 0) texts.push(data.join("\n"));
  return { texts, hasId };
}
