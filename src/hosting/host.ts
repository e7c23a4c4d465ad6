/** Creates a session host: one store, a runtime per workspace, and the open sessions. */

import { bundleLines, importSession } from "../archive/session-bundles.ts";
import { deleteSessions, entriesOf, forkSession } from "../archive/sessions.ts";
import { withDeadline } from "../base/async.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { keepOut, type KeepOut } from "../base/keep-out.ts";
import type { WhenAway } from "../configuration/options/option-choices.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Mode } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { type LentServers, type McpServers, nothingLent } from "../runtime/addons/lent-servers.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import { mayMeanMore, meantBy } from "../runtime/messages/expand-message.ts";
import type { MessageReader } from "../runtime/messages/take-message.ts";
import { configuredKeys } from "../runtime/observing/known-secrets.ts";
import { noSuchSession } from "../runtime/open-session.ts";
import type { EditorBuffers } from "../runtime/unsaved-files.ts";
import { wholeOutput } from "../runtime/whole-output.ts";
import { followedPage } from "../session/pages.ts";
import { newSessionId } from "../session/session-id.ts";
import { type SessionInfo, type Store, StoreError } from "../session/store.ts";
import { ListChanges } from "./hosted-changes.ts";
import { followHosted } from "./hosted-follow.ts";
import { hostedRow, hostedRows, rowOf } from "./hosted-rows.ts";
import { existing, HostedRuntimes, type RuntimesSetup } from "./hosted-runtimes.ts";
import { HostedSessions } from "./hosted-sessions.ts";
import {
  type HostedRow,
  CursorAhead,
  type NewSession,
  NoSuchSession,
  type SessionHost,
  type SlashCommands,
} from "./session-host.ts";
import { SharedHistory } from "./shared-history.ts";

type HostSetup = Omit<RuntimesSetup, "context" | "busy"> & {
  /** The workspace of sessions that name none: absolute, with symbolic links resolved. */
  workspace: string;
  mode: Mode;
  /** What happens to questions while no person follows the session; "deny" by default. */
  whenAway?: WhenAway;
  context: Omit<RuntimesSetup["context"], "interactive" | "editorBuffers">;
  /** Idle milliseconds after which an open session is closed; replaced in tests. */
  restMs?: number;
  /** Milliseconds for which a person who left still counts as present; replaced in tests. */
  absentMs?: number;
  /** Milliseconds between checks for idle sessions and for other processes' writes; replaced in tests. */
  lookMs?: number;
};

type HostParts = {
  setup: HostSetup;
  lent: LentServers;
  runtimes: HostedRuntimes;
  sessions: HostedSessions;
  changes: ListChanges;
};

/** Closing the host leaves the store open. */
export function sessionHost(setup: HostSetup): SessionHost {
  const { store } = setup;
  const changes = new ListChanges();
  const sessions: HostedSessions = new HostedSessions({
    open: (id) => openStored(parts, id),
    written: () => store.changed(),
    heads: (ids) => store.heads(ids),
    changed: () => changes.happened(),
    restMs: setup.restMs,
    absentMs: setup.absentMs,
    lookMs: setup.lookMs,
  });
  const lent = nothingLent();
  const context = {
    ...setup.context,
    addons: [...(setup.context.addons ?? []), lent.open],
    editorBuffers: (id: string) => editors.get(id)?.at(-1),
    interactive: (id: string) => sessions.hasPerson(id) || (setup.whenAway === "wait" && ("later" as const)),
    childOpened: (child: LiveSession) => {
      child.share(); // stays open for its followers
      sessions.adopt(child);
    },
  };
  const editors = new Map<string, EditorBuffers[]>();
  const parts: HostParts = {
    setup,
    lent,
    runtimes: new HostedRuntimes({ ...setup, context, busy: () => sessions.workspaces() }),
    sessions,
    changes,
  };
  return {
    workspace: setup.workspace,
    mode: setup.mode,
    ...reading(parts),
    ...making(parts),
    ...stopping(parts),
    lend: async (session, servers) => lent.lend({ session }, servers),
    lendIn: (workspace, servers) => lendIn(parts, workspace, servers),
    openBuffers(id, buffers) {
      editors.set(id, [...(editors.get(id) ?? []), buffers]);
      return () => {
        const left = (editors.get(id) ?? []).filter((one) => one !== buffers);
        if (left.length > 0) editors.set(id, left);
        else editors.delete(id);
      };
    },
    command: (id, command) => carryOut(parts, id, command),
    review: (id, turn) => using(parts, id, (live) => live.review(turn)),
    slashCommands: (which) => slashCommands(parts, which),
    settings: (id) =>
      using(parts, id, async ({ mode, model, reasoning }) => ({
        ok: true,
        value: { mode, model: model.name, reasoning },
      })),
    context: (id) => using(parts, id, async (live) => ({ ok: true, value: await live.context() })),
  };
}

function reading({ setup, sessions, changes }: HostParts) {
  const { store } = setup;
  const context = { store, sessions, history: new SharedHistory(store) };
  const followInPages: SessionHost["followInPages"] = async function* (
    id,
    after,
    { signal, person = false },
  ) {
    const cursor = Math.max(0, Math.floor(after) || 0);
    const leave = sessions.attach(id, person);
    try {
      await requireFacts(store, id, cursor);
      yield* followHosted(context, { id, after: cursor, signal });
    } finally {
      leave();
    }
  };
  return {
    rows: (which) => hostedRows(context, which),
    async row(id) {
      const summary = await store.get(id);
      return summary && hostedRow(context, summary);
    },
    async *follow(...which) {
      for await (const event of followInPages(...which))
        if ("entries" in event) yield* event.entries;
        else yield event;
    },
    followInPages,
    facts: (id, after, limit) => store.read(id, after, { ...followedPage, facts: limit }),
    result: (id, callId) => keptResult(store, id, callId),
    image: (id, hash) => store.image(id, hash),
    async *export(id) {
      const summary = await store.get(id);
      if (!summary) throw new NoSuchSession(noSuchSession(id));
      yield* bundleLines(store, summary, { leftOut: 0, keepOut: await keysOf(summary, setup) });
    },
    listen: (listener) => changes.listen(listener),
    figures: () => {
      const open = sessions.all();
      const working = open.filter((live) => live.isWorking).length;
      return { open: open.length, working, followers: sessions.followers };
    },
  } satisfies Partial<SessionHost>;
}

/** Of the session's own workspace as well: it may bring along servers with keys. */
async function keysOf(session: SessionInfo, setup: HostSetup): Promise<KeepOut | undefined> {
  const places = [setup.workspace, session.workspace];
  const settings = await Promise.all(places.map((place) => setup.settingsFor(place)));
  return keepOut(settings.flatMap((one) => (one.ok ? configuredKeys(one.value, setup.context.env) : [])));
}

async function requireFacts(store: Store, id: string, after: number): Promise<void> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  if (summary.facts < after) throw new CursorAhead(id, after);
}

function making(parts: HostParts) {
  const { setup, sessions, changes } = parts;
  const { store } = setup;
  const context = { store, sessions };
  return {
    create: (which) => createSession(parts, which),
    async fork(id, beforeTurn) {
      if (!(await store.get(id))) throw new NoSuchSession(noSuchSession(id));
      const at = beforeTurn === undefined ? undefined : { before: beforeTurn };
      const forked = await forkSession(store, id, at);
      changes.happened();
      return forked.ok ? rowOf(context, forked.value.id) : forked;
    },
    async remove(id) {
      if (!(await store.get(id))) throw new NoSuchSession(noSuchSession(id));
      const live = sessions.live(id);
      if (live?.isWorking)
        return refuse("Something runs in this session. Interrupt it before it is deleted.");
      for (const child of await store.children(id)) await sessions.close(child.id);
      await sessions.close(id);
      const { deleted, refused } = await deleteSessions(store, [id]);
      for (const gone of deleted) sessions.wake(gone);
      const [first] = refused;
      const removed: Expected<undefined> = first ? refuse(first.problem) : { ok: true, value: undefined };
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

function stopping({ runtimes, sessions, changes }: HostParts) {
  return {
    drain: (mostMs) => drainSessions(sessions, mostMs),
    async close() {
      await sessions.closeAll();
      await runtimes.close();
      changes.close();
    },
  } satisfies Partial<SessionHost>;
}

async function openStored(
  { setup: { store }, runtimes }: HostParts,
  id: string,
): Promise<Expected<LiveSession>> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  return runtimes.use(summary.workspace, (runtime) => runtime.open({ resume: id, settings: "kept" }));
}

async function createSession(parts: HostParts, which: NewSession): Promise<Expected<HostedRow>> {
  const { setup, runtimes, sessions, lent } = parts;
  if (sessions.isStopping) return stops;
  const { workspace = setup.workspace, title, servers, ...chosen } = which;
  const id = newSessionId(new Date());
  lent.lend({ session: id }, servers ?? {});
  const opened = await runtimes.use(workspace, (runtime) => runtime.open({ ...chosen, id }));
  if (!opened.ok) {
    lent.lend({ session: id }, {});
    return opened;
  }
  sessions.adopt(opened.value);
  if (title !== undefined && title.trim() !== "") await opened.value.command({ type: "rename", title });
  return rowOf({ store: setup.store, sessions }, opened.value.id);
}

/** The workspace is named as its sessions name it. */
async function lendIn(
  { lent }: HostParts,
  workspace: string,
  servers: McpServers,
): Promise<Expected<undefined>> {
  const place = await existing(workspace);
  if (!place.ok) return place;
  lent.lend({ workspace: place.value }, servers);
  return { ok: true, value: undefined };
}

const stops = refuse("This server is shutting down. Try again after it restarts.");

/** Commands refused while the host stops, because they would start new work. */
const beginsWork: ReadonlySet<Command["type"]> = new Set(["send", "go-on", "compact"]);

async function carryOut(parts: HostParts, id: string, command: Command): Promise<CommandOutcome> {
  if (parts.sessions.isStopping && beginsWork.has(command.type)) return stops;
  const used = await useStored(parts, id, (live) => live.command(command, readingIn(parts, live)));
  return used.ok ? used.value : used;
}

/** A session deleted at the moment it is opened fails in the store: report it as missing instead. */
async function useStored<T>(
  { setup: { store }, sessions }: HostParts,
  id: string,
  work: (live: LiveSession) => Promise<T>,
): Promise<Expected<T>> {
  try {
    return await sessions.use(id, work);
  } catch (error) {
    if (!(error instanceof StoreError) || (await store.get(id))) throw error;
    throw new NoSuchSession(noSuchSession(id));
  }
}

/**
 * Drops a client's claim of what was typed: it would let people see other words than the model gets. Only the expansion
 * done here may set it.
 */
function asTyped(part: ContentPart): ContentPart {
  if (part.type !== "text" || part.typed === undefined) return part;
  const { typed: _, ...told } = part;
  return told;
}

/**
 * Expands messages as a terminal does, but only files inside the workspace: the sender is unknown, so the text may come
 * from someone else.
 */
function readingIn({ runtimes }: HostParts, { state, log }: LiveSession): MessageReader {
  return async (sent, signal) => {
    const content = sent.map(asTyped);
    if (!mayMeanMore(content)) return { ok: true, value: [...content] };
    const meant = await runtimes.use(state.workspace, ({ fileCommands: commands, workspace, objection }) =>
      meantBy(content, { commands, workspace, objection }, { onlyInside: true, signal }),
    );
    if (!meant.ok) return meant;
    const { content: told, called } = meant.value;
    if (called?.unheeded !== undefined)
      await log.append({
        type: "warning",
        code: "command-head",
        text: `/${called.name}: ${called.unheeded}`,
      });
    return { ok: true, value: told };
  };
}

async function slashCommands(
  { setup, runtimes }: HostParts,
  which: { session: string } | { workspace?: string },
): Promise<Expected<SlashCommands>> {
  const summary = "session" in which ? await setup.store.get(which.session) : undefined;
  if ("session" in which && !summary) throw new NoSuchSession(noSuchSession(which.session));
  const named = "session" in which ? summary?.workspace : which.workspace;
  return runtimes.use(named ?? setup.workspace, async ({ fileCommands }) => ({
    ok: true,
    value: await fileCommands.list(),
  }));
}

async function using<T>(
  parts: HostParts,
  id: string,
  work: (live: LiveSession) => Promise<Expected<T>>,
): Promise<Expected<T>> {
  const used = await useStored(parts, id, work);
  return used.ok ? used.value : used;
}

/** Refuses new work from now on; resolves when nothing runs any more, or after `mostMs` milliseconds. */
async function drainSessions(sessions: HostedSessions, mostMs: number): Promise<void> {
  sessions.stop();
  await withDeadline(Promise.allSettled(sessions.all().map((live) => live.idle())), mostMs);
}

/** Everything stored of a call's output; the session need not be open. */
async function keptResult(store: Store, id: string, callId: string): Promise<Expected<string>> {
  for await (const entry of entriesOf(store, id))
    if (entry.type === "result" && entry.callId === callId)
      return { ok: true, value: await wholeOutput(store, entry) };
  return refuse(`Session ${id} has no result of a call ${callId}.`);
}
