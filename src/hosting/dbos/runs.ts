/**
 * The table of runs, one for each session that workers have had: it rests, waits until it is admitted, or is admitted
 * and has a workflow, named after the session and its turn.
 */

import type { ProcessIdentity } from "../../base/process-identity.ts";
import type { Sql } from "../../session/postgres/server-link.ts";
import { type DatabaseRow, number, string } from "../../session/rows.ts";

/** Whose the session is, where its workspace lies, and how many sessions of its tenant may run at once. */
export type RunPlace = { host: string; tenant: string; most: number | undefined };
export type TurnRun = { session: string; turn: number };
type AdmittedRun = TurnRun & { host: string };

export const workflowId = ({ session, turn }: TurnRun): string => `${session}/${turn}`;

const runOf = (row: DatabaseRow): TurnRun => ({ session: string(row, "session"), turn: number(row, "turn") });

/** Wakes the run if it rests, and locks it until the transaction ends. A run stays on the host of its first turn. */
export async function wakeRun(
  sql: Sql,
  session: string,
  { host, tenant, most }: RunPlace,
): Promise<{ host: string }> {
  const [row = {}] = await sql(
    `INSERT INTO runs AS known (session, host, tenant, most) VALUES ($1, $2, $3, $4)
     ON CONFLICT (session) DO UPDATE SET most = excluded.most,
       tenant = CASE known.state WHEN 'rests' THEN excluded.tenant ELSE known.tenant END,
       turn = known.turn + CASE known.state WHEN 'rests' THEN 1 ELSE 0 END,
       since = CASE known.state WHEN 'rests' THEN clock_timestamp() ELSE known.since END,
       state = CASE known.state WHEN 'rests' THEN 'waits' ELSE known.state END
     RETURNING host`,
    [session, host, tenant, most ?? null],
  );
  return { host: string(row, "host") };
}

/** Tenants with runs that wait. */
export async function waitingTenants(sql: Sql): Promise<string[]> {
  const rows = await sql("SELECT DISTINCT tenant FROM runs WHERE state = 'waits'");
  return rows.map((row) => string(row, "tenant"));
}

/** Admits the oldest runs that wait, as many as the tenant may have. Call within a transaction that enqueues them. */
export async function admitRuns(sql: Sql, tenant: string): Promise<AdmittedRun[]> {
  await sql("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [tenant]);
  const rows = await sql(
    `WITH admitted AS (SELECT count(*) AS count FROM runs WHERE tenant = $1 AND state = 'admitted'),
     next AS (
       SELECT session, row_number() OVER (ORDER BY since, session) AS place FROM runs
       WHERE tenant = $1 AND state = 'waits'
     )
     UPDATE runs SET state = 'admitted', since = clock_timestamp() FROM next, admitted
     WHERE runs.session = next.session AND runs.state = 'waits'
       AND (runs.most IS NULL OR admitted.count + next.place <= runs.most)
     RETURNING runs.session, runs.turn, runs.host`,
    [tenant],
  );
  return rows.map((row) => ({ ...runOf(row), host: string(row, "host") }));
}

/**
 * Notes the worker. Undefined: somebody else has it, or it is over. `before`: the worker that had this turn and did not
 * end it; `failures`: how many did not since the run rested.
 */
export async function takeRun(
  sql: Sql,
  { session, turn }: TurnRun,
  worker: string,
): Promise<{ before: string | undefined; failures: number } | undefined> {
  const [row] = await sql(
    `WITH known AS (
       SELECT worker AS before FROM runs WHERE session = $1 AND turn = $2 AND state = 'admitted' FOR UPDATE
     )
     UPDATE runs SET worker = $3, since = clock_timestamp(),
       failures = CASE WHEN before IS NULL THEN 0 ELSE failures + 1 END
     FROM known WHERE session = $1 RETURNING before, failures`,
    [session, turn, worker],
  );
  if (!row) return undefined;
  return {
    before: row["before"] === null ? undefined : string(row, "before"),
    failures: number(row, "failures"),
  };
}

/**
 * Runs whose host has no living worker, and that can go on on any other, because their workspace is a checkout; locked until
 * the transaction ends. Of those that are not begun yet, what was asked first tells it. The words that are looked for
 * cannot stand in a text within the JSON: its quotes are escaped.
 */
export async function homelessRuns(sql: Sql, host: string): Promise<(TurnRun & { isAdmitted: boolean })[]> {
  const rows = await sql(
    `SELECT session, turn, state FROM runs
     WHERE state <> 'rests' AND host <> $1
       AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.host = runs.host AND died IS NULL)
       AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = runs.worker AND died IS NULL)
       AND (EXISTS (SELECT 1 FROM facts WHERE facts.session = runs.session AND seq = 1
                    AND entry LIKE '%"checkout":{"repository":"%')
         OR EXISTS (SELECT 1 FROM asks WHERE run = runs.session AND outcome IS NULL
                    AND ask LIKE '{"name":"create"%' AND ask LIKE '%"repository":"%'))
     ORDER BY since FOR UPDATE SKIP LOCKED`,
    [host],
  );
  return rows.map((row) => ({ ...runOf(row), isAdmitted: string(row, "state") === "admitted" }));
}

/** From now on the run is of this host. */
export async function moveRun(sql: Sql, session: string, host: string): Promise<void> {
  await sql("UPDATE runs SET host = $2 WHERE session = $1", [session, host]);
}

/** Whether this worker still has the run. */
export async function hasRun(sql: Sql, { session, turn }: TurnRun, worker: string): Promise<boolean> {
  const rows = await sql("SELECT 1 FROM runs WHERE session = $1 AND turn = $2 AND worker = $3", [
    session,
    turn,
    worker,
  ]);
  return rows.length > 0;
}

/** False if something was asked meanwhile: the run goes on. Call within a transaction. */
export async function endRun(sql: Sql, { session, turn }: TurnRun, worker: string): Promise<boolean> {
  const [row] = await sql(
    "SELECT tenant FROM runs WHERE session = $1 AND turn = $2 AND worker = $3 FOR UPDATE",
    [session, turn, worker],
  );
  if (!row) return true;
  const asked = await sql("SELECT 1 FROM asks WHERE run = $1 AND outcome IS NULL LIMIT 1", [session]);
  if (asked.length > 0) return false;
  await restRun(sql, session);
  return true;
}

/** How many workers died of it is kept until it begins again. */
export async function restRun(sql: Sql, session: string): Promise<void> {
  await sql("UPDATE runs SET state = 'rests', worker = NULL WHERE session = $1", [session]);
}

/** Runs that have been admitted for a while: their workflows may have failed. */
export async function oldRuns(sql: Sql): Promise<TurnRun[]> {
  const rows = await sql(
    "SELECT session, turn FROM runs WHERE state = 'admitted' AND since < clock_timestamp() - interval '5 seconds'",
  );
  return rows.map(runOf);
}

/** Lets it be admitted again, as its next turn: its workflow has ended, and it has not. */
export async function readmitRun(sql: Sql, { session, turn }: TurnRun): Promise<void> {
  await sql(
    "UPDATE runs SET state = 'waits', turn = turn + 1 WHERE session = $1 AND turn = $2 AND state = 'admitted'",
    [session, turn],
  );
}

/** Where each of these sessions is open in a worker: words for people. */
export async function ownersOf(sql: Sql, sessions: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql(
    `SELECT session, workers.pid, workers.host FROM holders
     JOIN workers ON workers.pid = holders.pid AND workers.host = holders.host AND workers.started = holders.started
     WHERE session = ANY($1)`,
    [sessions],
  );
  return new Map(
    rows.map((row) => [
      string(row, "session"),
      `a worker (process ${number(row, "pid")} on ${string(row, "host")})`,
    ]),
  );
}

/** The process of a worker that is dead; undefined while it lives. */
export async function deadProcess(sql: Sql, worker: string): Promise<ProcessIdentity | undefined> {
  const [row] = await sql("SELECT process FROM workers WHERE id = $1 AND died IS NOT NULL", [worker]);
  if (!row) return undefined;
  const process: ProcessIdentity = JSON.parse(string(row, "process"));
  return process;
}
