/** Imports sessions from files and exports them. */

import type { Expected } from "../base/expected.ts";
import { protectedPlace } from "../safety/places.ts";
import { type BundleNotes, bundleLines } from "../session/bundle/bundle.ts";
import { putBundle } from "../session/bundle/put.ts";
import { readBundle } from "../session/bundle/read-bundle.ts";
import { newSessionId } from "../session/session-id.ts";
import type { SessionInfo, Store } from "../session/store.ts";

export { bundleLines, type BundleNotes };

/** `was`: its original id and workspace. `closed`: an unfinished request was ended on import. */
export type ImportedSession = { id: string; was: SessionInfo; closed: boolean; facts: number };

/**
 * Reads and validates the whole file, then stores the session in this workspace, under its own id if that is free. The
 * problem is one sentence that follows the name of the file. Throws StoreError.
 */
export async function importSession(
  store: Store,
  pieces: AsyncIterable<Uint8Array>,
  workspace: string,
): Promise<Expected<ImportedSession>> {
  const read = await readBundle(pieces);
  if (!read.ok) return read;
  const { info, entries } = read.value;
  const id = (await isFree(store, info.id)) ? info.id : newSessionId(new Date());
  const { closed } = await putBundle(store, read.value, { id, workspace, now: Date.now(), isProtected });
  return { ok: true, value: { id, was: info, closed, facts: entries.length } };
}

const isProtected = (path: string): boolean => protectedPlace(path) !== undefined;

/** Also checks the form of the id: it is typed on command lines and becomes part of other names. */
const isFree = async (store: Store, id: string): Promise<boolean> =>
  /^\w[\w-]{0,63}$/u.test(id) && (await store.get(id)) === undefined;
