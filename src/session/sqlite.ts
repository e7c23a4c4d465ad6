/** The store on disk: one SQLite file in WAL mode, shared by any number of processes. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { externalise } from "../protocol/codec.ts";
import type {
  CallCounts,
  DialectRecord,
  Measured,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry } from "../protocol/facts.ts";
import { sha256 } from "../base/crypto.ts";
import { explained, openDatabase, transaction } from "./sqlite-database.ts";
import { DialectTable } from "./sqlite-dialects.ts";
import { ImageTable } from "./sqlite-images.ts";
import {
  maxImageBytes,
  StaleEpoch,
  type Hash,
  type OpenBlock,
  type SessionInfo,
  type SessionSummary,
  type Store,
} from "./store.ts";
import { closedBlock, noSession, requireOrder, sessionExists, titleOf } from "./stored.ts";

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
  return new SqliteStore(openDatabase(path, options.busyTimeoutMs ?? 5000), path, options);
}

export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #sql: Statements;
  readonly #dialects: DialectTable;
  readonly #images: ImageTable;

  /** `database` comes from `openDatabase`; `path` is for messages. */
  constructor(database: DatabaseSync, path: string, options: Pick<SqliteOptions, "maxImageBytes"> = {}) {
    this.#database = database;
    this.#path = path;
    this.#sql = prepare(database);
    this.#dialects = new DialectTable(database);
    this.#images = new ImageTable(database, options.maxImageBytes ?? maxImageBytes);
  }

  async create(info: SessionInfo): Promise<void> {
    const { changes } = this.#try(() =>
      this.#sql.create.run(info.id, info.workspace, info.createdAt, info.createdAt),
    );
    if (changes === 0) throw sessionExists(info.id);
  }

  async list(): Promise<SessionSummary[]> {
    return this.#try(() => this.#sql.list.all()).map(summaryOf);
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const row = this.#try(() => this.#sql.get.get(session));
    return row && summaryOf(row);
  }

  async claim(session: string): Promise<number> {
    const row = this.#try(() => this.#sql.claim.get(session));
    if (!row) throw noSession(session);
    return number(row, "epoch");
  }

  async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    const rows = entries.map((entry) => ({ seq: entry.seq, ...externalise(entry, sha256) }));
    this.#write(() => {
      const owned = this.#owned(session, epoch);
      const last = number(owned, "facts");
      requireOrder(session, last, entries);
      for (const { seq, text, blobs } of rows) {
        for (const { hash, bytes } of blobs) this.#sql.putBlob.run(hash, bytes);
        this.#sql.append.run(session, seq, text);
      }
      const closed = closedBlock(entries);
      if (closed >= 0) this.#sql.closeBlock.run(session, closed);
      const title = string(owned, "title") || titleOf(entries);
      const at = entries.at(-1)?.at ?? number(owned, "updated_at");
      this.#sql.touch.run(at, last + entries.length, title, session);
    });
  }

  async read(session: string, after: number, limit?: number): Promise<Entry[]> {
    const rows = this.#try(() => this.#sql.read.all(session, after, limit ?? -1));
    if (rows.length === 0) return [];
    const { internalise } = await import("../protocol/decode.ts"); // 8 ms of schemas that a new session does not need
    return this.#try(() => rows.map((row) => internalise(string(row, "entry"), (hash) => this.#blob(hash))));
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
    if (!row) return undefined;
    const kind = string(row, "kind") === "text" ? "text" : "reasoning";
    return { block: number(row, "block"), kind, text: String(JSON.parse(string(row, "text"))) };
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    this.#try(() => this.#sql.putBlob.run(hash, bytes));
    return hash;
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#try(() => this.#blob(hash));
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
    return this.#try(() => this.#images.get(session, hash) ?? this.#blob(hash));
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

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#try(() => this.#database.close());
  }

  #blob(hash: Hash): Uint8Array | undefined {
    const bytes = this.#sql.getBlob.get(hash)?.["bytes"];
    return bytes instanceof Uint8Array ? bytes : undefined;
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

  #write(work: () => void): void {
    this.#try(() => transaction(this.#database, work));
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  return {
    create: sql(
      "INSERT INTO sessions (id, workspace, created_at, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    list: sql("SELECT * FROM sessions ORDER BY updated_at DESC, rowid DESC"),
    get: sql("SELECT * FROM sessions WHERE id = ?"),
    claim: sql("UPDATE sessions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch"),
    owner: sql("SELECT epoch, facts, title, updated_at FROM sessions WHERE id = ?"),
    append: sql("INSERT INTO facts (session, seq, entry) VALUES (?, ?, ?)"),
    touch: sql("UPDATE sessions SET updated_at = ?, facts = ?, title = ? WHERE id = ?"),
    read: sql("SELECT entry FROM facts WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"),
    keepBlock: sql("INSERT OR REPLACE INTO open_blocks (session, block, kind, text) VALUES (?, ?, ?, ?)"),
    closeBlock: sql("DELETE FROM open_blocks WHERE session = ? AND block <= ?"),
    openBlock: sql("SELECT block, kind, text FROM open_blocks WHERE session = ?"),
    putBlob: sql("INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING"),
    getBlob: sql("SELECT bytes FROM blobs WHERE hash = ?"),
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
