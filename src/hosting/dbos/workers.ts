/**
 * The table of workers. Each holds a lock of its own while it lives, on a connection of its own: a worker whose lock is
 * free at two looks in a row is dead.
 */

import { randomBytes } from "node:crypto";
import { ownIdentity } from "../../base/process-identity.ts";
import { KeptConnection } from "../../session/postgres/kept-connection.ts";
import type { ServerLink, Sql } from "../../session/postgres/server-link.ts";
import { string } from "../../session/rows.ts";

/** New for each start of a process. */
export function newWorkerId(): string {
  const { host, pid } = ownIdentity();
  return `${host}/${pid}/${randomBytes(6).toString("hex")}`;
}

/** Takes the lock, and again whenever its connection was lost, until the returned connection is closed. */
export async function lockWorker(link: ServerLink, id: string): Promise<KeptConnection> {
  const { pid, started, host } = ownIdentity();
  const connection = new KeptConnection(link, {
    opened: async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtextextended($1, 1))", [id]);
      await client.query(
        `INSERT INTO toolwright.workers (id, host, pid, started, process) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET died = NULL`,
        [id, host, pid, started, JSON.stringify(ownIdentity())],
      );
    },
  });
  await connection.open();
  return connection;
}

/** Workers whose lock is free, and which nobody has found dead yet. */
export async function unlockedWorkers(sql: Sql): Promise<string[]> {
  const rows = await sql(
    `SELECT id FROM workers WHERE died IS NULL AND NOT EXISTS (
       SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (classid::bigint << 32) | objid::bigint = hashtextextended(workers.id, 1)
     )`,
  );
  return rows.map((row) => string(row, "id"));
}

export async function buryWorkers(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql("UPDATE workers SET died = clock_timestamp() WHERE id = ANY($1)", [ids]);
}

/** Those that died lately: what they left is looked for again and again. */
export async function deadWorkers(sql: Sql): Promise<string[]> {
  await sql(
    `DELETE FROM workers WHERE died < clock_timestamp() - interval '1 day'
     AND NOT EXISTS (SELECT 1 FROM runs WHERE worker = workers.id)`,
  );
  const rows = await sql("SELECT id FROM workers WHERE died IS NOT NULL");
  return rows.map((row) => string(row, "id"));
}
