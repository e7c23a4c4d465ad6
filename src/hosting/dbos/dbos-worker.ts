/** A worker: DBOS gives it the workflows of its host's queue, and it looks after what dead workers left. */

import type { DBOSClient, DBOSConfig } from "@dbos-inc/dbos-sdk";
import { sleep, withDeadline } from "../../base/async.ts";
import { errorMessage } from "../../base/expected.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import type { KeptConnection } from "../../session/postgres/kept-connection.ts";
import type { Notices } from "../../session/postgres/notices.ts";
import { type ServerLink, transaction } from "../../session/postgres/server-link.ts";
import { StoreError } from "../../session/store.ts";
import type { TurnPerformer } from "../turn-engine.ts";
import { dropOldOutcomes } from "./asks.ts";
import type { EngineNotice } from "./desk.ts";
import { admitRuns, homelessRuns, moveRun, oldRuns, readmitRun, waitingTenants, workflowId } from "./runs.ts";
import { runTurn } from "./turn-run.ts";
import {
  buryWorkers,
  deadWorkers,
  lockWorker,
  newWorkerId,
  removeWorker,
  unlockedWorkers,
} from "./workers.ts";

type WorkerParts = {
  link: ServerLink;
  notices: Notices<EngineNotice>;
  performer: TurnPerformer;
  /** How many sessions it runs at once. */
  most: number;
  log: (line: string) => void;
};

/** Only workflows of this version are run: it changes when what is stored for them does, not with every build. */
const protocolVersion = "turn-v1";
const applicationName = "toolwright";
const workflowName = "turn";
/** Where DBOS keeps its tables. */
const systemDatabaseSchemaName = "toolwright_dbos";
/** How often DBOS looks into the queue, in milliseconds. */
const pollMs = 100;
/** How often DBOS looks whether it has notices to send, in milliseconds: our workflows make none. */
const dbosNoticesMs = 1_000;
/** How often dead workers and runs that wait are looked for, in milliseconds. */
const sweepMs = 500;
/** Every how many sweeps what was overlooked is looked for. */
const sweepsPerSearch = 10;
/** A run looks after this time whether something was asked whose notice was lost, in milliseconds. */
const newsMs = 1_000;
const mostConnections = 4;
/** How long the workflows of ended runs are kept, in milliseconds. */
const keptMs = 3_600_000;
const mostForgotten = 500;

const nothing = (): void => undefined;
const queueOf = (host: string): string => `host:${host}`;

/** DBOS is loaded here alone. */
async function loadDbos() {
  try {
    return await import("@dbos-inc/dbos-sdk");
  } catch (error) {
    const words =
      "The optional package @dbos-inc/dbos-sdk is not installed, and workers need it: install it.";
    throw new StoreError(words, { cause: error });
  }
}

type Dbos = Awaited<ReturnType<typeof loadDbos>>;
type WorkerPool = ReturnType<ServerLink["pool"]>;
type WorkerAddress = Pick<
  DBOSConfig,
  "systemDatabaseUrl" | "systemDatabasePool" | "systemDatabaseSchemaName"
>;
type WorkerLinks = { dbos: Dbos; id: string; lock: KeptConnection; pool: WorkerPool; client: DBOSClient };

/**
 * One at a time: DBOS makes its tables, and does not expect that others do so just now. False if another is at it: to
 * wait within a statement would hold up its indexes.
 */
const launchAlone = (link: ServerLink, launch: () => Promise<void>): Promise<boolean> =>
  link.once((sql) =>
    transaction(sql, async () => {
      const [row = {}] = await sql(
        "SELECT pg_try_advisory_xact_lock(hashtextextended('toolwright worker', 0)) AS alone",
      );
      if (row["alone"] === true) await launch();
      return row["alone"] === true;
    }),
  );

export class DbosWorker {
  readonly #parts: WorkerParts;
  readonly #dbos: Dbos;
  readonly #id: string;
  readonly #lock: KeptConnection;
  readonly #pool: WorkerPool;
  readonly #client: DBOSClient;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** By the session of a run: called when something was asked of it. */
  readonly #wakers = new Map<string, () => void>();
  #suspects = new Set<string>();
  #sweeping: Promise<void> | undefined;
  #unhear = nothing;

  /** Resolves once it takes workflows. Throws StoreError. */
  static async start(parts: WorkerParts): Promise<DbosWorker> {
    const dbos = await loadDbos();
    const id = newWorkerId();
    const lock = await lockWorker(parts.link, id);
    const pool = parts.link.pool(mostConnections);
    // Connections come from the pool: the address only names the database in what DBOS logs.
    const address = {
      systemDatabaseUrl: "postgres://toolwright:unused@localhost:5432/sessions",
      systemDatabasePool: pool,
      systemDatabaseSchemaName,
    };
    const client = await dbos.DBOSClient.create({ ...address, applicationName });
    const worker = new DbosWorker(parts, { dbos, id, lock, pool, client });
    try {
      while (!(await launchAlone(parts.link, () => worker.#launch(address)))) await sleep(pollMs);
      return worker;
    } catch (error) {
      await worker.close().catch(nothing);
      const words = `The engine of the workers cannot begin in ${parts.link.name}: ${errorMessage(error)}`;
      throw new StoreError(words, { cause: error });
    }
  }

  private constructor(parts: WorkerParts, { dbos, id, lock, pool, client }: WorkerLinks) {
    this.#parts = parts;
    this.#dbos = dbos;
    this.#id = id;
    this.#lock = lock;
    this.#pool = pool;
    this.#client = client;
  }

  /** Takes no more workflows; resolves when none runs any more, or after this many milliseconds. */
  async drain(mostMs: number): Promise<void> {
    const stopped = this.#dbos.DBOS.shutdown({ workflowCompletionTimeoutMS: mostMs });
    await withDeadline(Promise.all([stopped, ...this.#running]), mostMs);
  }

  /** What still runs is left to other workers: its lock is free from now on. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#unhear();
    await this.#sweeping;
    await this.#dbos.DBOS.shutdown();
    await this.#client.destroy();
    await this.#pool.end();
    await this.#parts.link.once((sql) => removeWorker(sql, this.#id)).catch(nothing); // others find it dead
    await this.#lock.close();
  }

  async #launch(address: WorkerAddress): Promise<void> {
    const { DBOS } = this.#dbos;
    const { notices, most, log } = this.#parts;
    const told = (entry: unknown): void => log(errorMessage(entry));
    const queue = queueOf(ownIdentity().host);
    DBOS.setConfig({
      name: applicationName,
      ...address,
      executorID: this.#id,
      applicationVersion: protocolVersion,
      listenQueues: [queue],
      notificationCoalesceMs: dbosNoticesMs,
      logger: { info: nothing, debug: nothing, warn: nothing, error: told },
    });
    DBOS.registerWorkflow((session: string, turn: number) => this.#work(session, turn), {
      name: workflowName,
    });
    await DBOS.launch();
    await DBOS.registerQueue(queue, {
      workerConcurrency: most,
      minPollingIntervalMs: pollMs,
      onConflict: "always_update",
    });
    this.#unhear = notices.hear((notice) => {
      if (!notice || !("run" in notice)) return;
      const waker = this.#wakers.get(notice.run);
      if (waker) waker();
      else void this.#admit().catch(() => undefined); // the next sweep may succeed
    });
    this.#sweeping = this.#sweepAgain();
  }

  async #work(session: string, turn: number): Promise<void> {
    const { link, notices, performer } = this.#parts;
    const context = { link, notices, performer, worker: this.#id, news: (run: string) => this.#news(run) };
    const running = runTurn(context, { session, turn });
    const over = running.catch(() => undefined);
    this.#running.add(over);
    try {
      await running;
    } finally {
      this.#running.delete(over);
      this.#wakers.delete(session);
      await this.#admit().catch(() => undefined);
    }
  }

  #news(run: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, newsMs);
      this.#wakers.set(run, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Those that wait and may run get their workflows, in one transaction. */
  async #admit(): Promise<void> {
    const { link } = this.#parts;
    const tenants = await link.once(waitingTenants);
    for (const tenant of tenants)
      await link.once((sql, _, client) =>
        transaction(sql, async () => {
          for (const run of await admitRuns(sql, tenant))
            await this.#client.enqueueInTransaction(
              client,
              {
                workflowName,
                queueName: queueOf(run.host),
                workflowID: workflowId(run),
                appVersion: protocolVersion,
              },
              run.session,
              run.turn,
            );
        }),
      );
  }

  /** Again and again, never once: what one sweep overlooks the next one finds. */
  async #sweepAgain(): Promise<void> {
    const { signal } = this.#closing;
    for (let sweep = 0; !signal.aborted; sweep += 1) {
      try {
        await this.#sweep(sweep % sweepsPerSearch === 0);
      } catch {
        this.#suspects.clear(); // the server was away: nobody could hold a lock
      }
      await sleep(sweepMs, signal).catch(() => undefined);
    }
  }

  async #sweep(isSearch: boolean): Promise<void> {
    const { link } = this.#parts;
    const unlocked = await link.once(unlockedWorkers);
    const dead = unlocked.filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(unlocked);
    if (dead.length > 0) await link.once((sql) => buryWorkers(sql, dead));
    await this.#inherit(isSearch ? await link.once(deadWorkers) : dead);
    if (isSearch || dead.length > 0) await this.#adopt();
    await this.#admit();
    if (!isSearch) return;
    await this.#readmit();
    await this.#forget();
    await link.once(dropOldOutcomes);
  }

  /** What dead workers had is enqueued again, on the same host: there its workspace is. */
  async #inherit(dead: readonly string[]): Promise<void> {
    if (dead.length === 0) return;
    const left = await this.#client.listWorkflows({
      executorId: [...dead],
      status: "PENDING",
      workflowName,
      applicationVersion: protocolVersion,
      loadInput: false,
    });
    for (const [queueName, flows] of Map.groupBy(left, (flow) => flow.queueName))
      if (queueName !== undefined)
        await this.#client.resumeWorkflows(
          flows.map((flow) => flow.workflowID),
          { queueName },
        );
  }

  /** Runs whose machine is gone go on here, if their workspace can be made again. Those of no workflow yet get one here. */
  async #adopt(): Promise<void> {
    const { host } = ownIdentity();
    await this.#parts.link.once((sql) =>
      transaction(sql, async () => {
        const runs = await homelessRuns(sql, host);
        const flows = runs.filter(({ isAdmitted }) => isAdmitted).map(workflowId);
        if (flows.length > 0) await this.#client.resumeWorkflows(flows, { queueName: queueOf(host) });
        for (const { session } of runs) await moveRun(sql, session, host);
      }),
    );
  }

  /** What is over is of no use any more. */
  async #forget(): Promise<void> {
    const over = await this.#client.listWorkflows({
      workflowName,
      status: ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"],
      completedBefore: new Date(Date.now() - keptMs).toISOString(),
      limit: mostForgotten,
      loadInput: false,
      loadOutput: false,
    });
    if (over.length > 0) await this.#client.deleteWorkflows(over.map((flow) => flow.workflowID));
  }

  /** Workflows may fail, as when the server was away for too long: their runs get new ones. */
  async #readmit(): Promise<void> {
    const { link } = this.#parts;
    const runs = await link.once(oldRuns);
    if (runs.length === 0) return;
    const flows = await this.#client.listWorkflows({
      workflowIDs: runs.map(workflowId),
      status: ["ENQUEUED", "PENDING", "DELAYED"],
      loadInput: false,
    });
    const active = new Set(flows.map((flow) => flow.workflowID));
    for (const run of runs) if (!active.has(workflowId(run))) await link.once((sql) => readmitRun(sql, run));
  }
}
