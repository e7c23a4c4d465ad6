/** The full-text index of what was said, updated on search: appends pay nothing for it. */

import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Entry } from "../../protocol/facts.ts";
import { lastUsed, latestTime } from "../rows.ts";
import { hasWord, saidIn, searchedTypes, wordsIn } from "../search-words.ts";
import type { SessionSearch } from "../store.ts";
import { seenBy, viewerIn } from "../team.ts";
import { transaction } from "./database.ts";

type Decode = (text: string) => Entry;

/** A session that contains every word, and the fact with most of them; 0: only its name has them. */
type Hit = { session: string; seq: number };

/** Approximate duration of one indexing step, during which this process and other writers must wait. */
const stepMs = 50;

type Indexing = {
  /** Sessions in which something was said since the last search. */
  unsearched: () => Promise<string[]>;
  /** Indexes some of these sessions and returns the rest. */
  index: (behind: readonly string[]) => Promise<string[]>;
  told: SessionSearch["told"];
};

/** The first run may have very many sessions to index: it yields to other work between steps. */
export async function indexSaid({ unsearched, index, told }: Indexing): Promise<void> {
  for (let behind = await unsearched(); behind.length > 0; await setImmediate()) {
    told?.(behind.length);
    behind = await index(behind);
  }
}

export const unindexedSessions = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT id FROM sessions WHERE searched < facts")
    .all()
    .map((row) => String(row["id"]));

/** Indexes as many sessions, from the end of the list, as fit into one step. */
export function indexSome(database: DatabaseSync, behind: readonly string[], decode: Decode): string[] {
  return transaction(database, () => {
    const left = [...behind];
    const until = performance.now() + stepMs;
    do indexSession(database, left.pop() ?? "", decode);
    while (left.length > 0 && performance.now() < until);
    return left;
  });
}

function indexSession(database: DatabaseSync, session: string, decode: Decode): void {
  const known = database.prepare("SELECT searched FROM sessions WHERE id = ?").get(session);
  if (!known) return;
  const types = searchedTypes.map((type) => `'${type}'`).join(", ");
  const rows = database.prepare(
    `SELECT seq, entry FROM facts WHERE session = ? AND seq > ?
     AND CASE WHEN json_valid(entry) THEN entry ->> 'type' END IN (${types}) ORDER BY seq`,
  );
  const addPlace = database.prepare("INSERT INTO said (session, seq) VALUES (?, ?)");
  const addWords = database.prepare("INSERT INTO said_words (rowid, words) VALUES (?, ?)");
  for (const row of rows.all(session, Number(known["searched"]))) {
    const words = wordsIn(saidIn(decode(String(row["entry"]))) ?? "");
    if (words.size === 0) continue;
    const { lastInsertRowid } = addPlace.run(session, Number(row["seq"]));
    addWords.run(lastInsertRowid, [...words].join(" "));
  }
  database.prepare("UPDATE sessions SET searched = facts WHERE id = ?").run(session);
}

/** Newest first, at most `limit`. `words` come from `wordsIn`, so they contain no query syntax. */
export function findSaid(
  database: DatabaseSync,
  words: readonly string[],
  { limit, viewer }: { limit: number; viewer: SessionSearch["seenBy"] },
): Hit[] {
  const find = database.prepare(
    `SELECT session, max(seq) AS seq FROM said WHERE id IN (SELECT rowid FROM said_words WHERE said_words MATCH ?)
     GROUP BY session`,
  );
  const found = words.map(
    (word) =>
      new Map(find.all(`"${word}"*`).map((row) => [String(row["session"]), Number(row["seq"])] as const)),
  );
  const all = new Map(
    find
      .all(words.map((word) => `"${word}"*`).join(" AND "))
      .map((row) => [String(row["session"]), Number(row["seq"])] as const),
  );
  const hits: Hit[] = [];
  for (const row of database
    .prepare(
      `SELECT id, title FROM sessions WHERE ${seenBy("id", "?2", "?3")} ORDER BY ${lastUsed("?1")} DESC, rowid DESC`,
    )
    .all(latestTime(), ...viewerIn(viewer))) {
    if (hits.length >= limit) break;
    const session = String(row["id"]);
    const title = wordsIn(String(row["title"]));
    const isHit = words.every((word, at) => found[at]?.has(session) === true || hasWord(title, word));
    const seqs = found.map((places) => places.get(session) ?? 0);
    if (isHit) hits.push({ session, seq: all.get(session) ?? Math.max(...seqs) });
  }
  return hits;
}
