/** Copies whole sessions in the database up to a fact, or removes them. Call within a transaction, first. */

import type { Entry } from "../../protocol/facts.ts";
import { number } from "../rows.ts";
import {
  copiedOwners,
  copyEntries,
  noSession,
  requireFacts,
  requireFree,
  sessionExists,
  titleAfter,
} from "../store-rules.ts";
import type { SessionInfo } from "../store.ts";
import { holdBlobs, leaveBlobs } from "./blobs.ts";
import { holderIn } from "./claims.ts";
import { dropImages, type ImageRules, lockImages } from "./images.ts";
import type { StoredValue, TableWork } from "./work.ts";

/** What a row of `facts` has besides its session: the columns, and their values for a fact. */
export type FactColumns = { names: readonly string[]; valuesOf: (entry: Entry) => readonly StoredValue[] };

type SessionCopy = { to: SessionInfo; upTo: number; entries: readonly Entry[] };

/** `entries`: the facts to copy, decoded. They are copied as stored, except those that `copyEntries` changes. */
export function* copySession(
  from: string,
  { to, upTo, entries }: SessionCopy,
  columns: FactColumns,
): TableWork<void> {
  yield* holdBlobs();
  yield* lockImages();
  const [source] = yield ["SELECT facts FROM sessions WHERE id = $1 FOR KEY SHARE", [from]];
  if (!source) throw noSession(from);
  requireFacts(from, upTo, number(source, "facts"));
  const ours = copyEntries(entries, to);
  const [made] = yield [
    `INSERT INTO sessions (id, workspace, created_at, updated_at, facts, title)
     VALUES ($1, $2, $3, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id`,
    [to.id, to.workspace, to.createdAt, ours.length, titleAfter("", entries)],
  ];
  if (!made) throw sessionExists(to.id);
  const names = columns.names.join(", ");
  yield [
    `INSERT INTO facts (session, ${names}) SELECT $1, ${names} FROM facts WHERE session = $2 AND seq <= $3`,
    [to.id, from, upTo],
  ];
  for (const entry of ours)
    if (entry.type === "session-start" || entry.seq > upTo) yield* putFact(to.id, entry, columns);
  yield* copyImages(from, to, entries);
}

function* putFact(session: string, entry: Entry, { names, valuesOf }: FactColumns): TableWork<void> {
  yield [
    `INSERT INTO facts (session, ${names.join(", ")}) VALUES ($1, ${names.map((_, at) => `$${at + 2}`).join(", ")})
     ON CONFLICT (session, seq) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    [session, ...valuesOf(entry)],
  ];
}

/** Copies the images that undo of the copied turns needs. */
function* copyImages(from: string, to: SessionInfo, entries: readonly Entry[]): TableWork<void> {
  const owners = copiedOwners(entries, to);
  for (const row of yield ["SELECT DISTINCT owner FROM image_owners WHERE session = $1", [from]]) {
    const owner = String(row["owner"]);
    const ours = owners.get(owner);
    if (ours === undefined) continue; // of a later turn
    yield [
      `INSERT INTO image_owners (session, owner, hash, kept)
       SELECT $1, $2, hash, kept FROM image_owners WHERE session = $3 AND owner = $4 ON CONFLICT DO NOTHING`,
      [to.id, ours, from, owner],
    ];
  }
}

/** False if there is no such session. `tables`: those whose rows do not go with its own. Throws SessionHeld. */
export function* deleteSession(
  session: string,
  tables: readonly string[],
  rules: Pick<ImageRules, "triggers">,
): TableWork<boolean> {
  yield* leaveBlobs(session);
  yield* lockImages();
  const [known] = yield ["SELECT id FROM sessions WHERE id = $1 FOR UPDATE", [session]];
  if (!known) return false;
  requireFree(session, yield* holderIn(session));
  yield* dropImages(session, undefined, rules);
  for (const table of tables) yield [`DELETE FROM ${table} WHERE session = $1`, [session]];
  yield ["UPDATE sessions SET parent = NULL WHERE parent = $1", [session]];
  yield ["UPDATE belongings SET tree = session WHERE tree = $1", [session]];
  yield ["DELETE FROM sessions WHERE id = $1", [session]];
  return true;
}
