/** One reader of a session: facts from a cursor into the log, signals from a short queue, in the order they were told. */
import type { Entry, Signal } from "../protocol/facts.ts";

/** Signals that wait for a slow reader; beyond it the oldest are dropped, which no final view notices. */
const mostSignals = 256;

export class Follower {
  readonly #entries: readonly Entry[];
  readonly #abort: AbortSignal;
  /** Entries told to the reader, counted from the session's first. */
  #cursor: number;
  /** `after`: how many entries come before this signal. */
  #signals: { after: number; signal: Signal }[] = [];
  #wake: (() => void) | undefined;

  /** `entries` is the log's own growing array. */
  constructor(entries: readonly Entry[], after: number, abort: AbortSignal) {
    this.#entries = entries;
    this.#cursor = Math.max(0, Math.min(after, entries.length));
    this.#abort = abort;
  }

  /** Something was told: facts are read from the log when their turn comes, signals are queued here. */
  tell(event: Entry | Signal): void {
    if (!("seq" in event)) this.#queue(event);
    this.#wake?.();
  }

  async *events(): AsyncGenerator<Entry | Signal, void> {
    const wake = () => this.#wake?.();
    this.#abort.addEventListener("abort", wake);
    try {
      while (!this.#abort.aborted) {
        const next = this.#next();
        if (next) yield next;
        else await this.#news();
      }
    } finally {
      this.#abort.removeEventListener("abort", wake);
    }
  }

  #next(): Entry | Signal | undefined {
    const [first] = this.#signals;
    if (first && first.after <= this.#cursor) {
      this.#signals.shift();
      return first.signal;
    }
    const entry = this.#entries[this.#cursor];
    if (entry) this.#cursor += 1;
    return entry;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #queue(signal: Signal): void {
    const after = this.#entries.length;
    const last = this.#signals.at(-1);
    const joined = last?.after === after ? join(last.signal, signal) : undefined;
    if (last && joined) last.signal = joined;
    else this.#signals.push({ after, signal });
    if (this.#signals.length > mostSignals) this.#signals.shift();
  }
}

/** Two signals as one, where the second goes on from the first. */
function join(first: Signal, second: Signal): Signal | undefined {
  if (first.type === "call-delta" && second.type === "call-delta")
    return first.callId === second.callId ? second : undefined;
  if (!("text" in first) || !("text" in second)) return undefined;
  const isSameStream =
    first.type === second.type &&
    ("block" in first && "block" in second ? first.block === second.block : true) &&
    ("callId" in first && "callId" in second ? first.callId === second.callId : true);
  const goesOn = isSameStream && second.offset === first.offset + first.text.length;
  return goesOn ? { ...first, text: first.text + second.text } : undefined;
}
