/**
 * A streamed reply: the wire's text as bytes, signs of life during silence, and cancellation when the client stops
 * reading.
 */

import type { ModelEvent } from "../protocol/model-events.ts";
import { lmServerBounds } from "./bounds.ts";

/** Silence towards a client of the language-model server while a model works, in milliseconds. */
export const silenceMs = 10_000;

export type StreamCallbacks = {
  /** Called once, however the stream ends; `whole` if every text was handed over. */
  ended(whole: boolean): void;
  /** Called when the client stops reading, so that the model can be stopped. */
  abandon(reason: Error): void;
  /** Closes the connection, if there is one. */
  cut: (() => void) | undefined;
};

const { unread } = lmServerBounds;

/** `first` has already been taken from `texts`. The reader pulls, so a slow client slows the model down. */
export function streamOf(
  first: IteratorResult<string>,
  texts: AsyncIterator<string>,
  context: StreamCallbacks,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waitsForModel = false;
  let lastTouched = performance.now();
  let isOver = false;
  const end = (whole: boolean): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    context.ended(whole);
  };
  const abandon = (reason: Error): void => {
    end(false);
    context.abandon(reason);
    void texts.return?.(undefined).catch(() => undefined);
  };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  // One timer for the whole stream: one per chunk would cost more than the chunk.
  const watch = setInterval(() => {
    const idle = performance.now() - lastTouched;
    if (!waitsForModel && idle >= unread.most) {
      const reason = new Error("The client did not read the answer.");
      if (context.cut) context.cut();
      else controller?.error(reason);
      abandon(reason);
    }
  }, silenceMs / 4);
  watch.unref();
  let held: IteratorResult<string> | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      async pull(given) {
        waitsForModel = true;
        const next = held ?? (await texts.next());
        held = undefined;
        waitsForModel = false;
        lastTouched = performance.now();
        if (isOver) return;
        if (next.done !== true) return given.enqueue(encoder.encode(next.value));
        end(true);
        given.close();
      },
      cancel: (reason) => abandon(reason instanceof Error ? reason : new Error("The client went away.")),
    },
    { highWaterMark: 0 },
  );
}

/**
 * The events, with a sign of life in each long silence while the client reads. Clients stop waiting for a stream without
 * frames, and some for one without a head: before the first event comes the answer's start, on behalf of the model.
 */
export async function* withSigns(
  events: AsyncIterable<ModelEvent>,
  start: ModelEvent & { type: "answer-start" },
): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  let wake: (() => void) | undefined;
  let since = performance.now();
  // One timer for the whole answer: one per event would cost more than the event.
  const watch = setInterval(() => {
    if (performance.now() - since >= silenceMs) wake?.();
  }, silenceMs / 4);
  watch.unref();
  let isBegun = false;
  let isLent = false;
  try {
    let coming = iterator.next();
    for (;;) {
      since = performance.now();
      const next = await new Promise<IteratorResult<ModelEvent> | undefined>((resolve, reject) => {
        wake = () => resolve(undefined);
        coming.then(resolve, reject);
      });
      wake = undefined;
      if (next?.done === true) return;
      if (!next && !isBegun) {
        isLent = true;
        yield start;
      }
      isBegun = true;
      if (!next) yield sign;
      else {
        if (!isLent || next.value.type !== "answer-start") yield next.value;
        coming = iterator.next();
      }
    }
  } finally {
    clearInterval(watch);
    await iterator.return?.();
  }
}

const sign: ModelEvent = { type: "withheld", name: "", characters: 0 };
