/** Follows a session in the background, and tells when everything up to a fact was heard. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import type { LiveSession } from "../../runtime/live-session.ts";

export type SessionHearing = {
  /** Resolves once the fact with this number was heard. Rejects if the log cannot be followed. */
  upTo(seq: number): Promise<void>;
  stop(): void;
};

/** Begins behind the newest fact. */
export function hearSession(session: LiveSession, hear: (event: Entry | Signal) => void): SessionHearing {
  const stop = new AbortController();
  let heard = session.state.seq;
  let waiting: { seq: number; resolve: () => void } | undefined;
  const check = (): void => {
    if (waiting && heard >= waiting.seq) waiting.resolve();
  };
  const following = (async () => {
    for await (const event of session.follow(heard, stop.signal)) {
      hear(event);
      if ("seq" in event) heard = event.seq;
      check();
    }
  })();
  following.catch(() => undefined); // told to whoever waits
  return {
    upTo: (seq) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { seq, resolve };
      check();
      return Promise.race([promise, following]);
    },
    stop: () => stop.abort(),
  };
}
