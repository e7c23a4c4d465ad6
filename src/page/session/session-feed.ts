/** Follows a session into its store, however often the connection breaks. */

import { errorMessage } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { LiveConnection } from "../../remote/live.ts";
import type { SessionStore } from "./session-store.ts";

/** Ends when aborted, or with the reason why the session cannot be followed. */
export async function follow(
  live: LiveConnection,
  store: SessionStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  let waiting: (Entry | Signal)[] = [];
  const give = (): void => {
    const events = waiting;
    waiting = [];
    if (events.length > 0) store.take(events, Date.now());
  };
  const soon = paceUpdates(give);
  const after = store.view.value.facts;
  try {
    for await (const event of live.follow(store.id, { after, person: true, signal })) {
      waiting.push(event);
      soon();
    }
    return undefined;
  } catch (error) {
    return errorMessage(error);
  } finally {
    give();
  }
}

/** A hidden page gets no animation frames, but must still notice questions. */
const unseenMs = 250;
/** Smooth enough for reading; each update costs a layout. */
const seenMs = 100;

/** Calls `run` soon, once for any number of calls. */
function paceUpdates(run: () => void): () => void {
  let isDue = false;
  let ranAt = 0;
  let unseen: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (!isDue) return;
    isDue = false;
    clearTimeout(unseen);
    ranAt = performance.now();
    run();
  };
  const withNextPicture = (): void => {
    requestAnimationFrame(now);
    unseen = setTimeout(now, unseenMs);
  };
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(withNextPicture, Math.max(0, ranAt + seenMs - performance.now()));
  };
}
