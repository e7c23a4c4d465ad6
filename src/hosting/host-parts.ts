/** What a session host is made of: its runtimes, its open sessions, and what is lent to them. */

import type { Expected } from "../base/expected.ts";
import type { WhenAway } from "../configuration/options/option-choices.ts";
import type { Mode } from "../protocol/facts.ts";
import { type LentServers, nothingLent } from "../runtime/addons/lent-servers.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import { noSuchSession } from "../runtime/open-session.ts";
import type { EditorBuffers } from "../runtime/unsaved-files.ts";
import type { SessionLog } from "../session/log.ts";
import { HostedCheckouts, type HostedCheckoutsSetup } from "./hosted-checkouts.ts";
import { HostedRuntimes, type RuntimesSetup } from "./hosted-runtimes.ts";
import { HostedSessions } from "./hosted-sessions.ts";
import { NoSuchSession } from "./session-host.ts";

export type HostSetup = Omit<RuntimesSetup, "context" | "busy"> & {
  /** The workspace of sessions that name none: absolute, with symbolic links resolved. */
  workspace: string;
  mode: Mode;
  /** What happens to questions while no person follows the session; "deny" by default. */
  whenAway?: WhenAway;
  context: Omit<RuntimesSetup["context"], "interactive" | "editorBuffers" | "keepWork" | "others">;
  /** Idle milliseconds after which an open session is closed; replaced in tests. */
  restMs?: number;
  /** Milliseconds for which a person who left still counts as present; replaced in tests. */
  absentMs?: number;
  /** Where checkouts of git repositories are made; by default sessions can name only directories. */
  checkouts?: HostedCheckoutsSetup;
  /** Milliseconds between checks for idle sessions and for other processes' writes; replaced in tests. */
  lookMs?: number;
};

export type HostParts = {
  setup: HostSetup;
  lent: LentServers;
  runtimes: HostedRuntimes;
  sessions: HostedSessions;
  checkouts: HostedCheckouts | undefined;
  changes: ListChanges;
  /** Of each session, those that editors have open; the last one counts. */
  editors: Map<string, EditorBuffers[]>;
};

export function hostParts(setup: HostSetup): HostParts {
  const { store } = setup;
  const changes = new ListChanges();
  const checkouts = setup.checkouts && new HostedCheckouts(setup.checkouts, store);
  const sessions: HostedSessions = new HostedSessions({
    open: (id) => openStored(parts, id),
    written: () => store.changed(),
    heads: (ids) => store.heads(ids),
    ...(store.news === undefined ? {} : { news: store.news }),
    changed: () => changes.happened(),
    ...(setup.restMs === undefined ? {} : { restMs: setup.restMs }),
    ...(setup.absentMs === undefined ? {} : { absentMs: setup.absentMs }),
    ...(setup.lookMs === undefined ? {} : { lookMs: setup.lookMs }),
  });
  const lent = nothingLent();
  const context = {
    ...setup.context,
    lent: lent.open,
    editorBuffers: (id: string) => editors.get(id)?.at(-1),
    interactive: (id: string) => sessions.hasPerson(id) || (setup.whenAway === "wait" && ("later" as const)),
    others: checkouts && ((workspace: string) => checkouts.besides(workspace)),
    keepWork: checkouts && ((log: SessionLog) => checkouts.keep(log)),
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
    checkouts,
    changes,
    editors,
  };
  return parts;
}

/** Its checkout is made again if it is missing. `takeOver`: a dead process has it, whatever this machine knows of that. */
export async function openStored(
  { setup: { store }, runtimes, checkouts }: HostParts,
  id: string,
  takeOver = false,
): Promise<Expected<LiveSession>> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  const place = checkouts
    ? await checkouts.workspaceOf(summary)
    : { ok: true as const, value: { workspace: summary.workspace, told: [] } };
  if (!place.ok) return place;
  const { workspace, told } = place.value;
  const opened = await runtimes.use(workspace, (runtime) =>
    runtime.open({ resume: id, settings: "kept", takeOver }),
  );
  if (opened.ok && told.length > 0) await opened.value.log.append(...told);
  return opened;
}

const pauseMs = 500;

/** Notifies listeners that session lists have changed: at once, then at most twice a second. */
class ListChanges {
  readonly #listeners = new Set<() => void>();
  #pause: NodeJS.Timeout | undefined;
  /** A change has happened since the last notification. */
  #isOwed = false;

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  happened(): void {
    this.#isOwed = true;
    if (this.#pause === undefined) this.#tell();
  }

  close(): void {
    clearTimeout(this.#pause);
    this.#listeners.clear();
  }

  #tell(): void {
    this.#isOwed = false;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isOwed) this.#tell();
    }, pauseMs).unref();
    for (const listener of this.#listeners) listener();
  }
}
