/** How a holder says that it is there, and that it is not any more. */

import { renewMs } from "./owner.ts";
import type { Store } from "./store.ts";

/**
 * Renews the lease by a timer that keeps no process alive, until what it returns is called: that releases the session.
 */
export function holdLease(store: Store, session: string, epoch: number): () => Promise<void> {
  const timer = setInterval(() => {
    // Who has lost it is told at the next append.
    store.renew(session, epoch).catch(() => undefined);
  }, renewMs).unref();
  return async () => {
    clearInterval(timer);
    // What cannot be released is free anyway as soon as this process has ended.
    await store.release(session, epoch).catch(() => undefined);
  };
}
