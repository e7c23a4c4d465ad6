/** The tables of session holders, and of the programs started for sessions. Silence is measured by the server's clock. */

import type { StartedProcess } from "../../base/process-identity.ts";
import { holderOf, startedProcess } from "../holder-rows.ts";
import type { Holder } from "../owner.ts";
import { number } from "../rows.ts";
import { noSession, requireClaimable } from "../store-rules.ts";
import { type Claim, StaleEpoch } from "../store.ts";
import type { Sql } from "./server-link.ts";

/** Raises the epoch. Call within a transaction. */
export async function claimSession(sql: Sql, session: string, claim: Claim | undefined): Promise<number> {
  const [row] = await sql("UPDATE sessions SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch", [session]);
  if (!row) throw noSession(session);
  requireClaimable(session, await holderIn(sql, session), claim);
  await sql("DELETE FROM holders WHERE session = $1", [session]);
  if (claim) {
    const { program, process } = claim.owner;
    await sql(
      `INSERT INTO holders (session, program, pid, started, boot, space, host)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [session, program, process.pid, process.started, process.boot, process.space, process.host],
    );
  }
  return number(row, "epoch");
}

/** Its times are by this machine's clock: as long ago as the server says. */
export async function holderIn(sql: Sql, session: string): Promise<Holder | undefined> {
  const [row] = await sql(
    `SELECT *, extract(epoch FROM clock_timestamp() - since)::float8 * 1000 AS age,
       extract(epoch FROM clock_timestamp() - renewed)::float8 * 1000 AS silence
     FROM holders WHERE session = $1`,
    [session],
  );
  if (!row) return undefined;
  return holderOf(row, { since: ago(number(row, "age")), renewedAt: ago(number(row, "silence")) });
}

const ago = (ms: number): number => Math.ceil(Date.now() - ms);

/** Throws StaleEpoch. */
export async function renewHolder(sql: Sql, session: string, epoch: number): Promise<void> {
  const [row] = await sql(
    `WITH renewal AS (
       UPDATE holders SET renewed = clock_timestamp() FROM sessions
       WHERE session = $1 AND id = $1 AND epoch = $2
     )
     SELECT epoch FROM sessions WHERE id = $1`,
    [session, epoch],
  );
  if (!row) throw noSession(session);
  if (number(row, "epoch") !== epoch) throw new StaleEpoch(session);
}

export async function releaseHolder(sql: Sql, session: string, epoch: number): Promise<void> {
  await sql("DELETE FROM holders USING sessions WHERE session = $1 AND id = $1 AND epoch = $2", [
    session,
    epoch,
  ]);
}

export async function noteProcess(
  sql: Sql,
  session: string,
  { process, by, marker, reach, what }: StartedProcess,
): Promise<void> {
  const noted = await sql(
    `INSERT INTO processes (session, marker, pid, started, by_pid, by_started, boot, space, host, reach, what)
     SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM sessions WHERE id = $1
     ON CONFLICT (session, marker) DO UPDATE SET pid = excluded.pid, started = excluded.started,
       by_pid = excluded.by_pid, by_started = excluded.by_started, boot = excluded.boot,
       space = excluded.space, host = excluded.host, reach = excluded.reach, what = excluded.what
     RETURNING session`,
    [
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
    ],
  );
  if (noted.length === 0) throw noSession(session);
}

export async function forgetProcess(sql: Sql, session: string, { marker }: StartedProcess): Promise<void> {
  await sql("DELETE FROM processes WHERE session = $1 AND marker = $2", [session, marker]);
}

export async function processesOf(sql: Sql, session: string): Promise<StartedProcess[]> {
  const rows = await sql("SELECT * FROM processes WHERE session = $1 ORDER BY number", [session]);
  return rows.map(startedProcess);
}
