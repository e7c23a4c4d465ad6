/** The engine of many machines: what is asked is stored in PostgreSQL, and workers run it as workflows of DBOS. */

import type { Expected } from "../../base/expected.ts";
import { readAddress } from "../../session/postgres/address.ts";
import { Notices } from "../../session/postgres/notices.ts";
import { linkTo, type ServerLink } from "../../session/postgres/server-link.ts";
import { type Store, StoreError } from "../../session/store.ts";
import type { EngineFigures } from "../figures.ts";
import type { TurnEngine, TurnPerformer } from "../turn-engine.ts";
import { DbosWorker } from "./dbos-worker.ts";
import { AskDesk, type EngineNotice } from "./desk.ts";
import { figuresIn } from "./queues.ts";
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
