/** The engine of many machines: what is asked is stored in PostgreSQL, and workers run it as workflows of DBOS. */

import type { Expected } from "../../base/expected.ts";
import { readAddress } from "../../session/postgres/address.ts";
import { Notices } from "../../session/postgres/notices.ts";
import { linkTo, type ServerLink, type Sql } from "../../session/postgres/server-link.ts";
import { number, string } from "../../session/rows.ts";
import { type Store, StoreError } from "../../session/store.ts";
import type { EngineFigures } from "../figures.ts";
import type { TurnEngine, TurnPerformer } from "../turn-engine.ts";
import { DbosWorker } from "./dbos-worker.ts";
import { AskDesk, type EngineNotice } from "./desk.ts";
import { ownersOf, type RunPlace } from "./runs.ts";

export type DbosSetup = {
  /** Of the database; its tables are there once a store was opened. */
  address: string;
  store: Pick<Store, "get" | "team">;
  /** Of sessions that are new to the workers; those of people are of their tenant. */
  place: RunPlace;
  /** How many sessions this process runs at once, if it works. */
  most: number;
  /** What workers have to report: one line each. */
  log: (line: string) => void;
  beginMs?: number;
};

export async function openDbosEngine(setup: DbosSetup): Promise<Expected<TurnEngine>> {
  const read = readAddress(setup.address);
  if (!read.ok) return read;
  try {
    return { ok: true, value: new DbosEngine(setup, await linkTo(read.value)) };
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, problem: error.message };
    throw error;
  }
}

class DbosEngine implements TurnEngine {
  readonly #setup: DbosSetup;
  readonly #link: ServerLink;
  readonly #notices: Notices<EngineNotice>;
  readonly #desk: AskDesk;
  #worker: DbosWorker | undefined;

  constructor(setup: DbosSetup, link: ServerLink) {
    const { store, place, beginMs } = setup;
    this.#setup = setup;
    this.#link = link;
    this.#notices = new Notices(link, "toolwright_asks");
    this.#desk = new AskDesk({ link, notices: this.#notices, store, place, beginMs });
  }

  readonly submit: TurnEngine["submit"] = (session, ask) => this.#desk.submit(session, ask);

  async work(performer: TurnPerformer): Promise<void> {
    const { most, log } = this.#setup;
    this.#worker = await DbosWorker.start({
      link: this.#link,
      notices: this.#notices,
      performer,
      most,
      log,
    });
  }

  owner(sessions: readonly string[]): Promise<Map<string, string>> {
    return this.#link.patiently((sql) => ownersOf(sql, sessions));
  }

  figures(): Promise<EngineFigures> {
    return this.#link.once(figuresIn);
  }

  async wake(session: string): Promise<void> {
    await this.submit(session, { name: "command", command: { type: "go-on" } });
  }

  async drain(mostMs: number): Promise<void> {
    await this.#worker?.drain(mostMs);
  }

  async close(): Promise<void> {
    this.#desk.close();
    await this.#worker?.close();
    await this.#notices.close();
    await this.#link.close();
  }
}

/** Machines, and tenants, of which figures are given: so the number of labels has a limit. */
const mostTold = 500;

/** A run that has no worker yet waits, whether it was admitted or not; so does what no worker has begun. */
async function figuresIn(sql: Sql): Promise<EngineFigures> {
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
