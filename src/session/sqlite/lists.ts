/** Queries for lists of sessions, one each: rows, newest fact numbers, and cached figures. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type DatabaseRow, lastUsed, latestTime } from "../rows.ts";
import type { KeptFigures, Page } from "../store.ts";
import { seenBy, type Viewer, viewerIn } from "../team.ts";
import { transaction } from "./database.ts";

/** SQLite's value for "no limit". */
const noLimit = -1;

const typeOfFact = "CASE WHEN json_valid(entry) THEN json_extract(entry, '$.type') END";

export class ListTable {
  readonly #database: DatabaseSync;
  readonly #sql: Record<
    "all" | "first" | "next" | "unfinished" | "children" | "heads" | "figures" | "keep" | "version",
    StatementSync
  >;

  constructor(database: DatabaseSync) {
    const sql = (text: string): StatementSync => database.prepare(text);
    const named = "SELECT value FROM json_each(?)";
    const wanted = `(?2 = 0 OR parent IS NULL) AND ${seenBy("id", "?4", "?5")}`;
    const newest = `ORDER BY ${lastUsed("?1")} DESC, rowid DESC`;
    this.#database = database;
    this.#sql = {
      all: sql(`SELECT * FROM sessions ${newest}`),
      first: sql(`SELECT * FROM sessions WHERE ${wanted} ${newest} LIMIT ?3`),
      next: sql(
        `SELECT * FROM sessions WHERE ${wanted}
         AND (${lastUsed("?1")}, rowid) < (
           SELECT ${lastUsed("?1")}, rowid FROM sessions WHERE id = ?6 AND ${seenBy("id", "?4", "?5")})
         ${newest} LIMIT ?3`,
      ),
      // Found from the end of each log: 30 ms for 10,000 sessions. A damaged fact is passed over.
      unfinished: sql(
        `SELECT * FROM sessions WHERE parent IS NULL AND 'user-message' = (
           SELECT ${typeOfFact} FROM facts WHERE session = sessions.id
           AND ${typeOfFact} IN ('user-message', 'turn-end') ORDER BY seq DESC LIMIT 1
         ) AND ${seenBy("id", "?3", "?4")} ${newest} LIMIT ?2`,
      ),
      children: sql("SELECT * FROM sessions WHERE parent = ? ORDER BY created_at, rowid"),
      heads: sql(`SELECT id, facts FROM sessions WHERE id IN (${named})`),
      figures: sql(`SELECT session, seq, text FROM figures WHERE session IN (${named})`),
      // Stores nothing for deleted sessions, and never replaces newer figures by older ones.
      keep: sql(
        `INSERT INTO figures (session, seq, text) SELECT id, ?2, ?3 FROM sessions WHERE id = ?1
         ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, text = excluded.text
         WHERE excluded.seq >= figures.seq`,
      ),
      version: sql("PRAGMA data_version"),
    };
  }

  rows(page: Page | undefined): DatabaseRow[] {
    const latest = latestTime();
    if (!page) return this.#sql.all.all(latest);
    const { limit, before } = page;
    const viewer = viewerIn(page.seenBy);
    const most = Number.isFinite(limit) ? Math.max(0, Math.trunc(limit)) : noLimit;
    const ofPeople = page.ofPeople === true ? 1 : 0;
    return before === undefined
      ? this.#sql.first.all(latest, ofPeople, most, ...viewer)
      : this.#sql.next.all(latest, ofPeople, most, ...viewer, before);
  }

  unfinished(limit: number, viewer: Viewer | undefined): DatabaseRow[] {
    return this.#sql.unfinished.all(latestTime(), limit, ...viewerIn(viewer));
  }

  children(session: string): DatabaseRow[] {
    return this.#sql.children.all(session);
  }

  heads(sessions: readonly string[]): Map<string, number> {
    const rows = this.#sql.heads.all(JSON.stringify(sessions));
    return new Map(rows.map((row) => [String(row["id"]), Number(row["facts"])]));
  }

  figures(sessions: readonly string[]): Map<string, KeptFigures> {
    const rows = this.#sql.figures.all(JSON.stringify(sessions));
    return new Map(
      rows.map((row) => [String(row["session"]), { seq: Number(row["seq"]), text: String(row["text"]) }]),
    );
  }

  keep(figures: ReadonlyMap<string, KeptFigures>): void {
    transaction(this.#database, () => {
      for (const [session, { seq, text }] of figures) this.#sql.keep.run(session, seq, text);
    });
  }

  /** Changes whenever another connection has written: https://www.sqlite.org/pragma.html#pragma_data_version */
  version(): number {
    return Number(this.#sql.version.get()?.["data_version"]);
  }
}
