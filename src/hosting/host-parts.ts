/** What a session host is made of: its runtimes, its open sessions, and what is lent to them. */

import type { Expected } from "../base/expected.ts";
import type { WhenAway } from "../configuration/options/option-choices.ts";
import type { Mode } from "../protocol/facts.ts";
import { type LentServers, nothingLent } from "../runtime/addons/lent-servers.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import { noSuchSession } from "../runtime/open-session.ts";
import type { EditorBuffers } from "../runtime/unsaved-files.ts";
import { ListChanges } from "./hosted-changes.ts";
import { HostedRuntimes, type RuntimesSetup } from "./hosted-runtimes.ts";
import { HostedSessions } from "./hosted-sessions.ts";
import { NoSuchSession } from "./session-host.ts";

export type HostSetup = Omit<RuntimesSetup, "context" | "busy"> & {
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

export type HostParts = {
  setup: HostSetup;
  lent: LentServers;
  runtimes: HostedRuntimes;
  sessions: HostedSessions;
  changes: ListChanges;
  /** Of each session, those that editors have open; the last one counts. */
  editors: Map<string, EditorBuffers[]>;
};

export function hostParts(setup: HostSetup): HostParts {
  const { store } = setup;
  const changes = new ListChanges();
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
    editors,
  };
  return parts;
}

async function openStored(
  { setup: { store }, runtimes }: HostParts,
  id: string,
): Promise<Expected<LiveSession>> {
  const summary = await store.get(id);
  if (!summary) throw new NoSuchSession(noSuchSession(id));
  return runtimes.use(summary.workspace, (runtime) => runtime.open({ resume: id, settings: "kept" }));
}
