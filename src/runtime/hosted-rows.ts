/** The sessions of a host as lists show them: as the store knows them, and as those are that are open here. */
import type { Parsed } from "../base/json.ts";
import { isSameProcess, ownIdentity } from "../base/process-identity.ts";
import { awaitsPerson } from "../protocol/session-state.ts";
import type { FoundSession, Store } from "../session/store.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import type { LiveSession } from "./live-session.ts";
import type { HostedRow, Which } from "./session-host.ts";
import { sessionRow, type SessionSummary, type Standing } from "./sessions.ts";

type Room = { store: Store; sessions: HostedSessions };

/** Among so many that fit, in a search. */
const mostFound = 500;

export async function hostedRows(
  room: Room,
  { search, limit, after }: Which,
): Promise<{ sessions: HostedRow[]; more: boolean }> {
  const all: (SessionSummary | FoundSession)[] =
    search === undefined || search.trim() === ""
      ? await room.store.list()
      : await room.store.search(search, mostFound);
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const shown = all.slice(start, start + limit);
  const sessions: HostedRow[] = [];
  for (const summary of shown) sessions.push(await hostedRow(room, summary));
  return { sessions, more: all.length > start + shown.length };
}

export async function hostedRow(
  { store, sessions }: Room,
  summary: SessionSummary & { excerpt?: string },
): Promise<HostedRow> {
  const row = await sessionRow(store, summary);
  const live = sessions.live(summary.id);
  if (live) return { ...row, standing: standingHere(live) };
  const { holder } = row;
  if (!holder || isSameProcess(holder.process, ownIdentity())) return row;
  return { ...row, heldBy: `${holder.program} (process ${holder.process.pid})` };
}

function standingHere(live: LiveSession): Standing {
  if (live.state.status === "idle") return "idle";
  if (awaitsPerson(live.state)) return "waiting";
  return live.isWorking ? "running" : "left-open";
}

export async function rowOf(room: Room, id: string): Promise<Parsed<HostedRow>> {
  const summary = await room.store.get(id);
  return summary
    ? { ok: true, value: await hostedRow(room, summary) }
    : { ok: false, problem: `There is no session ${id} any more.` };
}
