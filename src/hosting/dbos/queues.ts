/** What waits and runs, by machine and by tenant, as the tables have it. */

import type { Sql } from "../../session/postgres/server-link.ts";
import { number, string } from "../../session/rows.ts";
import type { EngineFigures } from "../figures.ts";

/** Machines, and tenants, of which figures are given: so the number of labels has a limit. */
const mostTold = 500;

/** A run that has no worker yet waits, whether it was admitted or not; so does what no worker has begun. */
export async function figuresIn(sql: Sql): Promise<EngineFigures> {
  const queues = await sql(
    `SELECT host, sum(workers)::int AS workers, sum(waits)::int AS waiting, sum(runs)::int AS running,
       max(waited)::float8 * 1000 AS oldest FROM (
         SELECT host, 1 AS workers, 0 AS waits, 0 AS runs, 0 AS waited FROM workers WHERE died IS NULL
         UNION ALL
         SELECT host, 0, waits::int, (NOT waits)::int,
           CASE WHEN waits THEN extract(epoch FROM clock_timestamp() - since) ELSE 0 END
         FROM (SELECT *, state = 'waits' OR worker IS NULL AS waits FROM runs WHERE state <> 'rests') AS known
         UNION ALL
         SELECT host, 0, 0, 0, extract(epoch FROM clock_timestamp() - made)
         FROM asks JOIN runs ON runs.session = asks.run WHERE asks.worker IS NULL AND outcome IS NULL
       ) AS parts GROUP BY host ORDER BY sum(waits) + sum(runs) DESC, host LIMIT $1`,
    [mostTold],
  );
  const tenants = await sql(
    `SELECT tenant, count(*) FILTER (WHERE state = 'waits')::int AS waiting,
       count(*) FILTER (WHERE state = 'admitted')::int AS running, max(most)::int AS most
     FROM runs WHERE state <> 'rests' GROUP BY tenant ORDER BY count(*) DESC, tenant LIMIT $1`,
    [mostTold],
  );
  return {
    queues: queues.map((row) => ({
      host: string(row, "host"),
      workers: number(row, "workers"),
      waiting: number(row, "waiting"),
      running: number(row, "running"),
      oldestWaitMs: Math.max(0, number(row, "oldest")),
    })),
    tenants: tenants.map((row) => ({
      tenant: string(row, "tenant"),
      waiting: number(row, "waiting"),
      running: number(row, "running"),
      limit: row["most"] === null ? undefined : number(row, "most"),
    })),
  };
}
