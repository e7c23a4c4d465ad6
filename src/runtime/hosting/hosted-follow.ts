/** Follows a host's session, whether it is open here, open elsewhere or closed. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import { followedPage } from "../../session/pages.ts";
import type { OpenBlock, Store } from "../../session/store.ts";
import type { HostedSessions } from "./hosted-sessions.ts";

type Room = { store: Pick<Store, "read" | "get" | "openBlock">; sessions: HostedSessions };
type Following = { id: string; after: number; signal: AbortSignal };

/**
 * Yields each fact after `after` once and in order; signals only while the session is open here, except for what a text
 * that was never finished has said so far. Ends on abort, or when the session is deleted.
 */
export async function* followHosted(
  { store, sessions }: Room,
  { id, after, signal }: Following,
): AsyncGenerator<Entry | Signal, void> {
  let cursor = after;
  let told: number | undefined;
  while (!signal.aborted) {
    const live = sessions.live(id);
    if (live) {
      for await (const event of live.follow(cursor, AbortSignal.any([signal, sessions.closing(id)]))) {
        if ("seq" in event) cursor = event.seq;
        yield event;
      }
      continue;
    }
    const page = await store.read(id, cursor, followedPage);
    for (const entry of page) {
      if (signal.aborted) return;
      cursor = entry.seq;
      yield entry;
    }
    if (page.length > 0) continue;
    if (!(await store.get(id))) return;
    const unfinished = await store.openBlock(id);
    if (unfinished && unfinished.text !== "" && unfinished.block !== told) yield saidSoFar(unfinished);
    told = unfinished?.block;
    await sessions.news(id, cursor, signal);
  }
}

/** A follower that already has the block's fact leaves it alone. */
const saidSoFar = ({ kind, block, text }: OpenBlock): Signal => ({
  type: kind === "text" ? "text-delta" : "reasoning-delta",
  block,
  offset: 0,
  text,
});
