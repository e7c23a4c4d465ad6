/** A host's session lists: what the store knows, combined with the state of sessions open here. */

import {
  sessionRow,
  type SessionRow,
  sessionRows,
  type SessionSummary,
  type SessionStatus,
} from "../archive/sessions.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isSameProcess, ownIdentity } from "../base/process-identity.ts";
import { awaitsPerson } from "../protocol/session-state.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import type { FoundSession, Store } from "../session/store.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import type { HostedRow, SessionFilter } from "./session-host.ts";
import type { TurnEngine } from "./turn-engine.ts";

type ListingContext = { store: Store; sessions: HostedSessions; engine: Pick<TurnEngine, "owner"> };

/** Most search hits, and unfinished sessions, considered. */
const mostFound = 500;

export async function hostedRows(
  context: ListingContext,
  which: SessionFilter,
): Promise<{ sessions: HostedRow[]; more: boolean }> {
  const { limit } = which;
  const found = await oneMore(context.store, which);
  const newest = found.slice(0, limit);
  const shown = which.unfinished === true ? await withUnfinished(context.store, newest, which) : newest;
  const rows = await sessionRows(context.store, shown);
  const owners = await context.engine.owner(rows.map(({ id }) => id));
  return { sessions: rows.map((row) => asHosted(context.sessions, row, owners)), more: found.length > limit };
}

/** What waits for a person, runs or was interrupted must never be out of sight because newer sessions exist. */
async function withUnfinished(
  store: Store,
  newest: readonly (SessionSummary | FoundSession)[],
  { seenBy }: SessionFilter,
): Promise<(SessionSummary | FoundSession)[]> {
  const known = new Set(newest.map(({ id }) => id));
  const older = (await store.unfinished(mostFound, seenBy)).filter(({ id }) => !known.has(id));
  return [...older, ...newest];
}

/** Fetches one row more than wanted, to tell whether there are further ones. */
async function oneMore(
  store: Store,
  { search = "", limit, after, parent, seenBy }: SessionFilter,
): Promise<(SessionSummary | FoundSession)[]> {
  const isPlain = search.trim() === "";
  const seen = seenBy ? { seenBy } : {};
  if (isPlain && parent === undefined)
    return store.list({ limit: limit + 1, before: after, ofPeople: true, ...seen });
  const all = isPlain ? await store.children(parent ?? "") : await store.search(search, mostFound, seen);
  const found = parent === undefined ? all : all.filter((one) => one.parent === parent);
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  return found.slice(start, start + limit + 1);
}

export const hostedRow = async (
  { store, sessions, engine }: ListingContext,
  summary: SessionSummary,
): Promise<HostedRow> =>
  asHosted(sessions, await sessionRow(store, summary), await engine.owner([summary.id]));

/** What the engine runs is not in the way, wherever it runs. */
function asHosted(sessions: HostedSessions, row: SessionRow, owners: ReadonlyMap<string, string>): HostedRow {
  const live = sessions.live(row.id);
  if (live) return { ...row, standing: standingHere(live) };
  const { holder } = row;
  if (!holder || owners.has(row.id) || isSameProcess(holder.process, ownIdentity())) return row;
  return { ...row, heldBy: `${holder.program} (process ${holder.process.pid})` };
}

function standingHere(live: LiveSession): SessionStatus {
  if (live.state.status === "idle") return "idle";
  if (awaitsPerson(live.state)) return "waiting";
  return live.isWorking ? "running" : "left-open";
}

export async function rowOf(context: ListingContext, id: string): Promise<Expected<HostedRow>> {
  const summary = await context.store.get(id);
  return summary
    ? { ok: true, value: await hostedRow(context, summary) }
    : refuse(`There is no session ${id} any more.`);
}
