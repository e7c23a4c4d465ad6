/** Keeps a session's lease alive while its holder runs, and releases it afterwards. */

import { renewMs } from "./owner.ts";
import type { Store } from "./store.ts";

/**
 * Renews the lease by a timer that does not keep the process alive, until the returned function releases the session.
 */
export function holdLease(store: Store, session: string, epoch: number): () => Promise<void> {
  const timer = setInterval(() => {
    // A lost lease is reported by the next append.
    store.renew(session, epoch).catch(() => undefined);
  }, renewMs).unref();
  return async () => {
    clearInterval(timer);
    // A failed release does no harm: the session becomes free when this process ends.
    await store.release(session, epoch).catch(() => undefined);
  };
}
