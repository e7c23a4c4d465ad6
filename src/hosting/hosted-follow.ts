/** Follows a host's session, whether it is open here, open elsewhere or closed. */

import type { Entry, Signal } from "../protocol/facts.ts";
import type { StreamedBlock, Store } from "../session/store.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import type { HistoryPage, SharedHistory } from "./shared-history.ts";

type FollowContext = {
  store: Pick<Store, "get" | "openBlock">;
  sessions: HostedSessions;
  history: SharedHistory;
};
type FollowRequest = { id: string; after: number; signal: AbortSignal };

/**
 * Yields each fact after `after` once and in order, those that were missed in pages; signals only while the session is
 * open here, except for what a text that was never finished has said so far. Ends on abort, or when the session is
 * deleted.
 */
export async function* followHosted(
  { store, sessions, history }: FollowContext,
  { id, after, signal }: FollowRequest,
): AsyncGenerator<HistoryPage | Entry | Signal, void> {
  let cursor = after;
  let told: number | undefined;
  while (!signal.aborted) {
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
      continue;
    }
    if (!(await store.get(id))) return;
    const unfinished = await store.openBlock(id);
    if (unfinished && unfinished.text !== "" && unfinished.block !== told) yield saidSoFar(unfinished);
    told = unfinished?.block;
    await sessions.news(id, cursor, signal);
  }
}

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

/** A follower that already has the block's fact leaves it alone. */
const saidSoFar = ({ kind, block, text }: StreamedBlock): Signal => ({
  type: kind === "text" ? "text-delta" : "reasoning-delta",
  block,
  offset: 0,
  text,
});
