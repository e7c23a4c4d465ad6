/** Opens a session: a new one, or one left by a crash or a closed program, which is repaired first. */

import type { EventReceiver, Observer } from "../addons/observer.ts";
import { attempt, type Expected, refuse } from "../base/expected.ts";
import { openTree } from "../base/safe-fs/open-tree.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import { version } from "../configuration/options/version.ts";
import { trustedCode } from "../configuration/trusted-mode.ts";
import type { Fact, FactOf } from "../protocol/facts.ts";
import { holdLease } from "../session/lease.ts";
import { SessionLog } from "../session/log.ts";
import { endOrphans } from "../session/orphans.ts";
import { ownOwner } from "../session/owner.ts";
import { newSessionId } from "../session/session-id.ts";
import { SessionHeld, type SessionInfo } from "../session/store.ts";
import { dropAllUnbegun } from "./children/unbegun.ts";
import {
  type ChosenSettings,
  modelGone,
  openChosen,
  type OpenedSettings,
  settingsFor,
} from "./kept-settings.ts";
import { LiveSession, type SessionSetup } from "./live-session.ts";
import { unthinkingCode } from "./reasoning.ts";
import { withUnsaved } from "./unsaved-files.ts";

/**
 * A new session unless `resume` names one. `takeOver` claims it even from another living process, at a person's
 * request.
 */
export type SessionSelection = ChosenSettings & {
  resume?: string | undefined;
  /** The id of a new session; by default one that tells its time. */
  id?: string;
  takeOver?: boolean;
  parent?: ParentCall;
  /** Of a new session: what its workspace was made from. */
  checkout?: FactOf<"session-start">["checkout"];
};

/** The call in another session that delegated the task to this new one. */
type ParentCall = FactOf<"session-start">["parent"];

/**
 * Claims the session for this process (its previous owner's writes are refused from then on), stops processes that a
 * dead owner left running, and repairs the log.
 */
export async function openSession(
  setup: SessionSetup,
  which: SessionSelection = {},
): Promise<Expected<LiveSession>> {
  const { store, workspace } = setup;
  const { resume, id: wanted, takeOver = false, parent, checkout, ...choices } = which;
  const chosen = await openChosen(choices, setup, { isNew: resume === undefined });
  if (!chosen.ok) return chosen;
  const files = openTree(workspace);
  if (!files.ok) return files;
  let session: LiveSession | undefined;
  try {
    const id = resume ?? wanted ?? newSessionId(new Date());
    if (resume === undefined) await store.create(infoOf(id, workspace, parent));
    else if (!(await store.get(id))) return refuse(noSuchSession(id));
    const opening = { id, files: files.value, takeOver, chosen: chosen.value, parent, checkout };
    session = await openClaimed(setup, opening);
    return { ok: true, value: session };
  } catch (error) {
    if (error instanceof SessionHeld) return refuse(error.message);
    throw error;
  } finally {
    if (!session) files.value.close();
  }
}

type SessionOpening = {
  id: string;
  files: Tree;
  takeOver: boolean;
  chosen: OpenedSettings;
  parent: ParentCall;
  checkout: SessionSelection["checkout"];
};

const infoOf = (id: string, workspace: string, parent: ParentCall): SessionInfo => ({
  id,
  workspace,
  createdAt: Date.now(),
  parent: parent?.session,
});

async function openClaimed(own: SessionSetup, opening: SessionOpening): Promise<LiveSession> {
  const { id, files, takeOver, chosen } = opening;
  const { store, workspace } = own;
  const left = await store.holder(id); // closing a session releases it, so a holder here did not close it
  const epoch = await store.claim(id, { owner: ownOwner(), takeOver });
  const release = holdLease(store, id, epoch);
  try {
    const ended = await endOrphans(store, id); // before anyone reads the files they were changing
    const log = await SessionLog.open({
      store,
      session: id,
      epoch,
      keepOut: own.keepOut?.(),
      now: own.now,
    });
    const leave = await attachObservers(id, log, own.observers);
    if (log.state.seq === 0) await log.append(startOf({ ...opening, workspace }));
    const { setup, facts } = await settingsFor(log.state, own, chosen);
    const closed = async (): Promise<void> => {
      leave();
      await release();
      await own.closed?.();
    };
    const of = log.state.parent?.session ?? id;
    const shown = setup.editorBuffers ? withUnsaved(files, () => setup.editorBuffers?.(of)) : files;
    const session = new LiveSession(log, { ...setup, closed }, shown);
    await session.recover();
    if (left) await session.sweep();
    if (left) await dropAllUnbegun(log.state, store);
    await log.append(...ended, ...facts.filter((fact) => !isToldAlready(fact, log)));
    await session.ready();
    return session;
  } catch (error) {
    await release();
    throw error;
  }
}

const startOf = ({
  id,
  workspace,
  parent,
  checkout,
}: Pick<SessionOpening, "id" | "parent" | "checkout"> & { workspace: string }): Fact => ({
  type: "session-start",
  session: id,
  workspace,
  version,
  ...(parent ? { parent } : {}),
  ...(checkout ? { checkout } : {}),
});

/** Suppresses a repeated warning: about the model if nothing has been appended since, about the mode in any case. */
function isToldAlready(fact: Fact, { entries }: SessionLog): boolean {
  if (fact.type !== "warning") return false;
  if (fact.code === trustedCode)
    return entries.some((entry) => entry.type === "warning" && entry.text === fact.text);
  if (fact.code !== modelGone && fact.code !== unthinkingCode) return false;
  const last = entries.at(-1);
  return last?.type === "warning" && last.text === fact.text;
}

export const noSuchSession = (wanted: string): string =>
  `There is no session ${wanted}. \`toolwright sessions\` lists those that are kept here.`;

/** Call before anything is written; returns a function that detaches. Without observers nothing is read. */
async function attachObservers(
  id: string,
  log: SessionLog,
  observers: readonly Observer[] = [],
): Promise<() => void> {
  if (observers.length === 0) return () => undefined;
  const { parent } = log.state;
  const earlier = await log.openTurn();
  const about = { id, earlier, parent };
  const heard = observers.flatMap((observer) => attempt(() => observer.session(about)) ?? []);
  const leave = log.listen((event) => heard.forEach((one) => attempt(() => one.receive(event))));
  return () => {
    leave();
    heard.forEach((one: EventReceiver) => attempt(() => one.closed?.()));
  };
}
