/** Follows a session into its store, however often the connection breaks. */

import { errorMessage } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { LiveConnection } from "../../remote/live.ts";
import { paceUpdates } from "../app/pacing.ts";
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
