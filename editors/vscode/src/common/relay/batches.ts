/**
 * Gathers messages while the other side still works on the last ones: a burst of small messages costs few posts, a single
 * one is not delayed.
 */

export type Envelope<Message> =
  /** A side that begins has forgotten everything from before. */
  { type: "begin" } | { type: "batch"; messages: readonly Message[] } | { type: "taken" };

type BatchesContext<Out, In> = {
  post: (envelope: Envelope<Out>) => void;
  hear: (message: In) => void;
  /** The other side has begun anew. */
  begun?: () => void;
  /** What a message counts in `waitingSize`; 1 by default. */
  sizeOf?: (message: Out) => number;
  /** What goes together: a post is made into text at once, and its thread does nothing else meanwhile. */
  mostTogether?: number;
};

export class Batches<Out, In> {
  readonly #context: BatchesContext<Out, In>;
  #waiting: Out[] = [];
  #waitingSize = 0;
  #isUnderWay = false;
  #isPlanned = false;

  constructor(context: BatchesContext<Out, In>) {
    this.#context = context;
  }

  /** The size of what waits until the other side has taken the last batch. */
  get waitingSize(): number {
    return this.#waitingSize;
  }

  /** Tells the other side to forget what was before. */
  begin(): void {
    this.#context.post({ type: "begin" });
  }

  send(message: Out): void {
    this.#waiting.push(message);
    this.#waitingSize += this.#sizeOf(message);
    this.#plan();
  }

  take(envelope: Envelope<In>): void {
    switch (envelope.type) {
      case "begin":
        return this.#beginAgain();
      case "taken":
        this.#isUnderWay = false;
        return this.#plan();
      case "batch":
        try {
          for (const message of envelope.messages) this.#context.hear(message);
        } finally {
          this.#context.post({ type: "taken" });
        }
        return undefined;
      default:
        return envelope satisfies never;
    }
  }

  #beginAgain(): void {
    this.#waiting = [];
    this.#waitingSize = 0;
    this.#isUnderWay = false;
    this.#context.begun?.();
  }

  /** After the present task, so that what it sends goes together. */
  #plan(): void {
    if (this.#isUnderWay || this.#isPlanned || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isUnderWay || this.#waiting.length === 0) return;
    const messages = this.#waiting.splice(0, this.#together());
    for (const message of messages) this.#waitingSize -= this.#sizeOf(message);
    this.#isUnderWay = true;
    this.#context.post({ type: "batch", messages });
  }

  /** How many of those that wait: one at least. */
  #together(): number {
    const { mostTogether = Infinity } = this.#context;
    let size = 0;
    const over = this.#waiting.findIndex((message) => (size += this.#sizeOf(message)) > mostTogether);
    return over === -1 ? this.#waiting.length : Math.max(1, over);
  }

  #sizeOf(message: Out): number {
    return this.#context.sizeOf?.(message) ?? 1;
  }
}
