/** The connections to a PostgreSQL server: a few, made when needed, and made again when the server was away. */

import type { Client, ClientBase, Pool, PoolConfig } from "pg";
import { sleep } from "../../base/async.ts";
import { sessionBounds } from "../bounds.ts";
import type { DatabaseRow } from "../rows.ts";
import { StoreError } from "../store.ts";
import type { TableAccess, TableWork } from "../tables/work.ts";
import type { DatabaseAddress } from "./address.ts";
import { isLost, isRolledBack, serverError } from "./server-errors.ts";

/** Runs one statement and returns its rows. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<DatabaseRow[]>;

/**
 * `isRepeated`: an earlier attempt lost its connection, and may have succeeded all the same. `client`: the connection
 * itself, for a library that takes part in the transaction.
 */
type ServerWork<T> = (sql: Sql, isRepeated: boolean, client: ClientBase) => Promise<T>;

/** Makes connections to one server: a pool, or one that is kept for what belongs to a connection. */
type ServerDriver = { pool: (most: number) => Pool; client: () => Client };

/** Longest time in which a connection must be there, in milliseconds. */
const connectMs = 10_000;
/** Longest time that a statement may take, that it waits for a lock, and that a stopped process keeps one. */
const limits =
  "SET statement_timeout = 60000; SET lock_timeout = 10000; SET idle_in_transaction_session_timeout = 60000";
/**
 * How soon the server notices that we are gone: then the locks of our connections and transactions are free for who
 * takes over. Not told apart on its own socket.
 */
export const liveness =
  "SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 4000";
/** A server that is gone without a word is noticed by this, in milliseconds. */
const silenceMs = 70_000;
/** An unused connection is closed after this, in milliseconds. */
const idleMs = 30_000;

export class ServerLink implements TableAccess {
  readonly name: string;
  readonly #driver: ServerDriver;
  readonly #pool: Pool;
  readonly #awayMs: number;
  /** The last write of each session, in call order. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** The connections whose settings are made. */
  readonly #ready = new WeakSet<ClientBase>();
  /** When the server was first missed, in milliseconds of `performance.now`. */
  #missedAt: number | undefined;
  #isClosed = false;

  /** `awayMs`: how long the server may be away. */
  constructor(driver: ServerDriver, name: string, awayMs: number) {
    this.#driver = driver;
    this.#pool = quiet(driver.pool(sessionBounds.serverConnections.most));
    this.name = name;
    this.#awayMs = awayMs;
  }

  /** Another pool, for a library that brings its own queries; whoever asked closes it. */
  pool(most: number): Pool {
    return quiet(this.#driver.pool(most));
  }

  /** A connection that is not yet opened, for listening and for locks; whoever asked closes it. */
  client(): Client {
    return this.#driver.client();
  }

  /** Makes one attempt: for what cannot wait, or must not be repeated. */
  async once<T>(work: ServerWork<T>): Promise<T> {
    try {
      return await this.#attempt(work, false);
    } catch (error) {
      throw serverError(this.name, error);
    }
  }

  /** Waits for a server that is away. `work` may run several times: it must be repeatable. */
  async patiently<T>(work: ServerWork<T>): Promise<T> {
    const begun = performance.now();
    let isRepeated = false;
    for (let wait = 25; ; wait = Math.min(2 * wait, 1_000)) {
      try {
        const value = await this.#attempt(work, isRepeated);
        this.#missedAt = undefined;
        return value;
      } catch (error) {
        if (!this.#mayRepeat(error, begun)) throw serverError(this.name, error);
        isRepeated ||= isLost(error);
      }
      await sleep(wait);
    }
  }

  /** Like `patiently`, but the works of one session run in call order: callers do not await all of them. */
  async inOrder<T>(session: string, work: ServerWork<T>): Promise<T> {
    const before = this.#queues.get(session) ?? Promise.resolve();
    const later = before.then(() => this.patiently(work));
    const over = later.then(nothing, nothing);
    this.#queues.set(session, over);
    try {
      return await later;
    } finally {
      if (this.#queues.get(session) === over) this.#queues.delete(session);
    }
  }

  readonly read: TableAccess["read"] = (work) => this.patiently((sql) => perform(sql, work()));

  readonly write: TableAccess["write"] = (session, work) =>
    this.inOrder(session, (sql, isRepeated) => perform(sql, work(isRepeated)));

  readonly change: TableAccess["change"] = (session, work) => {
    const attempt = (sql: Sql, isRepeated: boolean) => transaction(sql, () => perform(sql, work(isRepeated)));
    return session === undefined ? this.patiently(attempt) : this.inOrder(session, attempt);
  };

  async close(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  #mayRepeat(error: unknown, begun: number): boolean {
    if (this.#isClosed) return false;
    const now = performance.now();
    if (isRolledBack(error)) return now - begun < this.#awayMs;
    if (!isLost(error)) return false;
    this.#missedAt ??= now;
    return now - this.#missedAt < this.#awayMs;
  }

  async #attempt<T>(work: ServerWork<T>, isRepeated: boolean): Promise<T> {
    if (this.#isClosed) throw new StoreError(`The session database ${this.name} is closed here.`);
    const client = await this.#pool.connect();
    client.on("error", nothing); // the statement that is running reports it
    let broken: Error | undefined;
    try {
      if (!this.#ready.has(client)) await client.query(`SET search_path = toolwright; ${limits}`);
      this.#ready.add(client);
      return await work(sqlOf(client), isRepeated, client);
    } catch (error) {
      if (isLost(error) && error instanceof Error) broken = error;
      throw error;
    } finally {
      client.removeListener("error", nothing);
      client.release(broken);
    }
  }
}

const nothing = (): void => undefined;

/** An idle connection that breaks is replaced; unheard, its error would end the process. */
const quiet = (pool: Pool): Pool => pool.on("error", nothing);

const sqlOf =
  (client: ClientBase): Sql =>
  async (text, values = []) => {
    const answer = await client.query<DatabaseRow, unknown[]>(text, values.map(storable));
    return answer.rows;
  };

export async function perform<Value>(sql: Sql, work: TableWork<Value>): Promise<Value> {
  let step = work.next();
  while (!step.done) step = work.next(await sql(...step.value));
  return step.value;
}

/** Text in PostgreSQL has no zero bytes: one becomes what an unpaired surrogate becomes. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\uFFFD");
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Runs `work` in one transaction: all or nothing. */
export async function transaction<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  await sql("BEGIN");
  try {
    const value = await work();
    await sql("COMMIT");
    return value;
  } catch (error) {
    if (!isLost(error)) await sql("ROLLBACK");
    throw error;
  }
}

/** Connects nothing yet. `pg` is loaded here alone, by whoever names a database. */
export async function linkTo(
  { name, login }: DatabaseAddress,
  awayMs: number = sessionBounds.serverAway.most,
): Promise<ServerLink> {
  const { default: driver } = await import("pg").catch((error: unknown) => {
    const words = 'The optional package pg is not installed: install it, or leave the option "database" out.';
    throw new StoreError(words, { cause: error });
  });
  const config: PoolConfig = {
    ...login,
    application_name: "toolwright",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
  };
  // The pool waits for it, which its types do not say.
  const whenConnected = { onConnect: (client: ClientBase) => client.query(liveness) };
  const connections: ServerDriver = {
    pool: (max) => new driver.Pool({ ...config, ...whenConnected, max }),
    // It waits for notifications: silence is no failure.
    client: () =>
      new driver.Client({ ...config, query_timeout: connectMs, keepAliveInitialDelayMillis: 2_000 }),
  };
  return new ServerLink(connections, name, awayMs);
}
