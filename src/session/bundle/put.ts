/** Stores a bundle as a session of this machine. What its people allowed elsewhere allows nothing here. */

import type { Entry, Fact, FactOf, Stamp } from "../../protocol/facts.ts";
import { factVersion } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { currentTurn, emptyState, type SessionState } from "../../protocol/session-state.ts";
import { recoverLog } from "../recover-log.ts";
import { changesIn, hashesOfChange, neededImages } from "../session-images.ts";
import type { Store } from "../store.ts";
import type { Bundle } from "./read.ts";

/**
 * Where it belongs from now on. `now`: milliseconds since 1970. `isProtected`: places in the workspace that nothing may
 * write to, so that undo must not find what a stranger says stood there.
 */
type NewHome = { id: string; workspace: string; now: number; isProtected: (path: string) => boolean };

/**
 * All of it or, where anything fails, none; only contents that nobody refers to may stay behind. Gives what was added
 * so that nothing is left open. Throws StoreError.
 */
export async function putBundle(store: Store, bundle: Bundle, home: NewHome): Promise<{ closed: boolean }> {
  const told = bundle.entries.map((entry) => atHome(entry, home));
  const state = told.reduce(step, emptyState());
  const closing = stamped(closingFacts(told, state), told.at(-1), state.turn);
  const entries = [...told, ...closing];
  const heldBack = new Set(
    told.flatMap(changesIn).flatMap((file) => (home.isProtected(file.path) ? hashesOfChange(file) : [])),
  );
  for (const [hash, bytes] of bundle.blobs) if (!heldBack.has(hash)) await store.putBlob(bytes);
  await store.create({ id: home.id, workspace: home.workspace, createdAt: bundle.info.createdAt });
  try {
    // Before the facts: a session that has any can be undone.
    for (const { owner, hash } of neededImages(closing.reduce(step, state))) {
      const bytes = heldBack.has(hash) ? undefined : bundle.images.get(hash);
      if (bytes) await store.keepImage(home.id, owner, bytes);
    }
    // In nobody's name: nobody works on it yet, and a session that is held could not be deleted.
    await store.append(home.id, await store.claim(home.id), entries);
  } catch (error) {
    await store.delete(home.id).catch(() => undefined); // the first failure is what a person should hear of
    throw error;
  }
  return { closed: closing.length > 0 };
}

/** Its files are those of another workspace; a wider yes was given by somebody else, for another machine. */
function atHome(entry: Entry, { id, workspace, now }: NewHome): Entry {
  switch (entry.type) {
    case "session-start":
      return alone({ ...entry, session: id, workspace });
    case "approval-answered":
      return entry.answer === "allow" ? { ...entry, scope: "once" } : entry;
    case "change-staged":
      return { ...entry, expiresAt: Math.min(entry.expiresAt, now) };
    default:
      return entry;
  }
}

/** Whoever had given it its task is elsewhere. */
function alone<Start extends FactOf<"session-start">>(start: Start): Omit<Start, "parent"> {
  const { parent: _, ...rest } = start;
  return rest;
}

/** A turn that was left open, and messages that waited, are not gone on with: nobody here has asked for that. */
function closingFacts(entries: readonly Entry[], state: SessionState): Fact[] {
  const withdrawn = state.queue.map(({ id }): Fact => ({ type: "message-withdrawn", id }));
  if (state.status === "idle") return withdrawn;
  const mended = recoverLog(entries);
  const done = new Set(mended.flatMap((fact) => (fact.type === "result" ? [fact.callId] : [])));
  const left = [...state.open].filter((callId) => !done.has(callId)).map(cancelled);
  return [...withdrawn, ...mended, ...left, turnEnd(state)];
}

const because = "The session was moved to another place while this was open.";

const cancelled = (callId: string): FactOf<"result"> => ({
  type: "result",
  callId,
  outcome: "cancelled",
  content: [{ type: "text", text: because }],
});

const turnEnd = (state: SessionState): FactOf<"turn-end"> => ({
  type: "turn-end",
  stopped: "interrupted",
  because,
  changed: [...new Set((currentTurn(state)?.changes ?? []).map(({ path }) => path))],
  verified: [],
  text: currentTurn(state)?.lastText ?? "",
});

function stamped(facts: readonly Fact[], last: Stamp | undefined, turn: number): Entry[] {
  const { seq = 0, at = 0 } = last ?? {};
  return facts.map((fact, index) => ({ ...fact, v: factVersion, seq: seq + 1 + index, at, turn }));
}
