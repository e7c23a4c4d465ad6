/** The store of a team: a PostgreSQL database, shared by any number of processes on any number of machines. */

import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../base/crypto.ts";
import type { StartedProcess } from "../../base/process-identity.ts";
import type {
  CallCounts,
  DialectMeasurement,
  DialectRecord,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import type { Entry } from "../../protocol/facts.ts";
import { renewMs } from "../owner.ts";
import { type DatabaseRow, number, string, summaryOf } from "../rows.ts";
import { wordsIn } from "../search-words.ts";
import { entriesToCopy, noSession, sessionExists } from "../store-rules.ts";
import {
  type Claim,
  type FoundSession,
  type Hash,
  type Holder,
  type KeptFigures,
  maxImageBytes,
  type Page,
  type PageSize,
  type SessionSearch,
  type SessionInfo,
  type SessionSummary,
  type Store,
  StoreError,
  type StreamedBlock,
} from "../store.ts";
import type { TeamRecords, Viewer } from "../team.ts";
import { readAddress } from "./address.ts";
import { blobsOf, putLoose } from "./blobs.ts";
import { copySession, deleteSession } from "./copies.ts";
import { addCounts, dialectsOf, measuredModels, putMeasured } from "./dialects.ts";
import { appendFacts, factAppend, readFacts, requireOwned } from "./facts.ts";
import {
  claimSession,
  forgetProcess,
  holderIn,
  noteProcess,
  processesOf,
  releaseHolder,
  renewHolder,
} from "./holders.ts";
import { dropImages, imageOf, keepImage, lockImages } from "./images.ts";
import {
  childRows,
  figuresOf,
  headsOf,
  listedRows,
  putFigures,
  unfinishedRows,
  visibleState,
} from "./lists.ts";
import { migrate, requireFormat } from "./migrations.ts";
import { StoredNews } from "./news.ts";
import { openBlockOf, putOpenBlock } from "./open-blocks.ts";
import { findSaid, indexSome, unindexedSessions } from "./search.ts";
import { linkTo, type ServerLink, type Sql, transaction } from "./server-link.ts";
import { inheritBelonging, teamRecords } from "./team.ts";

export type PostgresOptions = {
  /** How long the server may be away before a request fails, in milliseconds. */
  awayMs?: number;
  /** Limit on the total size of stored images. */
  maxImageBytes?: number;
};

/** Connects, and makes or migrates the tables. Throws StoreError. */
export async function openPostgresStore(address: string, options: PostgresOptions = {}): Promise<Store> {
  const read = readAddress(address);
  if (!read.ok) throw new StoreError(read.problem);
  const link = await linkTo(read.value, options.awayMs);
  try {
    await link.once((sql) => migrate(sql, read.value.name));
  } catch (error) {
    await link.close();
    throw error;
  }
  return new PostgresStore(link, options.maxImageBytes ?? maxImageBytes);
}

/** What people may want to know of the database's server. Throws StoreError. */
export async function serverOf(address: string): Promise<{ version: string; bytes: number; name: string }> {
  const read = readAddress(address);
  if (!read.ok) throw new StoreError(read.problem);
  const link = await linkTo(read.value);
  try {
    const [row = {}] = await link.once((sql) =>
      sql(
        "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes",
      ),
    );
    return { version: string(row, "version"), bytes: number(row, "bytes"), name: read.value.name };
  } finally {
    await link.close();
  }
}

class PostgresStore implements Store {
  readonly news: StoredNews;
  readonly team: TeamRecords;
  readonly #link: ServerLink;
  readonly #maxImageBytes: number;
  /** When this process last renewed each session that it holds. */
  readonly #renewedAt = new Map<string, number>();
  /** What was visible when `changed` was last asked, and how often that has changed. */
  #visible = { state: "", changes: 0 };

  constructor(link: ServerLink, mostImageBytes: number) {
    this.#link = link;
    this.news = new StoredNews(link);
    this.team = teamRecords(link);
    this.#maxImageBytes = mostImageBytes;
  }

  create({ id, workspace, createdAt, parent }: SessionInfo): Promise<void> {
    return this.#link.inOrder(id, async (sql, isRepeated) => {
      const made = await sql(
        `INSERT INTO sessions (id, workspace, created_at, updated_at, parent) VALUES ($1, $2, $3, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id`,
        [id, workspace, createdAt, parent ?? null],
      );
      const isOurs = made.length > 0 || (isRepeated && (await isMade(sql, { id, workspace, createdAt })));
      if (!isOurs) throw sessionExists(id);
      if (parent !== undefined) await inheritBelonging(sql, id, parent);
    });
  }

  list(page?: Page): Promise<SessionSummary[]> {
    return this.#summaries((sql) => listedRows(sql, page));
  }

  unfinished(limit: number, seenBy?: Viewer): Promise<SessionSummary[]> {
    return this.#summaries((sql) => unfinishedRows(sql, limit, seenBy));
  }

  children(session: string): Promise<SessionSummary[]> {
    return this.#summaries((sql) => childRows(sql, session));
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const [one] = await this.#summaries((sql) => sql("SELECT * FROM sessions WHERE id = $1", [session]));
    return one;
  }

  heads(sessions: readonly string[]): Promise<Map<string, number>> {
    return this.#link.patiently((sql) => headsOf(sql, sessions));
  }

  async changed(): Promise<number> {
    const state = await this.#link.patiently(visibleState);
    const { changes } = this.#visible;
    if (state !== this.#visible.state) this.#visible = { state, changes: changes + 1 };
    return this.#visible.changes;
  }

  probe(): Promise<void> {
    return this.#link.once((sql) => requireFormat(sql, this.#link.name));
  }

  figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>> {
    return this.#link.patiently((sql) => figuresOf(sql, sessions));
  }

  keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void> {
    return this.#link.once((sql) => putFigures(sql, figures));
  }

  async claim(session: string, claim?: Claim): Promise<number> {
    const epoch = await this.#change(session, (sql) => claimSession(sql, session, claim));
    this.#renewedAt.set(session, Date.now());
    return epoch;
  }

  async renew(session: string, epoch: number): Promise<void> {
    await this.#link.inOrder(session, (sql) => renewHolder(sql, session, epoch));
    this.#renewedAt.set(session, Date.now());
  }

  async release(session: string, epoch: number): Promise<void> {
    await this.#link.inOrder(session, (sql) => releaseHolder(sql, session, epoch));
    this.#renewedAt.delete(session);
  }

  holder(session: string): Promise<Holder | undefined> {
    return this.#link.patiently((sql) => holderIn(sql, session));
  }

  noteProcess(session: string, started: StartedProcess): Promise<void> {
    return this.#link.inOrder(session, (sql) => noteProcess(sql, session, started));
  }

  forgetProcess(session: string, started: StartedProcess): Promise<void> {
    return this.#link.inOrder(session, (sql) => forgetProcess(sql, session, started));
  }

  processes(session: string): Promise<StartedProcess[]> {
    return this.#link.patiently((sql) => processesOf(sql, session));
  }

  async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    const append = factAppend(session, epoch, entries);
    const now = Date.now();
    const renewedAt = this.#renewedAt.get(session);
    const isDue = renewedAt !== undefined && Math.abs(now - renewedAt) >= renewMs;
    await this.#link.inOrder(session, (sql, isRepeated) => appendFacts(sql, append, { isDue, isRepeated }));
    if (isDue) this.#renewedAt.set(session, now);
    const last = entries.at(-1);
    if (last) this.news.tellFacts(session, last.seq);
  }

  read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    return this.#link.patiently((sql) => readFacts(sql, session, after, most));
  }

  keepOpenBlock(session: string, epoch: number, block: StreamedBlock | undefined): Promise<void> {
    return this.#change(session, async (sql) => {
      await requireOwned(sql, session, epoch);
      await putOpenBlock(sql, session, block);
    });
  }

  openBlock(session: string): Promise<StreamedBlock | undefined> {
    return this.#link.patiently((sql) => openBlockOf(sql, session));
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    const blob = { hash: sha256(bytes), bytes: bytes.slice() };
    await this.#link.patiently((sql) => transaction(sql, () => putLoose(sql, blob)));
    return blob.hash;
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return (await this.#link.patiently((sql) => blobsOf(sql, [hash]))).get(hash);
  }

  async keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash> {
    const image = { hash: sha256(bytes), bytes: bytes.slice() };
    await this.#change(session, async (sql) => {
      await lockImages(sql);
      const [known] = await sql("SELECT id FROM sessions WHERE id = $1 FOR KEY SHARE", [session]);
      if (!known) throw noSession(session);
      await keepImage(sql, { session, owner }, image, this.#maxImageBytes);
    });
    return image.hash;
  }

  async image(session: string, hash: Hash): Promise<Uint8Array | undefined> {
    // Imported sessions of early versions have undo contents among their blobs.
    return (await this.#link.patiently((sql) => imageOf(sql, session, hash))) ?? this.getBlob(hash);
  }

  dropImages(session: string, owner: string): Promise<void> {
    return this.#change(session, async (sql) => {
      await lockImages(sql);
      await dropImages(sql, session, owner);
    });
  }

  putMeasured(model: ModelKey, measured: readonly DialectMeasurement[]): Promise<void> {
    const given = structuredClone(measured);
    return this.#link.patiently((sql) => transaction(sql, () => putMeasured(sql, model, given)));
  }

  /** Once: counted twice they would be wrong. */
  addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void> {
    return this.#link.once((sql) => addCounts(sql, model, dialect, counts));
  }

  dialectsOf(model: ModelKey): Promise<DialectRecord[]> {
    return this.#link.patiently((sql) => dialectsOf(sql, model));
  }

  measuredModels(): Promise<ModelRecord[]> {
    return this.#link.patiently(measuredModels);
  }

  async delete(session: string): Promise<void> {
    await this.#link.inOrder(session, async (sql, isRepeated) => {
      const isDeleted = await transaction(sql, () => deleteSession(sql, session));
      if (!isDeleted && !isRepeated) throw noSession(session);
    });
    this.#renewedAt.delete(session);
  }

  async search(words: string, limit: number, options: SessionSearch = {}): Promise<FoundSession[]> {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0 || limit < 1) return [];
    const behind = await this.#link.patiently(unindexedSessions);
    for (let session = behind.at(-1); session !== undefined; session = behind.at(-1)) {
      options.told?.(behind.length);
      const next = session;
      if (await this.#link.patiently((sql) => indexSome(sql, next))) behind.pop();
      await setImmediate();
    }
    return this.#link.patiently((sql) => findSaid(sql, wanted, { limit, viewer: options.seenBy }));
  }

  async copy(from: string, to: SessionInfo, upTo: number): Promise<void> {
    const entries = await entriesToCopy(this, from, upTo);
    await this.#link.inOrder(to.id, async (sql, isRepeated) => {
      if (isRepeated && (await isMade(sql, to))) return;
      await transaction(sql, () => copySession(sql, from, { to, upTo, entries }));
    });
  }

  async close(): Promise<void> {
    await this.news.close();
    await this.#link.close();
  }

  async #summaries(rows: (sql: Sql) => Promise<DatabaseRow[]>): Promise<SessionSummary[]> {
    return (await this.#link.patiently(rows)).map(summaryOf);
  }

  /** One transaction, after the session's earlier writes. */
  #change<T>(session: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#link.inOrder(session, (sql) => transaction(sql, () => work(sql)));
  }
}

/** Whether an attempt whose outcome was not heard has made this session. */
async function isMade(sql: Sql, { id, workspace, createdAt }: Omit<SessionInfo, "parent">): Promise<boolean> {
  const made = await sql("SELECT 1 FROM sessions WHERE id = $1 AND workspace = $2 AND created_at = $3", [
    id,
    workspace,
    createdAt,
  ]);
  return made.length > 0;
}
