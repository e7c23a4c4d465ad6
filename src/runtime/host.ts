/** Makes a session host: one store, a runtime for each workspace, and the sessions that are open. */
import type { Parsed } from "../base/json.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Mode } from "../protocol/facts.ts";
import { SessionHeld, type Store } from "../session/store.ts";
import { Changes } from "./hosted-changes.ts";
import { drained } from "./hosted-drain.ts";
import { followHosted } from "./hosted-follow.ts";
import { keptResult } from "./hosted-result.ts";
import { hostedRow, hostedRows, rowOf } from "./hosted-rows.ts";
import { HostedRuntimes, type RuntimesSetup } from "./hosted-runtimes.ts";
import { HostedSessions } from "./hosted-sessions.ts";
import type { LiveSession } from "./live-session.ts";
import { bundleLines, importSession } from "./session-bundles.ts";
import {
  type HostedRow,
  CursorAhead,
  type NewSession,
  NoSuchSession,
  type SessionHost,
} from "./session-host.ts";
import { noSuchSession } from "./open-session.ts";
import { forkSession } from "./sessions.ts";

export type HostSetup = Omit<RuntimesSetup, "room"> & {
  /** Of sessions that name none: absolute and real. */
  workspace: string;
  mode: Mode;
  room: Omit<RuntimesSetup["room"], "interactive">;
  /** Milliseconds that an open session may rest; replaced in tests. */
  restMs?: number;
  /** Milliseconds for which somebody counts as there who has left; replaced in tests. */
  absentMs?: number;
};

type Parts = {
  setup: HostSetup;
  runtimes: HostedRuntimes;
  sessions: HostedSessions;
  changes: Changes;
};

/** `close` leaves the store open. */
export function sessionHost(setup: HostSetup): SessionHost {
  const { store } = setup;
  const changes = new Changes();
  const sessions: HostedSessions = new HostedSessions({
    open: (id) => openStored(parts, id),
    written: () => store.changed(),
    heads: (ids) => store.heads(ids),
    changed: () => changes.happened(),
    ...(setup.restMs === undefined ? {} : { restMs: setup.restMs }),
    ...(setup.absentMs === undefined ? {} : { absentMs: setup.absentMs }),
  });
  const room = { ...setup.room, interactive: (id: string) => sessions.hasPerson(id) };
  const parts: Parts = { setup, runtimes: new HostedRuntimes({ ...setup, room }), sessions, changes };
  return {
    workspace: setup.workspace,
    mode: setup.mode,
    ...reading(parts),
    ...making(parts),
    ...stopping(parts),
    command: (id, command) => carryOut(parts, id, command),
    review: (id, turn) => using(parts, id, (live) => live.review(turn)),
    context: (id) => using(parts, id, async (live) => ({ ok: true, value: await live.context() })),
  };
}

function reading({ setup: { store }, sessions, changes }: Parts) {
  const room = { store, sessions };
  return {
    rows: (which) => hostedRows(room, which),
    async row(id) {
      const summary = await store.get(id);
      return summary && hostedRow(room, summary);
    },
    async *follow(id, after, { signal, person = false }) {
      const cursor = Math.max(0, Math.floor(after) || 0);
      const leave = sessions.attach(id, person);
      try {
        await requireFacts(store, id, cursor);
        yield* followHosted(room, { id, after: cursor, signal });
      } finally {
        leave();
      }
    },
    facts: (id, after, limit) => store.read(id, after, limit),
    result: (id, callId) => keptResult(store, id, callId),
    async *export(id) {
      const summary = await store.get(id);
      if (!summary) throw new NoSuchSession(noSuchSession(id));
      yield* bundleLines(store, summary);
    },
    listen: (listener) => changes.listen(listener),
    figures: () => {
      const open = sessions.all();
      const working = open.filter((live) => live.isWorking).length;
      return { open: open.length, working, followers: sessions.followers };
    },
  } satisfies Partial<SessionHost>;
}

async function requireFacts(store: Store, id: string, after: number): Promise<void> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  if (summary.facts < after) throw new CursorAhead(id, after);
}

function making(parts: Parts) {
  const { setup, sessions, changes } = parts;
  const { store } = setup;
  const room = { store, sessions };
  return {
    create: (which) => createSession(parts, which),
    async fork(id, beforeTurn) {
      if (!(await store.get(id))) throw new NoSuchSession(noSuchSession(id));
      const at = beforeTurn === undefined ? undefined : { before: beforeTurn };
      const forked = await forkSession(store, id, at);
      changes.happened();
      return forked.ok ? rowOf(room, forked.value.id) : forked;
    },
    async remove(id) {
      if (!(await store.get(id))) throw new NoSuchSession(noSuchSession(id));
      const live = sessions.live(id);
      if (live?.isWorking)
        return { ok: false, problem: "Something runs in this session. Interrupt it before it is deleted." };
      await sessions.close(id);
      const removed = await orHeld(() => store.delete(id));
      if (removed.ok) sessions.wake(id);
      changes.happened();
      return removed;
    },
    async import(pieces) {
      const imported = await importSession(store, pieces, setup.workspace);
      changes.happened();
      return imported;
    },
  } satisfies Partial<SessionHost>;
}

function stopping({ runtimes, sessions, changes }: Parts) {
  return {
    drain: (mostMs) => drained(sessions, mostMs),
    async close() {
      await sessions.closeAll();
      await runtimes.close();
      changes.close();
    },
  } satisfies Partial<SessionHost>;
}

async function openStored({ setup: { store }, runtimes }: Parts, id: string): Promise<Parsed<LiveSession>> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  const runtime = await runtimes.get(summary.workspace);
  return runtime.ok ? runtime.value.open({ resume: id, settings: "kept" }) : runtime;
}

async function createSession(parts: Parts, which: NewSession): Promise<Parsed<HostedRow>> {
  const { setup, runtimes, sessions } = parts;
  if (sessions.isStopping) return stops;
  const { workspace = setup.workspace, title, ...chosen } = which;
  const runtime = await runtimes.get(workspace);
  if (!runtime.ok) return runtime;
  const opened = await runtime.value.open(chosen);
  if (!opened.ok) return opened;
  sessions.adopt(opened.value);
  if (title !== undefined && title.trim() !== "") await opened.value.command({ type: "rename", title });
  return rowOf({ store: setup.store, sessions }, opened.value.id);
}

const stops = { ok: false as const, problem: "The gateway is stopping. Ask again when it runs anew." };

/** What is refused while the host stops: it would begin work. */
const beginsWork: ReadonlySet<Command["type"]> = new Set(["send", "go-on", "compact"]);

async function carryOut(parts: Parts, id: string, command: Command): Promise<CommandOutcome> {
  if (parts.sessions.isStopping && beginsWork.has(command.type)) return stops;
  const used = await parts.sessions.use(id, (live) => live.command(command));
  return used.ok ? used.value : used;
}

async function using<T>(
  { sessions }: Parts,
  id: string,
  work: (live: LiveSession) => Promise<Parsed<T>>,
): Promise<Parsed<T>> {
  const used = await sessions.use(id, work);
  return used.ok ? used.value : used;
}

async function orHeld(work: () => Promise<void>): Promise<Parsed<undefined>> {
  try {
    await work();
    return { ok: true, value: undefined };
  } catch (error) {
    if (error instanceof SessionHeld) return { ok: false, problem: error.message };
    throw error;
  }
}
