/** Reads a session's entries in pages, so that a long session never takes more than one page of memory. */

import { mib, kib } from "../base/bound.ts";
import { mostPageFacts, mostFollowedFacts } from "../base/bounds.ts";
import type { Entry } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { emptyState, type SessionState } from "../protocol/session-state.ts";
import { type PageSize, type Store, StoreError } from "./store.ts";

/** Text of the facts read from the database at once, in characters. */
const mostPageText = 8 * mib;
/** Text of the facts read from the database at once for one follower, in characters. */
const mostFollowedText = 256 * kib;

type Pages = Pick<Store, "read">;
const wholePage: PageSize = { facts: mostPageFacts, characters: mostPageText };
/** Small, because each slow reader holds one. */
export const followedPage: PageSize = { facts: mostFollowedFacts, characters: mostFollowedText };

/** Entries after `after`, in order, up to the last one stored by the time it is reached. */
export async function* pagesOf(store: Pages, session: string, after = 0): AsyncGenerator<Entry[], void> {
  for (let cursor = after; ;) {
    const page = await store.read(session, cursor, wholePage);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    cursor = last.seq;
  }
}

/** Entries after `after` known to be stored, up to `last`, for one slow reader. Throws StoreError. */
export async function pageUpTo(
  store: Pages,
  session: string,
  { after, last }: { after: number; last: number },
): Promise<Entry[]> {
  const facts = Math.min(followedPage.facts, last - after);
  const page = await store.read(session, after, { ...followedPage, facts });
  if (page.length > 0) return page;
  throw new StoreError(
    `Facts ${after + 1} to ${last} of session ${session} are not in the database any more. Was it replaced or changed from outside? Close this session and resume it.`,
  );
}

/** The fold of everything stored of a session. */
export async function foldStored(store: Pages, session: string): Promise<SessionState> {
  const state = emptyState();
  for await (const page of pagesOf(store, session)) for (const entry of page) step(state, entry);
  return state;
}
