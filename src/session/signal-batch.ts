/** Batches signals for display: joined, at most one batch every 32 ms, and not before there is a word to read. */

import { mib } from "../base/bound.ts";
import type { Signal } from "../protocol/facts.ts";

/** Output of one command between two batches of signals, in characters. */
export const mostSignalText = mib;

export type DeltaSignal = Extract<Signal, { text: string }>;
/** Pieces are joined once, when the batch is sent. */
type HeldDelta = { head: DeltaSignal; pieces: string[]; length: number; words: number };
type BatchedSignal = HeldDelta | { head: Exclude<Signal, DeltaSignal> };

/** Word characters a text block needs before its first emission, and before each later one (A26). */
const firstWords = 8;
const laterWords = 1;
/**
 * Only command output may be dropped, since it is merely shown. Text and reasoning also continue the block that is
 * saved against a crash.
 */
const isTooLong = ({ length }: HeldDelta, { type, text }: DeltaSignal): boolean =>
  type === "output-delta" && length + text.length > mostSignalText;
/** Not `\w`: a Chinese answer has no `\w` at all. */
const wordCharacter = /[\p{L}\p{N}_]/gu;
const isAscii = /^[\0-\x7f]*$/;

export class SignalBatch {
  readonly #batchMs: number;
  readonly #now: () => number;
  #held: BatchedSignal[] = [];
  #lastEmission = Number.NEGATIVE_INFINITY;
  /** The text block that is already on screen. */
  #shown: number | undefined;

  constructor(batchMs: number, now: () => number) {
    this.#batchMs = batchMs;
    this.#now = now;
  }

  add(signal: Signal): void {
    switch (signal.type) {
      case "text-delta":
      case "reasoning-delta":
      case "output-delta":
        return this.#addDelta(signal);
      case "call-delta":
        return this.#replaceProgress(signal);
      case "retrying":
      case "compacting":
        this.#held.push({ head: signal });
        return undefined;
      default:
        return signal satisfies never;
    }
  }

  /**
   * Milliseconds until the next batch may be sent; 0 when due. Compares clock times, so a delayed timer cannot starve
   * it (A25).
   */
  wait(): number {
    const passed = this.#now() - this.#lastEmission;
    const hasJumped = passed < 0;
    return hasJumped ? 0 : Math.max(0, this.#batchMs - passed);
  }

  /** True if a held signal may be shown. */
  get isReady(): boolean {
    return this.#held.some((held) => this.#isReadable(held));
  }

  /** Removes and returns the signals that may be shown; the rest stays. */
  takeReady(): Signal[] {
    return this.#take((held) => this.#isReadable(held));
  }

  /** Removes and returns everything: a fact is about to follow. */
  takeAll(): Signal[] {
    return this.#take(() => true);
  }

  #addDelta(delta: DeltaSignal): void {
    const key = streamOf(delta);
    const last = this.#held.findLast((held) => streamOf(held.head) === key);
    const isFull = last && "pieces" in last && isTooLong(last, delta);
    if (isFull) this.#held = this.#held.filter((held) => held !== last);
    if (isFull || !last || !("pieces" in last) || delta.offset !== last.head.offset + last.length) {
      const words = this.#countWords(delta);
      this.#held.push({ head: delta, pieces: [delta.text], length: delta.text.length, words });
      return;
    }
    last.pieces.push(delta.text);
    last.length += delta.text.length;
    if (last.words < firstWords) last.words += this.#countWords(delta);
  }

  /** The newest count replaces an older one, in the same place. */
  #replaceProgress(progress: Extract<Signal, { type: "call-delta" }>): void {
    const last = this.#held.find(
      (held) => held.head.type === "call-delta" && held.head.callId === progress.callId,
    );
    if (last) last.head = progress;
    else this.#held.push({ head: progress });
  }

  #countWords(delta: DeltaSignal): number {
    if (delta.type !== "text-delta") return 0;
    let words = 0;
    const ofWords = isAscii.test(delta.text) ? /\w/g : wordCharacter;
    for (const _ of delta.text.matchAll(ofWords)) {
      words += 1;
      if (words === firstWords) break;
    }
    return words;
  }

  #isReadable(held: BatchedSignal): boolean {
    if (held.head.type !== "text-delta" || !("words" in held)) return true;
    if (held.words >= (this.#shown === held.head.block ? laterWords : firstWords)) return true;
    // A call's progress must not overtake the text before it.
    return this.#held.slice(this.#held.indexOf(held)).some(({ head }) => head.type === "call-delta");
  }

  #take(isTaken: (held: BatchedSignal) => boolean): Signal[] {
    const taken = this.#held.filter(isTaken);
    if (taken.length === 0) return [];
    this.#held = this.#held.filter((held) => !taken.includes(held));
    this.#lastEmission = this.#now();
    return taken.map((held) => {
      if (held.head.type === "text-delta") this.#shown = held.head.block;
      return "pieces" in held ? { ...held.head, text: held.pieces.join("") } : held.head;
    });
  }
}

/** Deltas of one stream join; a gap or another stream begins a new piece. */
function streamOf(signal: Signal): string {
  if ("block" in signal) return `${signal.type} ${signal.block}`;
  return "callId" in signal ? `${signal.type} ${signal.callId}` : signal.type;
}
