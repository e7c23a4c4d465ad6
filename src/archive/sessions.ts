/** Manages stored sessions for people: listing, searching, renaming, forking, deleting. */

import { type Expected, refuse } from "../base/expected.ts";
import type { KeepOut } from "../base/keep-out.ts";
import type { Entry, Fact } from "../protocol/facts.ts";
import { SessionLog } from "../session/log.ts";
import { isAlive, ownOwner, type Holder } from "../session/owner.ts";
import { pagesOf } from "../session/pages.ts";
import { newSessionId } from "../session/session-id.ts";
import { nameFrom } from "../session/store-rules.ts";
import {
  type FoundSession,
  type Page,
  SessionHeld,
  type SessionSummary,
  type Store,
  StoreError,
} from "../session/store.ts";
import { account, emptyAccount, type Account } from "./session-account.ts";

export type { FoundSession, Holder, SessionSummary, Store };
export { account, emptyAccount, type Account } from "./session-account.ts";

/**
 * `running`: a program works on it. `waiting`: it waits for a person's answer. `left-open`: a request is unfinished,
 * but no program works on it. `idle`: the last request is over.
 */
export type SessionStatus = "idle" | "running" | "waiting" | "left-open";

export type SessionRow = SessionSummary & {
  standing: SessionStatus;
  /** The living program that has it open. */
  holder?: Holder;
} & Pick<Account, "turns" | "answers" | "usage" | "cost" | "from" | "failed">;

/** Loaded late: opening a session needs no accounts. */
const accountsOf = async (store: Store, summaries: readonly SessionSummary[]): Promise<Account[]> =>
  (await import("./kept-accounts.ts")).accountsOf(store, summaries);

const use = () => import("./tenant-use.ts");

/** Reads the facts added since the session was last listed. */
export async function sessionRow(store: Store, summary: SessionSummary): Promise<SessionRow> {
  const [sum = emptyAccount()] = await accountsOf(store, [summary]);
  return rowOf(store, summary, sum);
}

/** The same for several sessions, in order; stores the updated accounts in one go. */
export async function sessionRows(store: Store, summaries: readonly SessionSummary[]): Promise<SessionRow[]> {
  const sums = await accountsOf(store, summaries);
  return Promise.all(summaries.map((summary, at) => rowOf(store, summary, sums[at] ?? emptyAccount())));
}

/** Newest first: at most `limit` sessions after `before`. Other sessions are not read. */
export const listRows = async (store: Store, page: Page): Promise<SessionRow[]> =>
  sessionRows(store, await store.list(page));

async function rowOf(store: Store, summary: SessionSummary, sum: Account): Promise<SessionRow> {
  const { turns, answers, usage, cost, from, failed } = sum;
  const holder = await livingHolder(store, summary.id);
  return {
    ...summary,
    standing: standingOf(sum, holder),
    turns,
    answers,
    usage,
    cost,
    ...(holder ? { holder } : {}),
    from,
    failed,
  };
}

/** The models that people used last, in this workspace and then anywhere; none if the store cannot be read. */
export async function lastModels(store: Store, workspace: string): Promise<string[]> {
  try {
    return await modelsUsed(store, workspace);
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

async function modelsUsed(store: Store, workspace: string): Promise<string[]> {
  const ofPeople = (await store.list()).filter(({ parent }) => parent === undefined);
  const here = ofPeople.filter((session) => session.workspace === workspace);
  const found: string[] = [];
  for (const sessions of [here, ofPeople]) {
    for (const session of sessions.slice(0, mostLookedAt)) {
      const [sum] = await accountsOf(store, [session]);
      if (sum?.model === undefined) continue;
      found.push(sum.model);
      break;
    }
  }
  return [...new Set(found)];
}

/** Sessions in which no model was used yet are few in a row. */
const mostLookedAt = 20;

export async function* entriesOf(store: Store, session: string): AsyncGenerator<Entry, void> {
  for await (const page of pagesOf(store, session)) yield* page;
}

export async function livingHolder(store: Store, session: string): Promise<Holder | undefined> {
  const holder = await store.holder(session);
  return holder && isAlive(holder, Date.now()) ? holder : undefined;
}

export function standingOf({ isRunning, asking }: Account, holder: Holder | undefined): SessionStatus {
  if (!isRunning) return "idle";
  if (asking.size > 0) return "waiting";
  return holder ? "running" : "left-open";
}

/** The tenant's sessions in which something runs; those of subagents run within them. */
export async function sessionsAtWork(store: Store, tenant: string): Promise<string[]> {
  const open = await store.unfinished(mostUnfinished, { tenant });
  const rows = await sessionRows(store, open);
  return rows.filter(({ standing }) => standing === "running").map(({ id }) => id);
}

/** Of a tenant: more cannot be at work. */
const mostUnfinished = 10_000;

type SessionRenaming = { session: string; title: string; keepOut: KeepOut | undefined };

/** If a program has the session open, it must be renamed there. Throws StoreError, SessionHeld. */
export async function renameSession(
  store: Store,
  { session, title, keepOut }: SessionRenaming,
): Promise<Expected<string>> {
  const name = nameFrom(keepOut?.text(title) ?? title);
  if (name === "") return refuse("A session needs a name: give at least a word.");
  await append(store, { session, keepOut }, [{ type: "session-renamed", title: name }]);
  return { ok: true, value: name };
}

/** To a session that no program has open. */
async function append(
  store: Store,
  { session, keepOut }: Pick<SessionRenaming, "session" | "keepOut">,
  facts: readonly Fact[],
): Promise<void> {
  const epoch = await store.claim(session, { owner: ownOwner() });
  try {
    const log = await SessionLog.open({ store, session, epoch, keepOut });
    await log.append(...facts);
  } finally {
    await store.release(session, epoch);
  }
}

/** Where a copy ends: before a request, or with a fact. */
export type ForkPoint = { before: number } | { fact: number };

/** `facts`: how many were copied. `before`: the request before which the copy ends. */
type ForkedSession = { id: string; facts: number; before?: number };

/**
 * Copies everything before that point into a new session: by default all but an unfinished request, which two sessions
 * would otherwise both carry out. The original is unaffected, even while in use. Throws StoreError.
 */
export async function forkSession(
  store: Store,
  from: string,
  at?: ForkPoint,
): Promise<Expected<ForkedSession>> {
  const source = await store.get(from);
  if (!source) return refuse(`There is no session ${from} any more.`);
  const read = await readToFork(store, source.id);
  const end = endOfFork(source, read, at);
  if (!end.ok) return end;
  const id = newSessionId(new Date());
  await store.copy(from, { id, workspace: source.workspace, createdAt: Date.now() }, end.value.facts);
  const gone = goneSince(read, end.value.facts);
  if (gone.length > 0) await append(store, { session: id, keepOut: undefined }, gone);
  return { ok: true, value: { id, ...end.value } };
}

/** `waited`: from which fact until before which one a message was queued, by its id. */
type ForkSource = {
  starts: number[];
  isRunning: boolean;
  waited: Map<string, { since: number; until: number }>;
};

async function readToFork(store: Store, session: string): Promise<ForkSource> {
  const starts: number[] = [];
  const waited: ForkSource["waited"] = new Map();
  const sum = emptyAccount();
  for await (const entry of entriesOf(store, session)) {
    if (entry.type === "user-message" && !sum.isRunning) starts.push(entry.seq);
    if (entry.type === "message-queued") waited.set(entry.id, { since: entry.seq, until: -1 });
    const message = waited.get(leavesQueue(entry) ?? "");
    if (message) message.until = entry.seq;
    account(sum, entry);
  }
  return { starts, isRunning: sum.isRunning, waited };
}

/** The id of a message that waits no longer from this entry on. */
function leavesQueue(entry: Entry): string | undefined {
  if (entry.type === "user-message" || entry.type === "steer") return entry.queued;
  return entry.type === "message-withdrawn" ? entry.id : undefined;
}

/** Messages that waited there and were sent or withdrawn since: the copy must not send them again. */
const goneSince = ({ waited }: ForkSource, fact: number): Fact[] =>
  [...waited].flatMap(([id, { since, until }]) =>
    since <= fact && until > fact ? [{ type: "message-withdrawn", id }] : [],
  );

function endOfFork(
  { id, facts }: SessionSummary,
  { starts, isRunning }: ForkSource,
  at: ForkPoint | undefined,
): Expected<Omit<ForkedSession, "id">> {
  if (at && "fact" in at) {
    if (at.fact >= 1 && at.fact <= facts) return { ok: true, value: { facts: at.fact } };
    return refuse(`Session ${id} has the facts 1 to ${facts}, and ${at.fact} is none of them.`);
  }
  const before = at?.before ?? (isRunning ? starts.length : undefined);
  if (before === undefined) return { ok: true, value: { facts } };
  const start = starts[before - 1];
  if (start !== undefined) return { ok: true, value: { facts: start - 1, before } };
  const most = starts.length === 0 ? "no request yet" : `the requests 1 to ${starts.length}`;
  return refuse(`Session ${id} has ${most}, and ${before} is none of them.`);
}

type DeletionResult = { deleted: string[]; refused: { id: string; problem: string }[] };

/**
 * Deletes sessions one by one, each with its subagents' sessions; skips those that a living program has open. Throws
 * StoreError.
 */
export async function deleteSessions(store: Store, ids: readonly string[]): Promise<DeletionResult> {
  const outcome: DeletionResult = { deleted: [], refused: [] };
  const left = [...ids];
  for (let id = left.shift(); id !== undefined; id = left.shift()) {
    if (outcome.deleted.includes(id)) continue;
    try {
      const children = await store.children(id);
      const session = await store.get(id);
      const noteUse = session && (await (await use()).lastUse(store, session));
      await store.delete(id);
      await noteUse?.();
      outcome.deleted.push(id);
      left.unshift(...children.map((child) => child.id));
    } catch (error) {
      if (!(error instanceof SessionHeld)) throw error;
      outcome.refused.push({ id, problem: error.message });
    }
  }
  return outcome;
}

/** Each session followed by its subagents' sessions. */
export async function withChildren(
  store: Store,
  sessions: readonly SessionSummary[],
): Promise<SessionSummary[]> {
  const all = new Map<string, SessionSummary>();
  for (const session of sessions) {
    all.set(session.id, session);
    for (const child of await store.children(session.id)) all.set(child.id, child);
  }
  return [...all.values()];
}
