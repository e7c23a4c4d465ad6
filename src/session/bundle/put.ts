/** Stores a bundle as a local session. Approvals given elsewhere do not carry over, nor does the mode trusted. */

import { encodeEntry } from "../../protocol/codec.ts";
import type { Entry, Fact, FactOf, Stamp } from "../../protocol/facts.ts";
import { factVersion } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState, type SessionState } from "../../protocol/session-state.ts";
import { pagesOf } from "../pages.ts";
import { recoverLog } from "../recover-log.ts";
import { changesIn, hashesOfChange, neededImages } from "../session-images.ts";
import type { Store } from "../store.ts";
import { turnClosing } from "../turn-closing.ts";
import type { Bundle } from "./read-bundle.ts";

/**
 * The session's new identity. `parent`: the session whose call gave it its task, if that is here, too. `isProtected`:
 * workspace paths that nothing may write to; undo must not restore contents there that the bundle supplies. `isCopy`: the
 * log says that it is one of another session.
 */
export type NewHome = {
  id: string;
  workspace: string;
  parent?: string;
  isCopy?: boolean;
  isProtected: (path: string) => boolean;
};

/**
 * Stores everything or, on failure, nothing, except perhaps contents that nothing refers to. Returns whether facts were
 * added to close what was open. Throws StoreError.
 */
export async function putBundle(store: Store, bundle: Bundle, home: NewHome): Promise<{ closed: boolean }> {
  const { told, state, open, closing } = movedIn(bundle, home);
  const entries = [...told, ...closing];
  const heldBack = new Set(
    told.flatMap(changesIn).flatMap((file) => (home.isProtected(file.path) ? hashesOfChange(file) : [])),
  );
  for (const [hash, bytes] of bundle.blobs) if (!heldBack.has(hash)) await store.putBlob(bytes);
  const { id, workspace, parent } = home;
  const { createdAt } = bundle.info;
  await store.create({ id, workspace, createdAt, ...(parent === undefined ? {} : { parent }) });
  try {
    // Images before facts: once a session has facts, it can be undone.
    for (const { owner, hash } of neededImages(closing.reduce(step, state))) {
      const bytes = heldBack.has(hash) ? undefined : bundle.images.get(hash);
      if (bytes) await store.keepImage(home.id, owner, bytes);
    }
    // Without a holder: no process works on the session yet, and a held session could not be deleted.
    await store.append(home.id, await store.claim(home.id), entries);
  } catch (error) {
    await store.delete(home.id).catch(() => undefined); // report the first failure, not this one
    throw error;
  }
  return { closed: open.length > 0 };
}

/** Whether the session is here already, as this import would store it; it may have gone on since. */
export async function isPut(store: Store, bundle: Bundle, home: NewHome): Promise<boolean> {
  const { told, closing } = movedIn(bundle, home);
  const left = [...told, ...closing].map(encodeEntry).toReversed();
  for await (const page of pagesOf(store, home.id))
    for (const entry of page) if (left.length > 0 && left.pop() !== encodeEntry(entry)) return false;
  return left.length === 0;
}

/** The facts as they are stored here, and those that close what is open. The same whenever it is asked. */
function movedIn(bundle: Bundle, home: NewHome) {
  const { info, entries } = bundle;
  const seq = entries.at(-1)?.seq ?? 0;
  const copyOf = home.isCopy === true ? { from: { session: info.id, seq } } : {};
  const told = entries.map((entry) => atHome(entry, home, copyOf));
  const state = told.reduce(step, emptyState());
  const open = closingFacts(told, state);
  const closing = withStamps([...open, ...outOfTrust(state)], told.at(-1), state.turn);
  return { told, state, open, closing };
}

/** What is in a copy happened in another session. */
type CopyOf = Pick<FactOf<"session-start">, "from">;

/** The workspace may be another one here; wider approvals were given by another person, for another machine. */
function atHome(entry: Entry, { id, workspace, parent }: NewHome, copyOf: CopyOf): Entry {
  switch (entry.type) {
    case "session-start": {
      const start = { ...inPlace(entry, workspace), session: id, workspace, ...copyOf };
      return parent === undefined ? alone(start) : start;
    }
    case "approval-answered":
      return entry.answer === "allow" ? { ...entry, scope: "once" } : entry;
    case "change-staged":
      return { ...entry, expiresAt: Math.min(entry.expiresAt, entry.at) };
    default:
      return entry;
  }
}

/** In another workspace, nothing may be made again from the repository that the first one came from. */
function inPlace<Start extends FactOf<"session-start">>(start: Start, workspace: string): Start {
  return start.workspace === workspace ? start : { ...start, checkout: undefined };
}

/** The parent session is not here. */
function alone<Start extends FactOf<"session-start">>(start: Start): Omit<Start, "parent"> {
  const { parent: _, ...rest } = start;
  return rest;
}

/** An open turn and queued messages are not continued: nobody here requested them. */
function closingFacts(entries: readonly Entry[], state: SessionState): Fact[] {
  const withdrawn = state.queue.map(({ id }): Fact => ({ type: "message-withdrawn", id }));
  return [...withdrawn, ...turnClosing(state, recoverLog(entries), { because })];
}

/** Somebody trusted it on another machine, if at all. */
const outOfTrust = ({ mode }: SessionState): Fact[] =>
  mode === "trusted" ? [{ type: "mode-set", mode: "ask", by: "toolwright" }] : [];

const because = "The session was moved to another place while this was open.";

function withStamps(facts: readonly Fact[], last: Stamp | undefined, turn: number): Entry[] {
  const { seq = 0, at = 0 } = last ?? {};
  return facts.map((fact, index) => ({ ...fact, v: factVersion, seq: seq + 1 + index, at, turn }));
}
