/** A stream of events as it is read: none too large or too deep, no flood, and a missing answer is told. */

import { setTimeout as sleep } from "node:timers/promises";
import { bounds } from "../../base/bounds.ts";
import { isTextDeeperThan } from "../../base/json-depth.ts";
import { EventCutter, eventOf, textsIn } from "./events.ts";
import { FloodGate } from "./flood.ts";
import { deepest, endsOf, idIn, refusal, type Unread, UnreadAnswer } from "./unread.ts";

const largest = bounds.servers.message.most;

export type Bytes = Uint8Array<ArrayBuffer>;

/** `asked`: the id of the request that this stream is to answer; `floods`: some events were passed over. */
type Sifting = { asked: number | undefined; floods: (() => void) | undefined };

export function sifted(body: ReadableStream<Bytes>, sifting: Sifting): ReadableStream<Bytes> {
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

/** What was asked over other connections may be answered here. */
const anyId = { has: () => true };

/** Which events of a stream are read, and what stands for those that are not. */
class EventSieve {
  readonly #sifting: Sifting;
  readonly #events = new EventCutter();
  readonly #gate = new FloodGate();
  #second = performance.now();
  /** Whether this stream still has to answer what it was asked for. */
  #isOwed: boolean;
  /** Nothing more of it is read. */
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
    // Where events have ids, the rest of the stream is asked for again.
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

  /** What is owed is not waited for any longer. */
  *end(why: Unread): Generator<Bytes> {
    const { asked } = this.#sifting;
    if (this.#isOwed && asked !== undefined) yield eventOf(refusal(asked, why));
  }

  /** A stream that breaks off in the middle has ended, for whoever waits for its answer. */
  endOr(error: unknown): { done: true; value: undefined } {
    if (!this.#isOwed) throw error;
    return { done: true, value: undefined };
  }

  /** Of too much, the rest waits until the second is over. */
  async rest(): Promise<void> {
    const rest = 1_000 - (performance.now() - this.#second);
    if (this.#gate.isTooMuch && rest > 0) await sleep(rest, undefined, { ref: false });
  }
}
