/** The tables of session holders, and of the programs started for sessions. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { StartedProcess } from "../../base/process-identity.ts";
import { holderOf, startedProcess } from "../holder-rows.ts";
import { type Holder, renewMs } from "../owner.ts";
import { number } from "../rows.ts";
import { requireClaimable } from "../store-rules.ts";
import type { Claim } from "../store.ts";
import { preparedOnce } from "./statements.ts";

export class HolderTable {
  readonly #sql: (text: string) => StatementSync;
  /** When this process last renewed each session. */
  readonly #renewedAt = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#sql = preparedOnce(database);
  }

  /** Call within the transaction that raises the epoch. */
  claim(session: string, claim: Claim | undefined, now: number): void {
    requireClaimable(session, this.get(session), claim);
    if (!claim) return void this.#sql("DELETE FROM holders WHERE session = ?").run(session);
    const { program, process } = claim.owner;
    this.#sql("INSERT OR REPLACE INTO holders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      session,
      program,
      process.pid,
      process.started,
      process.boot,
      process.space,
      process.host,
      now,
      now,
    );
    this.#renewedAt.set(session, now);
  }

  get(session: string): Holder | undefined {
    const row = this.#sql("SELECT * FROM holders WHERE session = ?").get(session);
    return row && holderOf(row, { since: number(row, "since"), renewedAt: number(row, "renewed") });
  }

  /** Only the owner of the epoch may call this. */
  renew(session: string, now: number): void {
    this.#sql("UPDATE holders SET renewed = ? WHERE session = ?").run(now, session);
    this.#renewedAt.set(session, now);
  }

  /** Called with each append, since that writes anyway. */
  renewIfDue(session: string, now: number): void {
    const last = this.#renewedAt.get(session);
    if (last !== undefined && Math.abs(now - last) >= renewMs) this.renew(session, now);
  }

  release(session: string): void {
    this.#sql("DELETE FROM holders WHERE session = ?").run(session);
    this.#renewedAt.delete(session);
  }

  note(session: string, { process, by, marker, reach, what }: StartedProcess): void {
    this.#sql("INSERT OR REPLACE INTO processes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      session,
      marker,
      process.pid,
      process.started,
      by.pid,
      by.started,
      process.boot,
      process.space,
      process.host,
      reach,
      what,
    );
  }

  forget(session: string, { marker }: StartedProcess): void {
    this.#sql("DELETE FROM processes WHERE session = ? AND marker = ?").run(session, marker);
  }

  processes(session: string): StartedProcess[] {
    return this.#sql("SELECT * FROM processes WHERE session = ? ORDER BY rowid")
      .all(session)
      .map(startedProcess);
  }
}
