/** The store on disk: one SQLite file in WAL mode, shared by any number of processes. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { bounds } from "../base/bounds.ts";
import { parseJson } from "../base/json.ts";
import { blobWord, externalise } from "../protocol/codec.ts";
import type {
  CallCounts,
  DialectRecord,
  Measured,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry } from "../protocol/facts.ts";
import { sha256 } from "../base/crypto.ts";
import type { StartedProcess } from "../base/process-identity.ts";
import { isAlive } from "./owner.ts";
import { BlobTable } from "./sqlite-blobs.ts";
import { excerptOf, saidIn, wordsIn } from "./search-words.ts";
import { copySession, deleteRows, overwriting } from "./sqlite-copies.ts";
import { explained, openDatabase, transaction } from "./sqlite-database.ts";
import { HolderTable } from "./sqlite-holders.ts";
import { DialectTable } from "./sqlite-dialects.ts";
import { ImageTable } from "./sqlite-images.ts";
import { ListTable } from "./sqlite-lists.ts";
import { findSaid, indexSaid } from "./sqlite-search.ts";
import {
  type Claim,
  type FoundSession,
  type Holder,
  type KeptFigures,
  maxImageBytes,
  SessionHeld,
  StaleEpoch,
  type Hash,
  type OpenBlock,
  type Page,
  type SessionInfo,
  type SessionSummary,
  type Store,
} from "./store.ts";
import { closedBlock, noSession, requireFacts, requireOrder, sessionExists, titleAfter } from "./stored.ts";

type Row = Record<string, unknown>;
type Statements = ReturnType<typeof prepare>;

export type SqliteOptions = {
  /** How long a write waits for other processes. */
  busyTimeoutMs?: number;
  /** What all kept images may come to. */
  maxImageBytes?: number;
};

/** Opens or creates the database. Throws StoreError. */
export function openSqliteStore(path: string, options: SqliteOptions = {}): SqliteStore {
  const database = openDatabase(path, options.busyTimeoutMs ?? bounds.session.databaseWait.most);
  try {
    return explained(path, () => new SqliteStore(database, path, options));
  } catch (error) {
    database.close();
    throw error;
  }
}

export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #sql: Statements;
  readonly #dialects: DialectTable;
  readonly #images: ImageTable;
  readonly #holders: HolderTable;
  readonly #blobs: BlobTable;
  readonly #lists: ListTable;

  /** `database` comes from `openDatabase`; `path` is for messages. */
  constructor(database: DatabaseSync, path: string, options: Pick<SqliteOptions, "maxImageBytes"> = {}) {
    this.#database = database;
    this.#path = path;
    this.#sql = prepare(database);
    this.#dialects = new DialectTable(database);
    this.#images = new ImageTable(database, options.maxImageBytes ?? maxImageBytes);
    this.#holders = new HolderTable(database);
    this.#blobs = new BlobTable(database);
    this.#lists = new ListTable(database);
  }

  async create(info: SessionInfo): Promise<void> {
    const { changes } = this.#try(() =>
      this.#sql.create.run(info.id, info.workspace, info.createdAt, info.createdAt),
    );
    if (changes === 0) throw sessionExists(info.id);
  }

  async list(page?: Page): Promise<SessionSummary[]> {
    return this.#try(() => this.#lists.rows(page)).map(summaryOf);
  }

  async heads(sessions: readonly string[]): Promise<Map<string, number>> {
    return this.#try(() => this.#lists.heads(sessions));
  }

  async changed(): Promise<number> {
    return this.#try(() => this.#lists.version());
  }

  async figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>> {
    return this.#try(() => this.#lists.figures(sessions));
  }

  async keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void> {
    this.#try(() => this.#lists.keep(figures));
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const row = this.#try(() => this.#sql.get.get(session));
    return row && summaryOf(row);
  }

  async claim(session: string, claim?: Claim): Promise<number> {
    return this.#write(() => {
      const row = this.#sql.claim.get(session);
      if (!row) throw noSession(session);
      this.#holders.claim(session, claim, Date.now());
      return number(row, "epoch");
    });
  }

  async renew(session: string, epoch: number): Promise<void> {
    this.#write(() => {
      this.#owned(session, epoch);
      this.#holders.renew(session, Date.now());
    });
  }

  async release(session: string, epoch: number): Promise<void> {
    this.#write(() => {
      if (this.#sql.owner.get(session)?.["epoch"] === epoch) this.#holders.release(session);
    });
  }

  async holder(session: string): Promise<Holder | undefined> {
    return this.#try(() => this.#holders.get(session));
  }

  async noteProcess(session: string, started: StartedProcess): Promise<void> {
    this.#try(() => this.#holders.note(session, started));
  }

  async forgetProcess(session: string, started: StartedProcess): Promise<void> {
    this.#try(() => this.#holders.forget(session, started));
  }

  async processes(session: string): Promise<StartedProcess[]> {
    return this.#try(() => this.#holders.processes(session));
  }

  async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    const rows = entries.map((entry) => ({ seq: entry.seq, ...externalise(entry, sha256) }));
    const store = (): void => {
      const owned = this.#owned(session, epoch);
      const last = number(owned, "facts");
      requireOrder(session, last, entries);
      for (const { seq, text, blobs } of rows) {
        for (const { hash, bytes } of blobs) this.#blobs.put(hash, bytes);
        this.#sql.append.run(session, seq, text);
        if (text.includes(blobWord)) this.#blobs.use(session, text);
      }
      const closed = closedBlock(entries);
      if (closed >= 0) this.#sql.closeBlock.run(session, closed);
      const title = titleAfter(string(owned, "title"), entries);
      const at = entries.at(-1)?.at ?? number(owned, "updated_at");
      this.#sql.touch.run(at, last + entries.length, title, last, session);
      this.#holders.renewIfDue(session, Date.now());
    };
    if (entries.some(reachesOut)) this.#writeForGood(store);
    else this.#write(store);
  }

  async read(session: string, after: number, limit?: number): Promise<Entry[]> {
    const rows = this.#try(() => this.#sql.read.all(session, after, limit ?? -1));
    if (rows.length === 0) return [];
    const { internalise } = await import("../protocol/decode.ts"); // 8 ms of schemas that a new session does not need
    return this.#try(() =>
      rows.map((row) => internalise(string(row, "entry"), (hash) => this.#blobs.get(hash))),
    );
  }

  async keepOpenBlock(session: string, epoch: number, block: OpenBlock | undefined): Promise<void> {
    this.#write(() => {
      this.#owned(session, epoch);
      if (!block) this.#sql.closeBlock.run(session, Number.MAX_SAFE_INTEGER);
      // As JSON, because a stream may pause within a surrogate pair, which UTF-8 cannot hold.
      else this.#sql.keepBlock.run(session, block.block, block.kind, JSON.stringify(block.text));
    });
  }

  async openBlock(session: string): Promise<OpenBlock | undefined> {
    const row = this.#try(() => this.#sql.openBlock.get(session));
    const text = parseJson(row ? string(row, "text") : "");
    if (!row || !text.ok || typeof text.value !== "string") return undefined;
    const kind = string(row, "kind") === "text" ? "text" : "reasoning";
    return { block: number(row, "block"), kind, text: text.value };
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    this.#write(() => this.#blobs.putLoose(hash, bytes, Date.now()));
    return hash;
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#try(() => this.#blobs.get(hash));
  }

  async keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    this.#write(() => {
      if (!this.#sql.owner.get(session)) throw noSession(session);
      this.#images.keep(session, owner, { hash, bytes });
    });
    return hash;
  }

  async image(session: string, hash: Hash): Promise<Uint8Array | undefined> {
    // Before there were images, what was needed for undo was kept as blobs.
    return this.#try(() => this.#images.get(session, hash) ?? this.#blobs.get(hash));
  }

  async dropImages(session: string, owner: string): Promise<void> {
    this.#write(() => this.#images.drop(session, owner));
  }

  async putMeasured(model: ModelKey, measured: readonly Measured[]): Promise<void> {
    this.#write(() => this.#dialects.putMeasured(model, measured));
  }

  async addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void> {
    this.#try(() => this.#dialects.addCounts(model, dialect, counts));
  }

  async dialectsOf(model: ModelKey): Promise<DialectRecord[]> {
    return this.#try(() => this.#dialects.of(model));
  }

  async measuredModels(): Promise<ModelRecord[]> {
    return this.#try(() => this.#dialects.measured());
  }

  async delete(session: string): Promise<void> {
    for (const unknown of this.#try(() => this.#blobs.unknown()))
      this.#write(() => this.#blobs.learn(unknown));
    this.#try(() =>
      overwriting(this.#database, () =>
        transaction(this.#database, () => {
          if (!this.#sql.owner.get(session)) throw noSession(session);
          const [holder, now] = [this.#holders.get(session), Date.now()];
          if (holder && isAlive(holder, now)) throw new SessionHeld(session, holder, now);
          for (const unknown of this.#blobs.unknown()) this.#blobs.learn(unknown); // appended meanwhile
          this.#blobs.leave(session, now);
          deleteRows(this.#database, session);
        }),
      ),
    );
  }

  async search(words: string, limit: number): Promise<FoundSession[]> {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0 || limit < 1) return [];
    const { internalise } = await import("../protocol/decode.ts");
    const decode = (text: string): Entry => internalise(text, (hash) => this.#blobs.get(hash));
    return this.#try(() => {
      indexSaid(this.#database, decode);
      return findSaid(this.#database, wanted, limit).flatMap(({ session, seq }) => {
        const row = this.#sql.get.get(session);
        if (!row) return [];
        const fact = this.#sql.fact.get(session, seq);
        const text = fact ? (saidIn(decode(string(fact, "entry"))) ?? "") : string(row, "title");
        return [{ ...summaryOf(row), excerpt: excerptOf(text, wanted) }];
      });
    });
  }

  async copy(from: string, to: SessionInfo, upTo: number): Promise<void> {
    const entries = await this.read(from, 0, upTo > 0 && Number.isSafeInteger(upTo) ? upTo : 0);
    this.#write(() => {
      const source = this.#sql.owner.get(from);
      if (!source) throw noSession(from);
      requireFacts(from, upTo, number(source, "facts"));
      if (this.#sql.owner.get(to.id)) throw sessionExists(to.id);
      copySession(this.#database, from, { to, entries });
    });
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#try(() => this.#database.close());
  }

  /** The session's row, if this epoch may write to it. */
  #owned(session: string, epoch: number): Row {
    const row = this.#sql.owner.get(session);
    if (!row) throw noSession(session);
    if (row["epoch"] !== epoch) throw new StaleEpoch(session);
    return row;
  }

  #try<T>(work: () => T): T {
    return explained(this.#path, work);
  }

  #write<T>(work: () => T): T {
    return this.#try(() => transaction(this.#database, work));
  }

  /** As `#write`, and known after a power cut as well: it waits for the disk. */
  #writeForGood<T>(work: () => T): T {
    return this.#try(() => {
      this.#database.exec("PRAGMA synchronous = FULL");
      try {
        return transaction(this.#database, work);
      } finally {
        this.#database.exec("PRAGMA synchronous = NORMAL");
      }
    });
  }
}

/** The intent of something that may reach beyond the workspace, where nothing can be looked at afterwards. */
const reachesOut = (entry: Entry): boolean =>
  entry.type === "call-start" && (entry.does === "execute" || entry.does === "delegate");

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  return {
    create: sql(
      "INSERT INTO sessions (id, workspace, created_at, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    get: sql("SELECT * FROM sessions WHERE id = ?"),
    claim: sql("UPDATE sessions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch"),
    owner: sql("SELECT epoch, facts, title, updated_at FROM sessions WHERE id = ?"),
    append: sql("INSERT INTO facts (session, seq, entry) VALUES (?, ?, ?)"),
    touch: sql(`UPDATE sessions SET updated_at = ?1, facts = ?2, title = ?3,
         blobs_known = CASE WHEN blobs_known = ?4 THEN ?2 ELSE blobs_known END WHERE id = ?5`),
    fact: sql("SELECT entry FROM facts WHERE session = ? AND seq = ?"),
    read: sql("SELECT entry FROM facts WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"),
    keepBlock: sql("INSERT OR REPLACE INTO open_blocks (session, block, kind, text) VALUES (?, ?, ?, ?)"),
    closeBlock: sql("DELETE FROM open_blocks WHERE session = ? AND block <= ?"),
    openBlock: sql("SELECT block, kind, text FROM open_blocks WHERE session = ?"),
  };
}

function summaryOf(row: Row): SessionSummary {
  return {
    id: string(row, "id"),
    workspace: string(row, "workspace"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    facts: number(row, "facts"),
    title: string(row, "title"),
  };
}

function string(row: Row, column: string): string {
  return String(row[column]);
}

function number(row: Row, column: string): number {
  return Number(row[column]);
}
