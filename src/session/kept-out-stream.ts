/** Keeps known values out of streamed text, also where one is split over several pieces. */

import type { KeepOut } from "../base/keep-out.ts";
import type { Signal } from "../protocol/facts.ts";
import type { DeltaSignal } from "./signal-batch.ts";
/** `read` and `told`: how far the stream has come in, and gone out; `held`: may be the beginning of a value. */
type Stream = { read: number; told: number; held: string };

export class KeptOutStream {
  readonly #keepOut: KeepOut;
  readonly #streams = new Map<string, Stream>();

  constructor(keepOut: KeepOut) {
    this.#keepOut = keepOut;
  }

  /** Undefined while all of it is held back: the block's own fact has the rest. */
  pass(signal: Signal): Signal | undefined {
    if (!("text" in signal)) return this.#keepOut.data(signal);
    const key = "block" in signal ? `${signal.type} ${signal.block}` : signal.callId;
    const before = this.#streams.get(key);
    const stream =
      before?.read === signal.offset ? before : { read: signal.offset, told: signal.offset, held: "" };
    const given = stream.held + signal.text;
    const clean = this.#keepOut.text(given);
    const begun = this.#keepOut.begun(clean);
    const text = clean.slice(0, clean.length - begun);
    this.#streams.set(key, {
      read: signal.offset + signal.text.length,
      told: stream.told + text.length,
      held: clean.slice(clean.length - begun),
    });
    return text === "" ? undefined : ({ ...signal, offset: stream.told, text } satisfies DeltaSignal);
  }

  /** Blocks that have become facts are over. */
  over(): void {
    for (const key of this.#streams.keys()) if (!key.startsWith("call")) this.#streams.delete(key);
  }
}
