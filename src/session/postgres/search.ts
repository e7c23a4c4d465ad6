/**
 * The full-text index of what was said: PostgreSQL's own, over words as every store defines them. It is updated on
 * search: appends pay nothing for it.
 */

import { type DatabaseRow, lastUsed, latestTime, number, string, summaryOf } from "../rows.ts";
import { excerptOf, saidIn, searchedTypes, wordsIn } from "../search-words.ts";
import type { FoundSession, SessionSearch } from "../store.ts";
import { limitOf } from "../tables/lists.ts";
import { seenBy, viewerIn } from "../team.ts";
import { entriesFrom } from "./facts.ts";
import { type Sql, transaction } from "./server-link.ts";

/** Facts of one session that are indexed at once. */
const factsAtOnce = 200;
/** Words of one row in bytes; a TSVECTOR takes 1 MB at most. */
const mostWordBytes = 256_000;

export async function unindexedSessions(sql: Sql): Promise<string[]> {
  const rows = await sql(
    `SELECT id FROM sessions LEFT JOIN indexed ON session = id
     WHERE coalesce(indexed.facts, 0) < sessions.facts`,
  );
  return rows.map((row) => string(row, "id"));
}

/** Indexes some facts of a session; true if all are now. Another program may do the same meanwhile. */
export async function indexSome(sql: Sql, session: string): Promise<boolean> {
  return transaction(sql, async () => {
    await sql(
      "INSERT INTO indexed (session) SELECT id FROM sessions WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING",
      [session],
    );
    const [known] = await sql(
      `SELECT indexed.facts AS upto, sessions.facts AS facts, title FROM indexed JOIN sessions ON id = session
       WHERE session = $1 FOR UPDATE OF indexed`,
      [session],
    );
    if (!known) return true; // deleted meanwhile
    const rows = await sql(
      `SELECT seq, entry FROM facts WHERE session = $1 AND seq > $2 AND seq <= $3 AND type = ANY($4)
       ORDER BY seq LIMIT $5`,
      [session, number(known, "upto"), number(known, "facts"), searchedTypes, factsAtOnce],
    );
    const said = await wordRows(sql, rows);
    if (number(known, "upto") < number(known, "facts")) said.push(...wordRowsOf(0, string(known, "title")));
    await sql("DELETE FROM said WHERE session = $1 AND seq = 0", [session]);
    await sql(
      `INSERT INTO said (session, seq, words)
       SELECT $1, given.seq, array_to_tsvector(string_to_array(given.words, ' '))
       FROM unnest($2::bigint[], $3::text[]) AS given (seq, words)`,
      [session, said.map(({ seq }) => seq), said.map(({ words }) => words)],
    );
    const isWhole = rows.length < factsAtOnce;
    const upTo = isWhole ? number(known, "facts") : number(rows.at(-1) ?? {}, "seq");
    await sql("UPDATE indexed SET facts = $2 WHERE session = $1", [session, upTo]);
    return isWhole;
  });
}

/** The words of one text; 0 is the name of the session. */
type WordRow = { seq: number; words: string };

async function wordRows(sql: Sql, rows: readonly DatabaseRow[]): Promise<WordRow[]> {
  const stored = rows.map((row) => ({ seq: number(row, "seq"), text: string(row, "entry") }));
  const entries = await entriesFrom(sql, stored);
  return entries.flatMap((entry) => wordRowsOf(entry.seq, saidIn(entry) ?? ""));
}

function wordRowsOf(seq: number, text: string): WordRow[] {
  const rows: string[][] = [];
  let size = mostWordBytes;
  for (const word of wordsIn(text)) {
    const bytes = Buffer.byteLength(word);
    if (size + bytes > mostWordBytes) size = rows.push([]) && 0;
    size += bytes;
    rows.at(-1)?.push(word);
  }
  return rows.map((words) => ({ seq, words: words.join(" ") }));
}

/** Newest first, at most `limit`. `words` come from `wordsIn`, so they contain no query syntax. */
export async function findSaid(
  sql: Sql,
  words: readonly string[],
  { limit, viewer }: { limit: number; viewer: SessionSearch["seenBy"] },
): Promise<FoundSession[]> {
  const wanted = words.map((word) => `'${word}':*`);
  const rows = await sql(
    `SELECT sessions.*, entry, seq FROM sessions JOIN (
       SELECT session, coalesce(max(seq) FILTER (WHERE words @@ $2::tsquery), max(seq)) AS seq
       FROM unnest($1::tsquery[]) WITH ORDINALITY AS wanted (word, at) JOIN said ON words @@ word
       GROUP BY session HAVING count(DISTINCT at) = cardinality($1::tsquery[])
     ) AS hits ON session = id LEFT JOIN facts USING (session, seq)
     WHERE ${seenBy("id", "$5", "$6")} ORDER BY ${lastUsed("$3")} DESC, number DESC LIMIT $4`,
    [wanted, wanted.join(" & "), latestTime(), limitOf(limit), ...viewerIn(viewer)],
  );
  const texts = await textsOf(sql, rows);
  return rows.map((row, at) => ({
    ...summaryOf(row),
    excerpt: excerptOf(texts[at] ?? string(row, "title"), words),
  }));
}

/** What was said in the fact of each row; undefined where only the name has the words. */
async function textsOf(sql: Sql, rows: readonly DatabaseRow[]): Promise<(string | undefined)[]> {
  const stored = rows.map((row) => ({
    seq: number(row, "seq"),
    text: row["entry"] === null ? "" : string(row, "entry"),
  }));
  const entries = await entriesFrom(sql, stored);
  return entries.map(saidIn);
}
