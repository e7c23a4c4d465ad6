/** What running calls have printed so far, for readers that come later: of each its newest characters. */

import { kib } from "../base/bound.ts";
import type { Entry, Signal } from "../protocol/facts.ts";

type OutputDelta = Extract<Signal, { type: "output-delta" }>;

/** Characters that are held of each call. */
export const mostHeldOutput = 64 * kib;

export class OpenOutputs {
  /** By call, from the oldest character that is held. */
  readonly #deltas = new Map<string, OutputDelta>();

  add(delta: OutputDelta): void {
    const held = this.#deltas.get(delta.callId);
    const goesOn = held && delta.offset === held.offset + held.text.length;
    const { offset, text } = goesOn ? { offset: held.offset, text: held.text + delta.text } : delta;
    // Cut only now and then: a long output must not be copied for each of its pieces.
    const left = text.length > 2 * mostHeldOutput ? text.length - mostHeldOutput : 0;
    this.#deltas.set(delta.callId, { ...delta, offset: offset + left, text: text.slice(left) });
  }

  /** Its result says all that a call has printed. */
  close(entry: Entry): void {
    if (entry.type === "result") this.#deltas.delete(entry.callId);
    if (entry.type === "turn-end") this.#deltas.clear();
  }

  snapshots(): OutputDelta[] {
    return [...this.#deltas.values()];
  }
}
