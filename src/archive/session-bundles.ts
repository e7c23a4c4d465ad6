/** Imports sessions from files and exports them. */

import type { Expected } from "../base/expected.ts";
import { protectedPlace } from "../safety/places.ts";
import { type BundleNotes, bundleLines } from "../session/bundle/bundle.ts";
import { isPut, type NewHome, putBundle } from "../session/bundle/put.ts";
import { type Bundle, readBundle, readBundles } from "../session/bundle/read-bundle.ts";
import { newSessionId } from "../session/session-id.ts";
import type { SessionInfo, Store } from "../session/store.ts";

export { bundleLines, type BundleNotes };

/**
 * `was`: its original id and workspace. `closed`: an unfinished request was ended on import. `isKnown`: it was here
 * before, and nothing was stored.
 */
export type ImportedSession = {
  id: string;
  was: SessionInfo;
  closed: boolean;
  facts: number;
  isKnown: boolean;
};

/**
 * Where a session is imported to, and under which id: its own would tell whether there is one of that id. Under a new
 * one it is a copy, whose past was not paid for here.
 */
export type NewPlace = { workspace: string; id?: "own" | "new" };

/**
 * Reads and validates the whole file, then stores the session in this workspace, under its own id if that is free and not
 * `new` is asked for. The problem is one sentence that follows the name of the file. Throws StoreError.
 */
export async function importSession(
  store: Store,
  pieces: AsyncIterable<Uint8Array>,
  { workspace, id: wanted = "own" }: NewPlace,
): Promise<Expected<ImportedSession>> {
  const read = await readBundle(pieces);
  if (!read.ok) return read;
  const { id } = read.value.info;
  const home = { id, workspace, isProtected };
  if (wanted === "own" && isOwnId(id)) {
    const known = await store.get(id);
    if (!known) return { ok: true, value: await put(store, read.value, home) };
    const isHere = known.workspace === workspace && (await isPut(store, read.value, home));
    if (isHere) return { ok: true, value: knownSession(read.value) };
  }
  const own = { ...home, id: newSessionId(new Date()), isCopy: wanted === "new" };
  return { ok: true, value: await put(store, read.value, own) };
}

/** A session of a file that could not be imported: `problem` says why, and what to do. */
type LeftSession = { id: string; problem: string };

/**
 * Moves sessions from one store to another: each keeps its id, its workspace and its parent. One that is here already is
 * left as it is. After a problem with the file, which is one sentence, nothing more is yielded. Throws StoreError.
 */
export async function* importSessions(
  store: Store,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Expected<ImportedSession | LeftSession>, void> {
  for await (const read of readBundles(pieces))
    yield read.ok ? { ok: true, value: await moveIn(store, read.value) } : read;
}

async function moveIn(store: Store, bundle: Bundle): Promise<ImportedSession | LeftSession> {
  const { id, workspace, parent } = bundle.info;
  if (!isOwnId(id))
    return { id, problem: "has an id that is none: import it alone, then it gets another one" };
  const hasParent = parent !== undefined && (await store.get(parent)) !== undefined;
  const home = { id, workspace, isProtected, ...(hasParent ? { parent } : {}) };
  if (!(await store.get(id))) return put(store, bundle, home);
  if (await isPut(store, bundle, home)) return knownSession(bundle);
  return { id, problem: "is here with other facts: import it alone, then it gets another id" };
}

async function put(store: Store, bundle: Bundle, home: NewHome): Promise<ImportedSession> {
  const { closed } = await putBundle(store, bundle, home);
  return { id: home.id, was: bundle.info, closed, facts: bundle.entries.length, isKnown: false };
}

const knownSession = ({ info, entries }: Bundle): ImportedSession => ({
  id: info.id,
  was: info,
  closed: false,
  facts: entries.length,
  isKnown: true,
});

const isProtected = (path: string): boolean => protectedPlace(path) !== undefined;

/** Ids are typed on command lines and become part of other names. */
const isOwnId = (id: string): boolean => /^\w[\w-]{0,63}$/u.test(id);
