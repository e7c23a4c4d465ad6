/** Creates a session host: one store, a runtime per workspace, and the open sessions. */

import { bundleLines, importSession } from "../archive/session-bundles.ts";
import { deleteSessions, entriesOf, forkSession } from "../archive/sessions.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { keepOut, type KeepOut } from "../base/keep-out.ts";
import type { McpServers } from "../runtime/addons/lent-servers.ts";
import { configuredKeys } from "../runtime/observing/known-secrets.ts";
import { noSuchSession } from "../runtime/open-session.ts";
import { wholeOutput } from "../runtime/whole-output.ts";
import { followedPage } from "../session/pages.ts";
import { newSessionId } from "../session/session-id.ts";
import type { SessionInfo, Store } from "../session/store.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { type HostParts, hostParts, type HostSetup } from "./host-parts.ts";
import { followHosted } from "./hosted-follow.ts";
import { hostedRow, hostedRows, rowOf } from "./hosted-rows.ts";
import { existing } from "./hosted-runtimes.ts";
import { People } from "./people/people.ts";
import { TenantAdmission } from "./people/tenant-admission.ts";
import { performerOf, slashCommandsIn } from "./performer.ts";
import { CursorAhead, NoSuchSession, type SessionHost } from "./session-host.ts";
import { SharedHistory } from "./shared-history.ts";
import type { TurnEngine } from "./turn-engine.ts";

/** `engine`: runs the turns elsewhere, in workers; by default this process runs them. */
type ServedSetup = HostSetup & { engine?: TurnEngine | undefined };
type ServedParts = HostParts & { setup: ServedSetup; engine: TurnEngine };

/** Closing the host leaves the store open. */
export function sessionHost(setup: ServedSetup): SessionHost {
  const own = hostParts(setup);
  const parts = { ...own, setup, engine: setup.engine ?? workingHere(own) };
  const { lent, editors, engine } = parts;
  const admission = new TenantAdmission({ store: setup.store, areQueued: setup.engine !== undefined });
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
    command: (id, command) =>
      admission.admit({
        session: id,
        command,
        begin: () => engine.submit(id, { name: "command", command }),
      }),
    review: (id, turn) => engine.submit(id, { name: "review", ...(turn === undefined ? {} : { turn }) }),
    slashCommands: (which) =>
      "session" in which
        ? engine.submit(which.session, { name: "slash-commands" })
        : slashCommandsIn(parts, which.workspace ?? setup.workspace),
    settings: (id) => engine.submit(id, { name: "settings" }),
    context: (id) => engine.submit(id, { name: "context" }),
    outcome: (id, wanted, by) =>
      engine.submit(id, { name: "outcome", wanted, ...(by === undefined ? {} : { by }) }),
  };
}

function workingHere(parts: HostParts): TurnEngine {
  const engine = new EmbeddedEngine();
  void engine.work(performerOf(parts));
  return engine;
}

function reading({ setup, sessions, changes, engine }: ServedParts) {
  const { store } = setup;
  const context = { store, sessions, engine, history: new SharedHistory(store) };
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
    sharing: (id) => store.team.belonging(id),
    async share(id, person, right, by = "the gateway's own token") {
      if (!(await store.team.belonging(id)))
        return refuse("This session is nobody's, so it cannot be shared: sessions of people can.");
      await store.team.share(id, person, right);
      const shared = { session: id, with: person || "everybody of the tenant", right: right ?? "none" };
      await new People(store.team, { by }).note("session-shared", shared);
      changes.happened();
      return { ok: true, value: undefined };
    },
    listen: (listener) => changes.listen(listener),
    figures: () => sessions.figures,
    queues: () => engine.figures().catch(() => undefined),
    probe: () => store.probe(),
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

function making({ setup, sessions, checkouts, changes, engine }: ServedParts) {
  const { store } = setup;
  const context = { store, sessions, engine };
  return {
    async create(which) {
      const id = newSessionId(new Date());
      // Another process has a workspace and a mode of its own for sessions that name none.
      const own = which.repository === undefined ? { workspace: setup.workspace } : {};
      const ours = setup.engine ? { ...own, mode: setup.mode } : {};
      const made = await engine.submit(id, { name: "create", which: { ...ours, ...which } });
      return made.ok ? rowOf(context, id) : made;
    },
    async fork(id, beforeTurn) {
      if (!(await store.get(id))) throw new NoSuchSession(noSuchSession(id));
      const at = beforeTurn === undefined ? undefined : { before: beforeTurn };
      const forked = await forkSession(store, id, at);
      changes.happened();
      return forked.ok ? rowOf(context, forked.value.id) : forked;
    },
    async remove(id) {
      const summary = await store.get(id);
      if (!summary) throw new NoSuchSession(noSuchSession(id));
      const live = sessions.live(id);
      if (live?.isWorking)
        return refuse("Something runs in this session. Interrupt it before it is deleted.");
      for (const child of await store.children(id)) await sessions.close(child.id);
      await sessions.close(id);
      const { deleted, refused } = await deleteSessions(store, [id]);
      for (const gone of deleted) sessions.wake(gone);
      if (deleted.length > 0) await checkouts?.removeOf(summary.workspace);
      const [first] = refused;
      const removed: Expected<undefined> = first ? refuse(first.problem) : { ok: true, value: undefined };
      changes.happened();
      return removed;
    },
    async import(pieces, place) {
      const imported = await importSession(store, pieces, place ?? { workspace: setup.workspace });
      changes.happened();
      return imported;
    },
  } satisfies Partial<SessionHost>;
}

function stopping({ runtimes, sessions, checkouts, changes, engine }: ServedParts) {
  return {
    drain: (mostMs) => engine.drain(mostMs),
    async close() {
      await engine.close();
      await sessions.closeAll();
      await runtimes.close();
      checkouts?.close();
      changes.close();
    },
  } satisfies Partial<SessionHost>;
}

/** The workspace is named as its sessions name it. */
async function lendIn(
  { lent, setup }: HostParts & { setup: ServedSetup },
  workspace: string,
  servers: McpServers,
): Promise<Expected<undefined>> {
  if (setup.engine)
    return { ok: false, problem: "Workers run the sessions here: name tool servers when one is created." };
  const place = await existing(workspace);
  if (!place.ok) return place;
  lent.lend({ workspace: place.value }, servers);
  return { ok: true, value: undefined };
}

/** Everything stored of a call's output; the session need not be open. */
async function keptResult(store: Store, id: string, callId: string): Promise<Expected<string>> {
  for await (const entry of entriesOf(store, id))
    if (entry.type === "result" && entry.callId === callId)
      return { ok: true, value: await wholeOutput(store, entry) };
  return refuse(`Session ${id} has no result of a call ${callId}.`);
}
