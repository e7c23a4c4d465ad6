/** What the tables of the workers tell of sessions that do not go on, without being a gateway or a worker. */

import { type Expected, refuse } from "../../base/expected.ts";
import { readAddress } from "../../session/postgres/address.ts";
import { linkTo, type ServerLink, type Sql, transaction } from "../../session/postgres/server-link.ts";
import { number, string } from "../../session/rows.ts";
import type { EngineRuns, RunStanding } from "../stuck-sessions.ts";
import type { StoredOutcome } from "./asks.ts";
import { restRun } from "./runs.ts";
import { mostFailures } from "./turn-run.ts";
import { unlockedWorkers } from "./workers.ts";

/** Throws StoreError. */
export async function openStuckRuns(address: string): Promise<Expected<EngineRuns>> {
  const read = readAddress(address);
  return read.ok ? { ok: true, value: new StuckRuns(await linkTo(read.value)) } : read;
}

class StuckRuns implements EngineRuns {
  readonly #link: ServerLink;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  standings(sessions: readonly string[]): Promise<RunStanding[]> {
    return this.#link.once((sql) => standingsIn(sql, sessions));
  }

  giveUp(session: string, problem: string): Promise<Expected<number>> {
    return this.#link.once((sql) => transaction(sql, () => giveUpRun(sql, session, problem)));
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

/** Nobody may be left to find a worker dead: its lock tells. */
async function standingsIn(sql: Sql, sessions: readonly string[]): Promise<RunStanding[]> {
  const rows = await sql(
    `WITH living AS (SELECT id, host FROM workers WHERE died IS NULL AND id <> ALL($2))
     SELECT session, host, failures, state <> 'rests' AS begun,
       extract(epoch FROM clock_timestamp() - since)::float8 * 1000 AS age,
       EXISTS (SELECT 1 FROM living WHERE living.host = runs.host OR living.id = runs.worker) AS served,
       EXISTS (SELECT 1 FROM asks WHERE run = runs.session AND outcome IS NULL) AS asked
     FROM runs WHERE session = ANY($1) OR state <> 'rests'`,
    [sessions, await unlockedWorkers(sql)],
  );
  return rows.map((row) => {
    const deaths = number(row, "failures");
    const state = row["begun"] !== true ? "rests" : row["served"] === true ? "served" : "unserved";
    return {
      session: string(row, "session"),
      machine: string(row, "host"),
      since: Math.trunc(Date.now() - number(row, "age")),
      state,
      isAsked: row["asked"] === true,
      ...(state === "rests" && deaths >= mostFailures ? { deaths } : {}),
    };
  });
}

/** A workflow that is left of it finds nothing to do. */
async function giveUpRun(sql: Sql, session: string, problem: string): Promise<Expected<number>> {
  await sql("SELECT 1 FROM runs WHERE session = $1 FOR UPDATE", [session]);
  const run = (await standingsIn(sql, [session])).find((one) => one.session === session);
  if (run?.state === "served")
    return refuse(`Workers on ${run.machine} go on with session ${session} just now.`);
  const outcome: StoredOutcome = { value: { ok: false, problem } };
  const refused = await sql(
    "UPDATE asks SET outcome = $2 WHERE run = $1 AND outcome IS NULL RETURNING number",
    [session, JSON.stringify(outcome)],
  );
  await restRun(sql, session);
  return { ok: true, value: refused.length };
}
