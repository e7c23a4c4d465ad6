/** Tracks a reader's position in a session's facts: each number once, in order, without a gap. */

import type { Entry, Signal } from "../protocol/facts.ts";

export class EventCursor {
  #seq: number;

  constructor(after: number) {
    this.#seq = Number.isSafeInteger(after) && after > 0 ? after : 0;
  }

  get seq(): number {
    return this.#seq;
  }

  /** `next`: pass it on. `known`: already passed on. `gap`: an earlier fact is missing. */
  take(event: Entry | Signal): "next" | "known" | "gap" {
    if (!("seq" in event)) return "next";
    if (event.seq <= this.#seq) return "known";
    if (event.seq > this.#seq + 1) return "gap";
    this.#seq = event.seq;
    return "next";
  }
}
