/**
 * Follows a session's events over plain HTTP, reconnecting as needed: each fact once, in order, and the newest signals.
 */

import { sleep } from "../base/async.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import { routes } from "./api.ts";
import { ask, type ApiRequest, type GatewayEndpoint } from "./asking.ts";
import { Backoff } from "./backoff.ts";
import { gatewaySilenceMs } from "./bounds.ts";
import { EventCursor } from "./cursor.ts";
import { piecesOf, streamEvents } from "./event-stream.ts";
import { clientCodes, GatewayError, mayPass } from "./gateway-error.ts";

export type EventStreamContext = GatewayEndpoint & { random?: (() => number) | undefined };

/** Runs until aborted. Throws GatewayError if the first request fails, or a later one fails permanently. */
export async function* followedEvents(
  asked: ApiRequest,
  context: EventStreamContext,
): AsyncGenerator<Entry | Signal, void> {
  const { signal, query = {} } = asked;
  const cursor = new EventCursor(Number(query["after"] ?? 0));
  const backoff = new Backoff(context.random);
  const isLeft = () => signal?.aborted === true;
  for (let isFirst = true; !isLeft(); isFirst = false) {
    const silence = silenceAfter(signal);
    try {
      const again = { ...asked, query: { ...query, after: cursor.seq } };
      const response = await ask(routes.events, { ...again, signal: silence.signal }, context);
      isFirst = false;
      backoff.opened();
      yield* eventsOf(response, cursor, silence);
    } catch (error) {
      if (isLeft()) return;
      if (isFirst || !mayPass(error)) throw error;
    } finally {
      silence.end();
    }
    await sleep(backoff.next(), signal).catch(() => undefined);
  }
}

/** Ends with the stream, or where a fact is missing. */
async function* eventsOf(
  response: Response,
  cursor: EventCursor,
  silence: SilenceTimer,
): AsyncGenerator<Entry | Signal, void> {
  try {
    for await (const { event, data } of streamEvents(withSilenceReset(piecesOf(response.body), silence))) {
      if (event !== "fact" && event !== "signal") continue;
      const told: Entry | Signal = JSON.parse(data);
      const place = cursor.take(told);
      if (place === "gap") return;
      if (place === "next") yield told;
    }
  } catch (error) {
    throw new GatewayError({
      code: clientCodes.unreachable,
      message: "The stream of events broke off.",
      cause: error,
    });
  }
}

type SilenceTimer = { signal: AbortSignal; heard: () => void; end: () => void };

/** Aborts the request after too long a silence; a live gateway sends a heartbeat now and then. */
function silenceAfter(signal: AbortSignal | undefined): SilenceTimer {
  const dead = new AbortController();
  const begin = () => setTimeout(() => dead.abort(new Error("silence")), gatewaySilenceMs);
  let timer = begin();
  return {
    signal: signal ? AbortSignal.any([signal, dead.signal]) : dead.signal,
    heard() {
      clearTimeout(timer);
      timer = begin();
    },
    end: () => clearTimeout(timer),
  };
}

async function* withSilenceReset(
  pieces: AsyncIterable<Uint8Array>,
  silence: SilenceTimer,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    silence.heard();
    yield piece;
  }
}
