/** One reader of a session: facts from a cursor into the log, signals from a short queue, in the order announced. */

import { mib } from "../base/bound.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { BlockDelta } from "./open-block.ts";

/** Signals waiting for one slow follower of a session. */
export const mostFollowerSignals = 256;
/** Text of the signals waiting for one slow follower of a session, in characters. */
export const mostFollowerText = mib;

/** Everything announced of a session so far: the newest entries in memory, older ones in pages. */
export type FollowedLog = {
  /** The number of the newest announced entry; 0 before there is one. */
  last: number;
  /** Undefined if not announced yet, or no longer in memory. */
  at(seq: number): Entry | undefined;
  /** Some entries after this number, in order, all of which have been announced. */
  older(after: number): Promise<readonly Entry[]>;
  /** The block being streamed, so far. */
  open(): BlockDelta | undefined;
};

type WaitingSignal = { after: number; signal: Signal };

export class Follower {
  readonly #followed: FollowedLog;
  readonly #abort: AbortSignal;
  /** Number of the last entry delivered to the reader. */
  #cursor: number;
  /** Entries that have left the log's memory; those up to the cursor were delivered. */
  #page: readonly Entry[] = [];
  /** `after`: the number of the last entry before this signal. */
  #signals: WaitingSignal[] = [];
  /** Characters of all queued signals. */
  #length = 0;
  /** The newest dropped piece of a block: queued pieces of that block no longer continue from where the reader is. */
  #missed: WaitingSignal | undefined;
  #wake: (() => void) | undefined;

  constructor(log: FollowedLog, after: number, abort: AbortSignal) {
    this.#followed = log;
    // NaN or a fraction would never equal an entry's number.
    this.#cursor = Math.max(0, Math.min(Math.floor(after) || 0, log.last));
    this.#abort = abort;
  }

  /** Called for each event: facts are read from the log when their turn comes, signals are queued here. */
  tell(event: Entry | Signal): void {
    if (!("seq" in event)) this.#queue(event);
    this.#wake?.();
  }

  /** Throws StoreError if older entries cannot be read. */
  async *events(): AsyncGenerator<Entry | Signal, void> {
    const wake = () => this.#wake?.();
    this.#abort.addEventListener("abort", wake);
    try {
      while (!this.#abort.aborted) {
        const next = this.#next();
        if (next) yield next;
        else if (this.#cursor < this.#followed.last) this.#page = await this.#followed.older(this.#cursor);
        else await this.#news();
      }
    } finally {
      this.#abort.removeEventListener("abort", wake);
    }
  }

  #next(): Entry | Signal | undefined {
    const whole = this.#wholeBlock();
    if (whole) return whole;
    const [first] = this.#signals;
    if (first && first.after <= this.#cursor) {
      this.#takeFirst();
      return first.signal;
    }
    const seq = this.#cursor + 1;
    const entry = this.#followed.at(seq) ?? this.#page[seq - (this.#page[0]?.seq ?? seq)];
    if (entry) this.#cursor = seq;
    if (this.#cursor >= (this.#page.at(-1)?.seq ?? 0)) this.#page = [];
    return entry;
  }

  /**
   * After dropped pieces, sends the whole open block once more as one delta; a block closed by now is covered by its
   * fact.
   */
  #wholeBlock(): BlockDelta | undefined {
    const missed = this.#missed;
    if (!missed || missed.after > this.#cursor) return undefined;
    this.#missed = undefined;
    const isOfIt = (signal: Signal | undefined): signal is BlockDelta =>
      signal !== undefined && isSameBlock(signal, missed.signal);
    this.#signals = this.#signals.filter(({ signal }) => !isOfIt(signal));
    this.#length = this.#signals.reduce((sum, { signal }) => sum + charactersOf(signal), 0);
    const open = this.#followed.open();
    return isOfIt(open) ? open : undefined;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Beyond the bounds the oldest signals are dropped, which no final view notices. */
  #queue(signal: Signal): void {
    const after = this.#followed.last;
    const last = this.#signals.at(-1);
    const joined = last?.after === after ? join(last.signal, signal) : undefined;
    if (last && joined) {
      this.#length += charactersOf(joined) - charactersOf(last.signal);
      last.signal = joined;
    } else {
      this.#length += charactersOf(signal);
      this.#signals.push({ after, signal });
    }
    while (
      this.#signals.length > 1 &&
      (this.#signals.length > mostFollowerSignals || this.#length > mostFollowerText)
    )
      this.#dropFirst();
  }

  #dropFirst(): void {
    const dropped = this.#takeFirst();
    if (dropped && "block" in dropped.signal)
      this.#missed = { after: dropped.after, signal: { ...dropped.signal, text: "" } };
  }

  #takeFirst(): WaitingSignal | undefined {
    const first = this.#signals.shift();
    if (first) this.#length -= charactersOf(first.signal);
    return first;
  }
}

const isSameBlock = (one: Signal, other: Signal): boolean =>
  one.type === other.type && "block" in one && "block" in other && one.block === other.block;

const charactersOf = (signal: Signal): number => ("text" in signal ? signal.text.length : 0);

/** Longer signals are not joined further, so that the oldest can still be dropped. */
const longestJoined = mostFollowerText / 8;

/** Joins two signals if the second continues the first. */
function join(first: Signal, second: Signal): Signal | undefined {
  if (first.type === "call-delta" && second.type === "call-delta")
    return first.callId === second.callId ? second : undefined;
  if (!("text" in first) || !("text" in second)) return undefined;
  if (first.text.length > longestJoined) return undefined;
  const isSameStream =
    first.type === second.type &&
    ("block" in first && "block" in second ? first.block === second.block : true) &&
    ("callId" in first && "callId" in second ? first.callId === second.callId : true);
  const goesOn = isSameStream && second.offset === first.offset + first.text.length;
  return goesOn ? { ...first, text: first.text + second.text } : undefined;
}
