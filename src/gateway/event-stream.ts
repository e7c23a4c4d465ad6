/** A session as server-sent events: facts with their number as id, signals without one, and heartbeats in between. */

import type { Entry, Signal } from "../protocol/facts.ts";
import { beatTimeMs } from "./bounds.ts";
import type { Clockwork } from "./clockwork.ts";
import { eventJson } from "./following.ts";
import type { GatewayContext } from "./gateway-context.ts";
/** A comment, which every SSE reader skips; it shows proxies and clients that the connection is alive. */
const sign = ": here\n\n";

type NextEvent = IteratorResult<Entry | Signal, void>;

/** Ends when the events end. */
export async function* eventStream(
  events: AsyncIterable<Entry | Signal>,
  { clock, counts }: Pick<GatewayContext, "clock" | "counts">,
): AsyncGenerator<string, void> {
  const iterator = events[Symbol.asyncIterator]();
  const beat = new Heartbeat(clock);
  try {
    yield sign;
    for (let waiting: Promise<NextEvent> | undefined; ;) {
      waiting ??= iterator.next();
      const next = await beat.orNext(waiting);
      if (next) waiting = undefined;
      if (next?.done) return;
      const text = next ? eventText(next.value) : sign;
      if (next) counts.one("events_total", { type: "seq" in next.value ? "fact" : "signal" });
      counts.add("event_bytes_total", text.length);
      yield text;
      beat.sent();
    }
  } finally {
    beat.stop();
    await iterator.return?.();
  }
}

/** One event in SSE format. JSON text contains no raw line breaks. */
function eventText(event: Entry | Signal): string {
  if (!("seq" in event)) return `event: signal\ndata: ${eventJson(event)}\n\n`;
  return `event: fact\nid: ${event.seq}\ndata: ${eventJson(event)}\n\n`;
}

class Heartbeat {
  readonly stop: () => void;
  readonly #clock: Clockwork;
  #sentAt: number;
  #due: (() => void) | undefined;

  constructor(clock: Clockwork) {
    this.#clock = clock;
    this.#sentAt = clock.now;
    this.stop = clock.watch((now) => {
      if (now - this.#sentAt >= beatTimeMs) this.#due?.();
    });
  }

  sent(): void {
    this.#sentAt = this.#clock.now;
  }

  /** The next event, or `undefined` when a heartbeat is due. */
  async orNext(waiting: Promise<NextEvent>): Promise<NextEvent | undefined> {
    const due = new Promise<undefined>((resolve) => {
      this.#due = () => resolve(undefined);
    });
    return Promise.race([waiting, due]);
  }
}
