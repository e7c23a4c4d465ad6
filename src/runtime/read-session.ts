/** Reads a session without claiming it, so that a program working on it is not disturbed. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { livingHolder } from "../archive/sessions.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { openTree } from "../base/safe-fs/open-tree.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Config } from "../configuration/config.ts";
import type { PathStanding } from "../protocol/fold-changes.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { CheckpointContext } from "../session/checkpoints/checkpoints.ts";
import { presentBytes } from "../session/checkpoints/hunks.ts";
import { keptBytes } from "../session/checkpoints/images.ts";
import { type Review, review } from "../session/checkpoints/review.ts";
import { foldStored } from "../session/pages.ts";
import type { Store } from "../session/store.ts";
import { findNamed, isOfPeopleIn, openStore, type StorePlace } from "./runtime.ts";

export type { Review };
export { foldStored };

export type ReadSession = {
  state: SessionState;
  /** What a turn changed; by default the newest turn with changes. */
  review(turn?: number): Promise<Expected<Review>>;
  /** The content once at a path, if it is stored or still there. */
  content(path: string, standing: PathStanding): Promise<Uint8Array | undefined>;
};

/** Reads the newest session of this workspace, or the one the settings name, and closes everything afterwards. */
export async function readSession<T>(
  settings: Pick<Config, "workspace" | "resume"> & StorePlace,
  work: (session: ReadSession) => Promise<T>,
): Promise<Expected<T>> {
  const opened = await openStore(settings);
  if (!opened.ok) return opened;
  const store = opened.value;
  try {
    const state = await readState(store, settings);
    if (!state.ok) return state;
    const tree = openWorkspace(state.value);
    if (!tree.ok) return tree;
    try {
      return { ok: true, value: await work(readIn({ state: state.value, files: tree.value, store })) };
    } finally {
      tree.value.close();
    }
  } finally {
    await store.close();
  }
}

/** Whether another program may be working on this session. Close our own connection first. */
export async function isInUse(place: StorePlace, session: string): Promise<boolean> {
  // Whoever has the file open counts. SQLite removes the write-ahead log with the last connection:
  // https://www.sqlite.org/wal.html
  if (place.database === undefined) return existsSync(join(place.stateDir, "sessions.db-wal"));
  const opened = await openStore(place);
  if (!opened.ok) return true;
  try {
    return (await livingHolder(opened.value, session)) !== undefined;
  } finally {
    await opened.value.close();
  }
}

async function readState(
  store: Store,
  { workspace, resume }: Pick<Config, "workspace" | "resume">,
): Promise<Expected<SessionState>> {
  const found = await (resume === undefined ? findNewest(store, workspace) : findNamed(store, resume));
  if (!found.ok) return found;
  const state = await foldStored(store, found.value);
  return state.session === ""
    ? refuse(`Session ${found.value} is empty: nothing was asked in it yet.`)
    : { ok: true, value: state };
}

async function findNewest(store: Store, workspace: string): Promise<Expected<string>> {
  const real = existsSync(workspace) ? realpathSync(workspace) : workspace;
  const newest = (await store.list()).find(isOfPeopleIn(real));
  if (newest) return { ok: true, value: newest.id };
  return refuse(
    `There is no session of ${real}. \`toolwright sessions\` lists those that are kept here; name one with --resume.`,
  );
}

function openWorkspace({ workspace, session }: SessionState): Expected<Tree> {
  const isThere = statSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere
    ? openTree(workspace)
    : refuse(`The workspace of session ${session} is not there any more: ${workspace}.`);
}

/** A session whose log, files and stored contents are available. */
export function readIn(context: CheckpointContext): ReadSession {
  return {
    state: context.state,
    review: (turn) => review(turn, context),
    content: async (path, standing) =>
      standing === null
        ? undefined
        : ((await keptBytes(standing.hash, context)) ?? (await presentBytes([standing], path, context))),
  };
}
