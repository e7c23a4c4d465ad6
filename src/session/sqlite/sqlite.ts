/** The store on disk: one SQLite file in WAL mode, shared by any number of processes. */

import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../base/crypto.ts";
import type { StartedProcess } from "../../base/process-identity.ts";
import { blobWord, externalise } from "../../protocol/codec.ts";
import type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import type { Entry } from "../../protocol/facts.ts";
import { type DatabaseRow, number, string, summaryOf } from "../rows.ts";
import { excerptOf, saidIn, wordsIn } from "../search-words.ts";
import {
  closedBlock,
  entriesToCopy,
  noSession,
  requireFacts,
  requireFree,
  requireOrder,
  sessionExists,
  titleAfter,
} from "../store-rules.ts";
import {
  type Claim,
  type FoundSession,
  type Holder,
  type KeptFigures,
  maxImageBytes,
  StaleEpoch,
  type Hash,
  type StreamedBlock,
  type Page,
  type PageSize,
  type SessionSearch,
  type SessionInfo,
  type SessionSummary,
  type Store,
} from "../store.ts";
import type { Viewer } from "../team.ts";
import { BlobTable } from "./blobs.ts";
import { copySession, deleteRows, isWrittenBack, overwriting } from "./copies.ts";
import { withExplanation, explainedLater, openDatabase, requireFormat, transaction } from "./database.ts";
import { DialectTable } from "./dialects.ts";
import { HolderTable } from "./holders.ts";
import { ImageTable } from "./images.ts";
import { JointChanges } from "./joint-changes.ts";
import { ListTable } from "./lists.ts";
import { OpenBlockTable } from "./open-blocks.ts";
import { WriteQueue } from "./patience.ts";
import { findSaid, indexSaid, indexSome, unindexedSessions } from "./search.ts";
import { prepareStatements } from "./statements.ts";
import { inheritBelonging, TeamTable } from "./team.ts";

type Statements = ReturnType<typeof prepareStatements>;

export type SqliteOptions = {
  /** How long a write waits for other processes. This process keeps working meanwhile, except while opening. */
  busyTimeoutMs?: number;
  /** Limit on the total size of stored images. */
  maxImageBytes?: number;
};

/** Wait for other processes that write to the database, in milliseconds. */
const longest = 5_000;

/** Opens or creates the database. Throws StoreError. */
export function openSqliteStore(path: string, options: SqliteOptions = {}): SqliteStore {
  const database = openDatabase(path, options.busyTimeoutMs ?? longest);
  try {
    return withExplanation(path, () => new SqliteStore(database, path, options));
  } catch (error) {
    database.close();
    throw error;
  }
}

export class SqliteStore implements Store {
  readonly team: TeamTable;
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #sql: Statements;
  readonly #dialects: DialectTable;
  readonly #images: ImageTable;
  readonly #holders: HolderTable;
  readonly #blobs: BlobTable;
  readonly #lists: ListTable;
  readonly #openBlocks: OpenBlockTable;
  readonly #joint = new JointChanges((work) => this.#change(work));
  readonly #patience: WriteQueue;

  /** `database` comes from `openDatabase`; `path` is for messages. */
  constructor(database: DatabaseSync, path: string, options: SqliteOptions = {}) {
    database.exec("PRAGMA busy_timeout = 0"); // SQLite's own waiting would block the whole process
    this.#patience = new WriteQueue(options.busyTimeoutMs ?? longest);
    this.#database = database;
    this.#path = path;
    this.#sql = prepareStatements(database);
    this.#dialects = new DialectTable(database);
    this.#images = new ImageTable(database, options.maxImageBytes ?? maxImageBytes);
    this.#holders = new HolderTable(database);
    this.#blobs = new BlobTable(database);
    this.#lists = new ListTable(database);
    this.#openBlocks = new OpenBlockTable(database);
    const access = {
      read: <T>(work: () => T) => this.#read(work),
      change: <T>(work: () => T) => this.#change(work),
    };
    this.team = new TeamTable(database, access);
  }

  async create(info: SessionInfo): Promise<void> {
    const { id, workspace, createdAt, parent } = info;
    const insert = (): number | bigint =>
      this.#sql.create.run(id, workspace, createdAt, createdAt, parent ?? null).changes;
    const inherit = (): number | bigint => {
      const changes = insert();
      if (changes !== 0 && parent !== undefined) inheritBelonging(this.#database, id, parent);
      return changes;
    };
    const changes = await (parent === undefined ? this.#write(insert) : this.#change(inherit));
    if (changes === 0) throw sessionExists(id);
  }

  async list(page?: Page): Promise<SessionSummary[]> {
    return (await this.#read(() => this.#lists.rows(page))).map(summaryOf);
  }

  async unfinished(limit: number, seenBy?: Viewer): Promise<SessionSummary[]> {
    return (await this.#read(() => this.#lists.unfinished(limit, seenBy))).map(summaryOf);
  }

  async heads(sessions: readonly string[]): Promise<Map<string, number>> {
    return this.#read(() => this.#lists.heads(sessions));
  }

  async changed(): Promise<number> {
    return this.#read(() => this.#lists.version());
  }

  async probe(): Promise<void> {
    await this.#read(() => requireFormat(this.#database, this.#path));
  }

  async figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>> {
    return this.#read(() => this.#lists.figures(sessions));
  }

  async keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void> {
    withExplanation(this.#path, () => this.#lists.keep(figures));
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const row = await this.#read(() => this.#sql.get.get(session));
    return row && summaryOf(row);
  }

  async children(session: string): Promise<SessionSummary[]> {
    return (await this.#read(() => this.#lists.children(session))).map(summaryOf);
  }

  async claim(session: string, claim?: Claim): Promise<number> {
    return this.#change(() => {
      const row = this.#sql.claim.get(session);
      if (!row) throw noSession(session);
      this.#holders.claim(session, claim, Date.now());
      return number(row, "epoch");
    });
  }

  async renew(session: string, epoch: number): Promise<void> {
    await this.#change(() => {
      this.#owned(session, epoch);
      this.#holders.renew(session, Date.now());
    });
  }

  async release(session: string, epoch: number): Promise<void> {
    await this.#change(() => {
      if (this.#sql.owner.get(session)?.["epoch"] === epoch) this.#holders.release(session);
    });
  }

  async holder(session: string): Promise<Holder | undefined> {
    return this.#read(() => this.#holders.get(session));
  }

  async noteProcess(session: string, started: StartedProcess): Promise<void> {
    await this.#write(() => this.#holders.note(session, started));
  }

  async forgetProcess(session: string, started: StartedProcess): Promise<void> {
    await this.#write(() => this.#holders.forget(session, started));
  }

  async processes(session: string): Promise<StartedProcess[]> {
    return this.#read(() => this.#holders.processes(session));
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
      if (closed >= 0) this.#openBlocks.close(session, closed);
      const title = titleAfter(string(owned, "title"), entries);
      const at = entries.at(-1)?.at ?? number(owned, "updated_at");
      this.#sql.touch.run(at, last + entries.length, title, last, session);
      this.#holders.renewIfDue(session, Date.now());
    };
    await this.#joint.takeAlong(store, (work) =>
      entries.some(reachesOut) ? this.#changeForGood(work) : this.#change(work),
    );
  }

  async read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    if (!(await this.#read(() => this.#sql.next.get(session, after)))) return [];
    const { internalise } = await import("../../protocol/decode.ts"); // 8 ms of schemas, unneeded by new sessions
    return this.#read(() => {
      let characters = 0;
      const blobOf = (hash: string): Uint8Array | undefined => {
        const blob = this.#blobs.get(hash);
        characters += blob?.length ?? 0;
        return blob;
      };
      const entries: Entry[] = [];
      for (const row of this.#sql.read.iterate(session, after, most?.facts ?? -1)) {
        const [text, seq] = [string(row, "entry"), number(row, "seq")];
        characters += text.length;
        const entry = internalise(text, blobOf);
        // A damaged text may contain any number, or none: a reader continuing from it would never finish.
        entries.push(entry.seq === seq ? entry : { ...entry, seq });
        if (most && characters >= most.characters) break;
      }
      return entries;
    });
  }

  /** With those of other sessions in one transaction: many stream at once. */
  keepOpenBlock(session: string, epoch: number, block: StreamedBlock | undefined): Promise<void> {
    return this.#joint.add(() => {
      this.#owned(session, epoch);
      this.#openBlocks.put(session, block);
    });
  }

  openBlock(session: string): Promise<StreamedBlock | undefined> {
    return this.#read(() => this.#openBlocks.get(session));
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    await this.#change(() => this.#blobs.putLoose(hash, bytes, Date.now()));
    return hash;
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#read(() => this.#blobs.get(hash));
  }

  async keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    await this.#change(() => {
      if (!this.#sql.owner.get(session)) throw noSession(session);
      this.#images.keep(session, owner, { hash, bytes });
    });
    return hash;
  }

  async image(session: string, hash: Hash): Promise<Uint8Array | undefined> {
    // Versions before images existed stored undo contents as blobs.
    return this.#read(() => this.#images.get(session, hash) ?? this.#blobs.get(hash));
  }

  async dropImages(session: string, owner: string): Promise<void> {
    await this.#change(() => this.#images.drop(session, owner));
  }

  async putMeasured(model: ModelKey, measured: readonly DialectMeasurement[]): Promise<void> {
    await this.#change(() => this.#dialects.putMeasured(model, measured));
  }

  /** With the facts of the answer that was counted. */
  addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void> {
    return this.#joint.add(() => this.#dialects.addCounts(model, dialect, counts));
  }

  async dialectsOf(model: ModelKey): Promise<DialectRecord[]> {
    return this.#read(() => this.#dialects.of(model));
  }

  async measuredModels(): Promise<ModelRecord[]> {
    return this.#read(() => this.#dialects.measured());
  }

  async delete(session: string): Promise<void> {
    for (const unknown of await this.#read(() => this.#blobs.unknown()))
      await this.#change(() => this.#blobs.learn(unknown));
    await this.#write(() =>
      overwriting(this.#database, () =>
        transaction(this.#database, () => {
          if (!this.#sql.owner.get(session)) throw noSession(session);
          requireFree(session, this.#holders.get(session));
          for (const unknown of this.#blobs.unknown()) this.#blobs.learn(unknown); // appended meanwhile
          this.#blobs.leave(session, Date.now());
          deleteRows(this.#database, session);
        }),
      ),
    );
    await this.#patience.until(() => withExplanation(this.#path, () => isWrittenBack(this.#database)));
  }

  async search(words: string, limit: number, options: SessionSearch = {}): Promise<FoundSession[]> {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0 || limit < 1) return [];
    const { internalise } = await import("../../protocol/decode.ts");
    const decode = (text: string): Entry => internalise(text, (hash) => this.#blobs.get(hash));
    await indexSaid({
      unsearched: () => this.#read(() => unindexedSessions(this.#database)),
      index: (behind) => this.#write(() => indexSome(this.#database, behind, decode)),
      told: options.told,
    });
    return this.#read(() =>
      findSaid(this.#database, wanted, { limit, viewer: options.seenBy }).flatMap(({ session, seq }) => {
        const row = this.#sql.get.get(session);
        if (!row) return [];
        const fact = this.#sql.fact.get(session, seq);
        const text = fact ? (saidIn(decode(string(fact, "entry"))) ?? "") : string(row, "title");
        return [{ ...summaryOf(row), excerpt: excerptOf(text, wanted) }];
      }),
    );
  }

  async copy(from: string, to: SessionInfo, upTo: number): Promise<void> {
    const entries = await entriesToCopy(this, from, upTo);
    await this.#change(() => {
      const source = this.#sql.owner.get(from);
      if (!source) throw noSession(from);
      requireFacts(from, upTo, number(source, "facts"));
      if (this.#sql.owner.get(to.id)) throw sessionExists(to.id);
      copySession(this.#database, from, { to, entries });
    });
  }

  async close(): Promise<void> {
    await this.#joint.settled();
    await this.#patience.settled();
    if (this.#database.isOpen) withExplanation(this.#path, () => this.#database.close());
  }

  /** The session's row, if this epoch may write to it. */
  #owned(session: string, epoch: number): DatabaseRow {
    const row = this.#sql.owner.get(session);
    if (!row) throw noSession(session);
    if (row["epoch"] !== epoch) throw new StaleEpoch(session);
    return row;
  }

  #read<T>(work: () => T): Promise<T> {
    return explainedLater(this.#path, () => this.#patience.read(work));
  }

  #write<T>(work: () => T): Promise<T> {
    return explainedLater(this.#path, () => this.#patience.write(work));
  }

  #change<T>(work: () => T): Promise<T> {
    return this.#write(() => transaction(this.#database, work));
  }

  /** Like `#change`, but durable after a power cut: it waits for the disk. */
  #changeForGood<T>(work: () => T): Promise<T> {
    return this.#write(() => {
      this.#database.exec("PRAGMA synchronous = FULL");
      try {
        return transaction(this.#database, work);
      } finally {
        this.#database.exec("PRAGMA synchronous = NORMAL");
      }
    });
  }
}

/** The intent of an effect outside the workspace, which recovery cannot inspect afterwards. */
const reachesOut = (entry: Entry): boolean =>
  entry.type === "call-start" && (entry.does === "execute" || entry.does === "delegate");
