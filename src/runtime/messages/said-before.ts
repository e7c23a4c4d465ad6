/** What a person said in the sessions of a workspace, newest first; each session is read when it is reached. */

import type { Entry } from "../../protocol/facts.ts";
import { typedIn } from "../../protocol/messages.ts";
import { pagesOf } from "../../session/pages.ts";
import type { SessionSummary, Store } from "../../session/store.ts";

/** Sessions that are looked at; older ones are found by `toolwright sessions search`. */
const mostSessions = 200;
const sessionsAtOnce = 20;

type SaidContext = { store: Pick<Store, "list" | "read">; workspace: string };

/** Throws StoreError. */
export async function* saidBefore({ store, workspace }: SaidContext): AsyncGenerator<string, void> {
  let before: string | undefined;
  for (let seen = 0; seen < mostSessions; seen += sessionsAtOnce) {
    const sessions: SessionSummary[] = await store.list({ limit: sessionsAtOnce, before, ofPeople: true });
    for (const { id } of sessions.filter((session) => session.workspace === workspace))
      yield* (await saidIn(store, id)).toReversed();
    before = sessions.at(-1)?.id;
    if (sessions.length < sessionsAtOnce) return;
  }
}

async function saidIn(store: SaidContext["store"], session: string): Promise<string[]> {
  const said: string[] = [];
  for await (const page of pagesOf(store, session)) for (const entry of page) said.push(...wordsOf(entry));
  return said;
}

/** A message that waited is a fact again when it is taken up: the second one is left out. */
function wordsOf(entry: Entry): string[] {
  const isSaid = entry.type === "user-message" || entry.type === "steer" || entry.type === "message-queued";
  if (!isSaid || (entry.type !== "message-queued" && entry.queued !== undefined)) return [];
  return [typedIn(entry.content, "\n")];
}
