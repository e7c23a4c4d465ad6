/** The tables of session holders, and of the programs started for sessions. Silence is measured by the database's clock. */

import type { ProcessIdentity, StartedProcess } from "../../base/process-identity.ts";
import type { Holder } from "../owner.ts";
import { type DatabaseRow, number, string } from "../rows.ts";
import { noSession, requireClaimable } from "../store-rules.ts";
import { type Claim, StaleEpoch } from "../store.ts";
import type { TableWork } from "./work.ts";

/** The session's row. Throws StaleEpoch, or StoreError for an unknown session. */
export function* requireOwned(session: string, epoch: number): TableWork<DatabaseRow> {
  const [row] = yield ["SELECT * FROM sessions WHERE id = $1 FOR KEY SHARE", [session]];
  if (!row) throw noSession(session);
  if (number(row, "epoch") !== epoch) throw new StaleEpoch(session);
  return row;
}

/** Raises the epoch. Call within a transaction. */
export function* claimSession(session: string, claim: Claim | undefined): TableWork<number> {
  const [row] = yield ["UPDATE sessions SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch", [session]];
  if (!row) throw noSession(session);
  requireClaimable(session, yield* holderIn(session), claim);
  yield ["DELETE FROM holders WHERE session = $1", [session]];
  if (claim) {
    const { program, process } = claim.owner;
    yield [
      `INSERT INTO holders (session, program, pid, started, boot, space, host, since, renewed)
       VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())`,
      [session, program, process.pid, process.started, process.boot, process.space, process.host],
    ];
  }
  return number(row, "epoch");
}

/** Its times are by this machine's clock: as long ago as the database says. */
export function* holderIn(session: string): TableWork<Holder | undefined> {
  const [row] = yield [
    `SELECT *, extract(epoch FROM clock_timestamp() - since)::float8 * 1000 AS age,
       extract(epoch FROM clock_timestamp() - renewed)::float8 * 1000 AS silence
     FROM holders WHERE session = $1`,
    [session],
  ];
  if (!row) return undefined;
  return {
    program: string(row, "program"),
    process: { pid: number(row, "pid"), started: string(row, "started"), ...placeOf(row) },
    since: ago(number(row, "age")),
    renewedAt: ago(number(row, "silence")),
  };
}

const ago = (ms: number): number => Math.ceil(Date.now() - ms);

/** Only the owner of the epoch is renewed. */
export function* renewHolder(session: string, epoch: number): TableWork<void> {
  yield [
    `UPDATE holders SET renewed = clock_timestamp() WHERE session = $1 AND ${isOwned}`,
    [session, epoch],
  ];
}

export function* releaseHolder(session: string, epoch: number): TableWork<void> {
  yield [`DELETE FROM holders WHERE session = $1 AND ${isOwned}`, [session, epoch]];
}

const isOwned = "EXISTS (SELECT 1 FROM sessions WHERE id = $1 AND epoch = $2)";

export function* noteProcess(
  session: string,
  { process, by, marker, reach, what }: StartedProcess,
): TableWork<void> {
  const [noted] = yield [
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
  ];
  if (!noted) throw noSession(session);
}

export function* forgetProcess(session: string, { marker }: StartedProcess): TableWork<void> {
  yield ["DELETE FROM processes WHERE session = $1 AND marker = $2", [session, marker]];
}

export function* processesOf(session: string): TableWork<StartedProcess[]> {
  const rows = yield ["SELECT * FROM processes WHERE session = $1 ORDER BY number", [session]];
  return rows.map(startedProcess);
}

function startedProcess(row: DatabaseRow): StartedProcess {
  const place = placeOf(row);
  return {
    process: { pid: number(row, "pid"), started: string(row, "started"), ...place },
    by: { pid: number(row, "by_pid"), started: string(row, "by_started"), ...place },
    marker: string(row, "marker"),
    reach: row["reach"] === "all" ? "all" : "group",
    what: string(row, "what"),
  };
}

const placeOf = (row: DatabaseRow): Pick<ProcessIdentity, "boot" | "space" | "host"> => ({
  boot: string(row, "boot"),
  space: string(row, "space"),
  host: string(row, "host"),
});
