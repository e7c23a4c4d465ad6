/** What lists of sessions need, each in one query: their rows, how far they are, and what was worked out of them. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { transaction } from "./sqlite-database.ts";
import type { KeptFigures, Page } from "./store.ts";

type Row = Record<string, unknown>;

/** As SQLite has it. */
const noLimit = -1;

export class ListTable {
  readonly #database: DatabaseSync;
  readonly #sql: Record<"all" | "first" | "next" | "heads" | "figures" | "keep" | "version", StatementSync>;

  constructor(database: DatabaseSync) {
    const sql = (text: string): StatementSync => database.prepare(text);
    const named = "SELECT value FROM json_each(?)";
    const newest = "ORDER BY updated_at DESC, rowid DESC";
    this.#database = database;
    this.#sql = {
      all: sql(`SELECT * FROM sessions ${newest}`),
      first: sql(`SELECT * FROM sessions ${newest} LIMIT ?`),
      next: sql(
        `SELECT * FROM sessions WHERE (updated_at, rowid) < (SELECT updated_at, rowid FROM sessions WHERE id = ?)
         ${newest} LIMIT ?`,
      ),
      heads: sql(`SELECT id, facts FROM sessions WHERE id IN (${named})`),
      figures: sql(`SELECT session, seq, text FROM figures WHERE session IN (${named})`),
      // Of a session that is gone there are none; who is behind does not undo what another has worked out.
      keep: sql(
        `INSERT INTO figures (session, seq, text) SELECT id, ?2, ?3 FROM sessions WHERE id = ?1
         ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, text = excluded.text
         WHERE excluded.seq >= figures.seq`,
      ),
      version: sql("PRAGMA data_version"),
    };
  }

  rows(page: Page | undefined): Row[] {
    if (!page) return this.#sql.all.all();
    const { limit, before } = page;
    const most = Number.isFinite(limit) ? Math.max(0, Math.trunc(limit)) : noLimit;
    return before === undefined ? this.#sql.first.all(most) : this.#sql.next.all(before, most);
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

  /** Now or not at all: nobody waits for what can be worked out again. */
  keep(figures: ReadonlyMap<string, KeptFigures>): void {
    const { timeout } = this.#database.prepare("PRAGMA busy_timeout").get() ?? {};
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      transaction(this.#database, () => {
        for (const [session, { seq, text }] of figures) this.#sql.keep.run(session, seq, text);
      });
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${Number(timeout)}`);
    }
  }

  /** Another number whenever another connection has written: https://www.sqlite.org/pragma.html#pragma_data_version */
  version(): number {
    return Number(this.#sql.version.get()?.["data_version"]);
  }
}
