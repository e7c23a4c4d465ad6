/** Follows a host's session, whether it is open here, open elsewhere or closed. */

import type { Entry, Signal } from "../protocol/facts.ts";
import type { Store } from "../session/store.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import type { Overheard } from "./overheard.ts";
import type { HistoryPage, SharedHistory } from "./shared-history.ts";

type FollowContext = {
  store: Pick<Store, "get" | "openBlock">;
  sessions: HostedSessions;
  history: SharedHistory;
};
type FollowRequest = { id: string; after: number; signal: AbortSignal };

/**
 * Yields each fact after `after` once and in order, those that were missed in pages; signals while the session is open
 * here or in a process that tells of it, and what a text that was never finished has said so far. Ends on abort, or
 * when the session is deleted.
 */
export async function* followHosted(
  context: FollowContext,
  { id, after, signal }: FollowRequest,
): AsyncGenerator<HistoryPage | Entry | Signal, void> {
  const { store, sessions, history } = context;
  const { overheard, leave } = sessions.overhear(id);
  let cursor = after;
  try {
    while (!signal.aborted) {
      overheard.reading();
      for await (const page of missedPages({ sessions, history }, id, cursor)) {
        if (signal.aborted) return;
        cursor = page.last;
        yield page;
      }
      const live = sessions.live(id);
      if (live) {
        for await (const event of live.follow(cursor, AbortSignal.any([signal, sessions.closing(id)]))) {
          if ("seq" in event) cursor = event.seq;
          yield event;
        }
        overheard.forget();
        continue;
      }
      if (!(await store.get(id))) return;
      yield* overheard.stored(await store.openBlock(id));
      yield* liveElsewhere(context, overheard, { id, after: cursor, signal });
    }
  } finally {
    leave();
  }
}

/** Until there are facts after `after`, of which a notice or a look into the store tells, or the session is open here. */
async function* liveElsewhere(
  { store, sessions }: FollowContext,
  overheard: Overheard,
  { id, after, signal }: FollowRequest,
): AsyncGenerator<Signal, void> {
  let readAt = performance.now();
  for (;;) {
    if ((await sessions.news(id, after, { signal, overheard })) === "facts") return;
    yield* overheard.take(after);
    const isDue = performance.now() - readAt >= storedMs;
    if (!overheard.isBehind || !isDue) continue;
    readAt = performance.now();
    yield* overheard.stored(await store.openBlock(id));
  }
}

/** Within this time a writer stores its open block, in milliseconds: it waits for a full quarter of a second, and not for a near one. */
const storedMs = 500;

/** What is stored; of a session that is open here, what it has announced: the rest comes from itself. */
async function* missedPages(
  { sessions, history }: Pick<FollowContext, "sessions" | "history">,
  id: string,
  after: number,
): AsyncGenerator<HistoryPage, void> {
  const announced = (): number => sessions.live(id)?.state.seq ?? Number.POSITIVE_INFINITY;
  if (announced() <= after) return;
  for await (const page of history.pages(id, after)) {
    const known = page.upTo(announced());
    if (known.entries.length > 0) yield known;
    if (page.last >= announced()) return;
  }
}
