/** The signals of a session that runs in another process, as one follower has heard them. */

import type { Signal } from "../protocol/facts.ts";
import { mostFollowerSignals } from "../session/follower.ts";
import type { SessionNotice, StreamedBlock } from "../session/store.ts";

type BlockSignal = Extract<Signal, { block: number }>;

export class Overheard {
  #waiting: { after: number; signal: Signal }[] = [];
  /** The block that the follower reads, and how much of it it has. */
  #block = { block: -1, length: 0 };
  /**
   * How often it is looked for what is stored of the open block, pieces of which may be missing: twice after pieces may
   * have been told to nobody, as before the follower came, because a block is stored after its first pieces were told.
   */
  #looks = 2;
  #head = 0;

  get isBehind(): boolean {
    return this.#looks > 0;
  }

  missed(): void {
    this.#looks = 2;
  }

  hear({ after, signal }: SessionNotice): void {
    this.#head = Math.max(this.#head, after);
    if (signal === undefined) return;
    if (this.#waiting.length >= mostFollowerSignals) this.forget();
    this.#waiting.push({ after, signal });
  }

  /** Call before the facts are read: only what is heard from now on is news. */
  reading(): void {
    this.#head = 0;
  }

  hasFacts(cursor: number): boolean {
    return this.#head > cursor;
  }

  hasSignals(cursor: number): boolean {
    return this.#waiting.some(({ after }) => after <= cursor);
  }

  /** The signals for a follower who has the facts up to `cursor`, each once; a piece behind a gap is left out. */
  take(cursor: number): Signal[] {
    const taken = this.#waiting.filter(({ after }) => after === cursor);
    this.#waiting = this.#waiting.filter(({ after }) => after > cursor);
    return taken.flatMap(({ signal }) => ("block" in signal ? this.#next(signal) : [signal]));
  }

  /** What is stored of the open block, as a signal, if the follower has less of it. */
  stored(open: StreamedBlock | undefined): Signal[] {
    this.#looks = Math.max(0, this.#looks - 1);
    if (!open || open.text === "") return [];
    const { block, kind, text } = open;
    if (this.#block.block === block && this.#block.length >= text.length) return [];
    this.#block = { block, length: text.length };
    return [{ type: kind === "text" ? "text-delta" : "reasoning-delta", block, offset: 0, text }];
  }

  /** After a time in which the follower has read elsewhere. */
  forget(): void {
    this.#waiting = [];
    this.#block = { block: -1, length: 0 };
    this.missed();
  }

  #next(signal: BlockSignal): Signal[] {
    const { block, offset, text } = signal;
    const known = this.#block.block === block ? this.#block.length : 0;
    const isNewer = block >= this.#block.block;
    if (!isNewer || offset + text.length <= known) return [];
    if (offset > known) {
      this.#looks = Math.max(1, this.#looks);
      return [];
    }
    this.#block = { block, length: offset + text.length };
    return [{ ...signal, offset: known, text: text.slice(known - offset) }];
  }
}
