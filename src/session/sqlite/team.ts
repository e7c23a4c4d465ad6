/** The tables of a team: whose sessions are, with whom they are shared, and records of people. Prepared when used. */

import type { DatabaseSync } from "node:sqlite";
import { belongingsIn } from "../belonging-rows.ts";
import { string } from "../rows.ts";
import type { Belonging, RecordTexts, ShareRight, TeamRecord, TeamRecords } from "../team.ts";

/** How the store reads from its database and changes it. */
type TeamTableAccess = {
  read: <T>(work: () => T) => Promise<T>;
  change: <T>(work: () => T) => Promise<T>;
};

/** What the calls of a session start belongs to whom it belongs. Call within a transaction. */
export const inheritBelonging = (database: DatabaseSync, session: string, parent: string): void =>
  void database
    .prepare(
      "INSERT INTO belongings (session, tenant, person, tree) SELECT ?, tenant, person, tree FROM belongings WHERE session = ?",
    )
    .run(session, parent);

export class TeamTable implements TeamRecords {
  readonly #database: DatabaseSync;
  readonly #access: TeamTableAccess;

  constructor(database: DatabaseSync, access: TeamTableAccess) {
    this.#database = database;
    this.#access = access;
  }

  async belonging(session: string): Promise<Belonging | undefined> {
    return (await this.belongings([session])).get(session);
  }

  belongings(sessions: readonly string[]): Promise<Map<string, Belonging>> {
    return this.#access.read(() => belongingsIn(this.#all(selectBelongings, JSON.stringify(sessions))));
  }

  give(session: string, { tenant, person }: Pick<Belonging, "tenant" | "person">): Promise<void> {
    return this.#access.change(() =>
      this.#run(
        `INSERT INTO belongings (session, tenant, person, tree) SELECT id, ?, ?, id FROM sessions WHERE id = ?
         ON CONFLICT (session) DO UPDATE SET tenant = excluded.tenant, person = excluded.person`,
        tenant,
        person,
        session,
      ),
    );
  }

  share(session: string, person: string, right: ShareRight | undefined): Promise<void> {
    return this.#access.change(() => {
      const tree = this.#one("SELECT tree FROM belongings WHERE session = ?", session)?.["tree"];
      if (right === undefined)
        this.#run("DELETE FROM shares WHERE session = ? AND person = ?", String(tree), person);
      else
        this.#run(
          `INSERT OR REPLACE INTO shares (session, person, "right") SELECT id, ?, ? FROM sessions WHERE id = ?`,
          person,
          right,
          String(tree),
        );
    });
  }

  record(kind: string, id: string): Promise<string | undefined> {
    return this.#access.read(() => this.#text(kind, id));
  }

  records(kind: string, from = ""): Promise<TeamRecord[]> {
    return this.#access.read(() =>
      this.#all("SELECT id, text FROM team WHERE kind = ? AND id >= ? ORDER BY id", kind, from).map(
        (row) => ({ id: string(row, "id"), text: string(row, "text") }),
      ),
    );
  }

  replace(kind: string, id: string, { was, is, beside }: RecordTexts): Promise<boolean> {
    return this.#access.change(() => {
      if (this.#text(kind, id) !== was) return false;
      if (is === undefined) this.#run("DELETE FROM team WHERE kind = ? AND id = ?", kind, id);
      else this.#put({ kind, id, text: is });
      if (beside) this.#put(beside);
      return true;
    });
  }

  #put({ kind, id, text }: TeamRecord & { kind: string }): void {
    this.#run("INSERT OR REPLACE INTO team (kind, id, text) VALUES (?, ?, ?)", kind, id, text);
  }

  #text(kind: string, id: string): string | undefined {
    const row = this.#one("SELECT text FROM team WHERE kind = ? AND id = ?", kind, id);
    return row && string(row, "text");
  }

  #one(text: string, ...values: string[]) {
    return this.#database.prepare(text).get(...values);
  }

  #all(text: string, ...values: string[]) {
    return this.#database.prepare(text).all(...values);
  }

  #run(text: string, ...values: string[]): void {
    this.#database.prepare(text).run(...values);
  }
}

const selectBelongings = `SELECT belongings.session, tenant, belongings.person, shares.person AS other, "right"
  FROM belongings LEFT JOIN shares ON shares.session = tree
  WHERE belongings.session IN (SELECT value FROM json_each(?))`;
