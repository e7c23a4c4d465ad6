/** The words of what was said, as an index that is brought up to date when somebody searches: appends pay nothing for it. */
import type { DatabaseSync } from "node:sqlite";
import type { Entry } from "../protocol/facts.ts";
import { hasWord, saidIn, searchedTypes, wordsIn } from "./search-words.ts";
import { transaction } from "./sqlite-database.ts";

type Decode = (text: string) => Entry;

/** A session that has every word, and the fact that has most of them; 0: only its name has them. */
export type Hit = { session: string; seq: number };

/** How long others that want to write have to wait for one step of it, about. */
const stepMs = 200;

/** Adds what was said since the last search, some sessions in one transaction. */
export function indexSaid(database: DatabaseSync, decode: Decode): void {
  const behind = database.prepare("SELECT id FROM sessions WHERE searched < facts").all();
  while (behind.length > 0)
    transaction(database, () => {
      const until = performance.now() + stepMs;
      for (let row = behind.pop(); row; row = performance.now() < until ? behind.pop() : undefined)
        indexSession(database, String(row["id"]), decode);
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

/** To be called in a transaction. */
export function forgetSaid(database: DatabaseSync, session: string): void {
  database
    .prepare("DELETE FROM said_words WHERE rowid IN (SELECT id FROM said WHERE session = ?)")
    .run(session);
  database.prepare("DELETE FROM said WHERE session = ?").run(session);
}

/** Newest first, at most `limit`. `words` as `wordsIn` gives them: they hold nothing that a query could mean otherwise. */
export function findSaid(database: DatabaseSync, words: readonly string[], limit: number): Hit[] {
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
    .prepare("SELECT id, title FROM sessions ORDER BY updated_at DESC, rowid DESC")
    .all()) {
    if (hits.length >= limit) break;
    const session = String(row["id"]);
    const title = wordsIn(String(row["title"]));
    const isHit = words.every((word, at) => found[at]?.has(session) === true || hasWord(title, word));
    const seqs = found.map((places) => places.get(session) ?? 0);
    if (isHit) hits.push({ session, seq: all.get(session) ?? Math.max(...seqs) });
  }
  return hits;
}
