/**
 * A streamed reply: the wire's text as bytes, heartbeats during silence, and cancellation when the client stops
 * reading.
 */

import { bounds } from "../../base/bounds.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";

export type StreamRoom = {
  /** Heartbeat text that the format ignores between two texts. */
  sign: string;
  /** Called once, however the stream ends; `whole` if every text was handed over. */
  ended(whole: boolean): void;
  /** Called when the client stops reading, so that the model can be stopped. */
  abandon(reason: Error): void;
  /** Closes the connection, if there is one. */
  cut: (() => void) | undefined;
};

const { silence, unread } = bounds.lmServer;

/** `first` has already been taken from `texts`. The reader pulls, so a slow client slows the model down. */
export function streamOf(
  first: IteratorResult<string>,
  texts: AsyncIterator<string>,
  room: StreamRoom,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waitsForModel = false;
  let lastTouched = performance.now();
  let isOver = false;
  const end = (whole: boolean): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    room.ended(whole);
  };
  const abandon = (reason: Error): void => {
    end(false);
    room.abandon(reason);
    void texts.return?.(undefined).catch(() => undefined);
  };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  // One timer for the whole stream: one per chunk would cost more than the chunk.
  const watch = setInterval(() => {
    const idle = performance.now() - lastTouched;
    const isRead = waitsForModel && (controller?.desiredSize ?? 0) >= 0;
    if (isRead && idle >= silence.most) {
      lastTouched = performance.now();
      controller?.enqueue(encoder.encode(room.sign));
    } else if (!isRead && idle >= unread.most) {
      const reason = new Error("The client did not read the answer.");
      if (room.cut) room.cut();
      else controller?.error(reason);
      abandon(reason);
    }
  }, silence.most / 4);
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

/** Ensures a timely first event: if the model is slow, emits the answer's start on its behalf. */
export async function* begunInTime(
  events: AsyncIterable<ModelEvent>,
  begin: Promise<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    const coming = iterator.next();
    coming.catch(() => undefined);
    const first = await Promise.race([coming, begin]);
    if ("type" in first) yield first;
    const isBegun = "type" in first;
    for (let next = await coming; next.done !== true; next = await iterator.next())
      if (!isBegun || next.value.type !== "answer-start") yield next.value;
  } finally {
    await iterator.return?.();
  }
}
