/** Sessions that should go on and do not, and how the request of one is ended. */

import { sessionRow, sessionRows, type SessionRow, type Store } from "../archive/sessions.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { SessionLog } from "../session/log.ts";
import { type Holder, ownOwner } from "../session/owner.ts";
import { recoverLog } from "../session/recover-log.ts";
import { SessionHeld } from "../session/store.ts";
import { turnClosing } from "../session/turn-closing.ts";

/**
 * `served`: a living worker has it, or may take it. `deaths`: how many workers died of it, if it was left for that.
 * `since`: milliseconds since 1970.
 */
export type RunStanding = {
  session: string;
  machine: string;
  since: number;
  state: "rests" | "served" | "unserved";
  /** Something was asked that has no outcome. */
  isAsked: boolean;
  deaths?: number;
};

/** The runs of an engine whose turns workers run. */
export interface EngineRuns {
  /** Of these sessions, and of all that do not rest. */
  standings(sessions: readonly string[]): Promise<RunStanding[]>;
  /**
   * Lets the run rest, and answers what is asked of it with this problem: how often. Refuses if workers live that go on
   * with it.
   */
  giveUp(session: string, problem: string): Promise<Expected<number>>;
  close(): Promise<void>;
}

/** Empty texts: nobody's, and a machine that nobody knows. `since`: the last that was heard of it. */
type StuckSession = {
  id: string;
  title: string;
  workspace: string;
  tenant: string;
  person: string;
  machine: string;
  since: number;
  why: string;
};

type StuckContext = { store: Store; runs: EngineRuns | undefined };

/** What is known of one. `row`: undefined if it was asked for and not made yet. */
type SessionEvidence = {
  row: SessionRow | undefined;
  run: RunStanding | undefined;
  holder: Holder | undefined;
};

/** Most sessions with an open turn that are looked at. */
const mostLookedAt = 10_000;

/** Longest stuck first. Throws StoreError. */
export async function stuckSessions({ store, runs }: StuckContext): Promise<StuckSession[]> {
  const open = await sessionRows(store, await store.unfinished(mostLookedAt));
  const rows = new Map<string, SessionRow | undefined>(open.map((row) => [row.id, row]));
  const known = new Map((await runs?.standings([...rows.keys()]))?.map((run) => [run.session, run]));
  for (const id of known.keys()) if (!rows.has(id)) rows.set(id, await rowOf(store, id));
  const belongings = await store.team.belongings([...rows.keys()]);
  const stuck: StuckSession[] = [];
  for (const [id, row] of rows) {
    const run = known.get(id);
    const holder = await store.holder(id);
    const why = whyStuck({ row, run, holder });
    if (why === undefined) continue;
    const { tenant = "", person = "" } = belongings.get(id) ?? {};
    const { title = "", workspace = "", updatedAt = 0 } = row ?? {};
    const since = Math.max(updatedAt, run?.since ?? 0);
    const machine = run?.machine ?? holder?.process.host ?? "";
    stuck.push({ id, title, workspace, tenant, person, machine, since, why });
  }
  return stuck.toSorted((one, other) => one.since - other.since);
}

async function rowOf(store: Store, id: string): Promise<SessionRow | undefined> {
  const summary = await store.get(id);
  return summary && sessionRow(store, summary);
}

/** Undefined if it is not. */
function whyStuck({ row, run, holder }: SessionEvidence): string | undefined {
  const isOpen = row?.standing === "left-open";
  if (row?.holder || run?.state === "served") return undefined;
  if (run?.state === "unserved" && (isOpen || run.isAsked))
    return `It waits for a worker on ${run.machine}, and none lives there.`;
  if (!isOpen) return undefined;
  if (run?.deaths !== undefined)
    return `${run.deaths} workers in a row died of it, and it was left as it is.`;
  return holder ? `${programOf(holder)} had it, and is dead.` : "No program has it.";
}

const programOf = ({ program, process }: Holder): string =>
  `${program} (process ${process.pid} on ${process.host})`;

const by = "toolwright admin";
const because = `ended with \`${by}\``;

/** How many requests were refused to which no worker had an answer. Throws StoreError. */
export async function endStuck(context: StuckContext, id: string): Promise<Expected<number>> {
  const { store, runs } = context;
  const stuck = await stuckSessions(context);
  if (!stuck.some((one) => one.id === id)) return refuse(await whyNotStuck(context, id));
  const problem = `What was asked of the session was ${because}: ask again.`;
  const giveUp = async (): Promise<Expected<number>> =>
    (await runs?.giveUp(id, problem)) ?? { ok: true, value: 0 };
  if (!(await store.get(id))) return giveUp();
  try {
    return await whileClaimed(store, id, async (epoch) => {
      const given = await giveUp();
      if (given.ok) await endTurn(store, id, epoch);
      return given;
    });
  } catch (error) {
    if (error instanceof SessionHeld) return refuse(worksOn(id, error.holder));
    throw error;
  }
}

const worksOn = (id: string, holder: Holder): string =>
  `${programOf(holder)} lives and has session ${id}: interrupt it from a client instead.`;

async function whyNotStuck({ store, runs }: StuckContext, id: string): Promise<string> {
  const row = await rowOf(store, id);
  if (!row) return `There is no session ${id}.`;
  if (row.parent !== undefined) return `Session ${id} goes on within session ${row.parent}: end that one.`;
  if (row.holder) return worksOn(id, row.holder);
  const run = (await runs?.standings([id]))?.find(({ session }) => session === id);
  if (run?.state === "served")
    return `Workers on ${run.machine} go on with session ${id}: interrupt it from a client instead.`;
  if (row.standing === "waiting")
    return `Session ${id} waits for a person: answer or interrupt it from a client instead.`;
  return `The last request of session ${id} is over.`;
}

async function whileClaimed<T>(
  store: Store,
  session: string,
  work: (epoch: number) => Promise<T>,
): Promise<T> {
  const epoch = await store.claim(session, { owner: ownOwner() });
  try {
    return await work(epoch);
  } finally {
    await store.release(session, epoch);
  }
}

/** Those of subagents first, so that one which fails is found again. What half of a change has written stays. */
async function endTurn(store: Store, session: string, epoch: number): Promise<void> {
  for (const { id } of await store.children(session))
    await whileClaimed(store, id, (claimed) => endTurn(store, id, claimed));
  const log = await SessionLog.open({ store, session, epoch });
  const shown = await store.openBlock(session);
  const isOpen = shown !== undefined && shown.block > log.state.blocks; // otherwise its fact is already stored
  const mended = recoverLog(await log.openTurn(), isOpen ? shown : undefined);
  await log.append(...turnClosing(log.state, mended, { because, by }));
}
