/** The sessions that belong to the folders of this window, as the gateway lists them. */

import type { LiveConnection, SessionList, SessionValue } from "../../../../../src/client.ts";

/** Whether a session's workspace is a folder of this window. */
export type IsHere = (session: SessionValue) => boolean;

/** Enough for every session that works or waits, and for those of today. */
const mostListed = 100;

/** The sessions of this window, now and whenever something changes about them, newest first; until aborted. */
export async function* sessionsHere(
  live: LiveConnection,
  isHere: IsHere,
  signal: AbortSignal,
): AsyncGenerator<SessionValue[], void> {
  for await (const list of live.watch(mostListed, signal)) yield ownSessions(list, isHere);
}

/** A subagent's session belongs to its parent. */
const ownSessions = ({ sessions }: SessionList, isHere: IsHere): SessionValue[] =>
  sessions.filter((session) => session.parent === undefined && isHere(session));
