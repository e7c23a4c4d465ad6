/**
 * The block being streamed: the text shown so far, saved to the store at intervals so that a crash cannot take it back.
 */

import type { Entry, Signal } from "../protocol/facts.ts";
import type { StreamedBlock } from "./store.ts";

export type BlockDelta = Extract<Signal, { block: number }>;

export class OpenBlockText {
  readonly block: number;
  readonly kind: StreamedBlock["kind"];
  #pieces: string[] = [];
  #length = 0;

  constructor(delta: BlockDelta) {
    this.block = delta.block;
    this.kind = delta.type === "text-delta" ? "text" : "reasoning";
  }

  get length(): number {
    return this.#length;
  }

  isOf(delta: BlockDelta): boolean {
    return delta.block === this.block && (delta.type === "text-delta") === (this.kind === "text");
  }

  isClosedBy(entry: Entry): boolean {
    if (entry.type === "answer-end") return true;
    return (entry.type === "text" || entry.type === "reasoning") && entry.block >= this.block;
  }

  add(delta: BlockDelta): void {
    if (delta.offset < this.#length) this.#pieces = [this.text().slice(0, delta.offset)]; // resent from that offset
    this.#length = Math.min(this.#length, delta.offset) + delta.text.length;
    this.#pieces.push(delta.text);
  }

  /** Joined on demand and then cached: appending stays linear. */
  text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join("")];
    return this.#pieces[0] ?? "";
  }

  /** The whole block as one delta, for late readers. */
  snapshot(): BlockDelta {
    const type = this.kind === "text" ? "text-delta" : "reasoning-delta";
    return { type, block: this.block, offset: 0, text: this.text() };
  }
}

/** About this often, unless `keepUnits` more have arrived: a store writes what comes at once together. */
const keepMs = 250;
const keepUnits = 4096;

/** Saves the open block in the background: one write at a time, never awaited by the stream. */
export class OpenBlockKeeper {
  readonly #keep: (block: StreamedBlock) => Promise<void>;
  readonly #now: () => number;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #latest: OpenBlockText | undefined;
  #kept: { block: number; length: number; at: number };

  constructor(keep: (block: StreamedBlock) => Promise<void>, now: () => number) {
    this.#keep = keep;
    this.#now = now;
    this.#kept = { block: -1, length: 0, at: now() };
  }

  /** Resolves when no write is in progress; never rejects. */
  get settled(): Promise<void> | undefined {
    return this.#writing;
  }

  /** Call when the block has grown. */
  grown(open: OpenBlockText): void {
    if (this.#writing) return this.#later(open);
    const since = open.block === this.#kept.block ? open.length - this.#kept.length : open.length;
    const passed = this.#now() - this.#kept.at;
    // An eighth of the block, so the total written stays proportional to the text instead of its square.
    const isLate = passed >= keepMs && !this.#timer;
    const isDue = passed < 0 || isLate || since >= Math.max(keepUnits, open.length / 8);
    if (isDue) this.#write(open);
    else this.#later(open);
  }

  /** The block has become a fact: nothing more to save. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latest = undefined;
  }

  #write(open: OpenBlockText): void {
    this.stop();
    this.#kept = { block: open.block, length: open.length, at: this.#now() };
    const { block, kind } = open;
    // Best effort: if the store is failing, the next fact fails as well and reports it.
    this.#writing = this.#keep({ block, kind, text: open.text() })
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined;
      });
  }

  /** Also behind a pause in the stream. At full quarters of a second by the clock, at which all sessions write. */
  #later(open: OpenBlockText): void {
    this.#latest = open;
    if (this.#timer) return;
    const now = this.#now();
    const wait = keepMs * Math.ceil((now + keepMs / 2) / keepMs) - now;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#latest) return;
      if (this.#writing) this.#later(this.#latest);
      else this.#write(this.#latest);
    }, wait).unref();
  }
}
