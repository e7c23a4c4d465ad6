/** Holds the newest entries of a session, within the bounds of a log's memory. */

import { mib } from "../base/bound.ts";
import type { Json } from "../base/json.ts";
import type { Entry } from "../protocol/facts.ts";
import { mostWindowFacts } from "./bounds.ts";

/** Text of the facts of an open session held in memory, in characters. */
export const mostWindowText = 8 * mib;

/** `bytes`: UTF-16 units of all texts in the entries. */
export type WindowSize = { entries: number; bytes: number };

const usualSize: WindowSize = {
  entries: mostWindowFacts,
  bytes: mostWindowText,
};

export class LogWindow {
  readonly #size: WindowSize;
  readonly #entries: Entry[] = [];
  readonly #lengths: number[] = [];
  #bytes = 0;

  constructor(size: WindowSize = usualSize) {
    this.#size = size;
  }

  /** In order, without gaps; always the same array, changed in place as the log grows. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The number of the oldest entry held; of the next entry if none is held. */
  get first(): number {
    return this.#entries[0]?.seq ?? 1;
  }

  /** The number of the session's newest entry; 0 before there is one. */
  get last(): number {
    return this.#entries.at(-1)?.seq ?? 0;
  }

  at(seq: number): Entry | undefined {
    return this.#entries[seq - this.first];
  }

  push(entry: Entry): void {
    const length = lengthOf(entry);
    this.#entries.push(entry);
    this.#lengths.push(length);
    this.#bytes += length;
    if (!this.#holds(this.#size)) this.#shrink();
  }

  /** Drops an eighth more than necessary, so that not every entry triggers it; the newest always stays. */
  #shrink(): void {
    const { entries, bytes } = this.#size;
    const aim = { entries: Math.floor((entries * 7) / 8), bytes: Math.floor((bytes * 7) / 8) };
    let dropped = 0;
    while (dropped < this.#entries.length - 1 && !this.#holds(aim, dropped)) {
      this.#bytes -= this.#lengths[dropped] ?? 0;
      dropped += 1;
    }
    this.#entries.splice(0, dropped);
    this.#lengths.splice(0, dropped);
  }

  #holds({ entries, bytes }: WindowSize, dropped = 0): boolean {
    return this.#entries.length - dropped <= entries && this.#bytes <= bytes;
  }
}

/** Counts only texts: everything else takes little memory in comparison. */
function lengthOf(value: Entry | Json | undefined): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const part of Array.isArray(value) ? value : Object.values<Json | undefined>(value))
    sum += lengthOf(part);
  return sum;
}
