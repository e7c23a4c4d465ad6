/** The store on disk: one SQLite file in WAL mode, shared by any number of processes. */

import type { DatabaseSync } from "node:sqlite";
import type { Entry } from "../../protocol/facts.ts";
import { number, string, summaryOf } from "../rows.ts";
import { excerptOf, saidIn, wordsIn } from "../search-words.ts";
import { entriesToCopy, noSession } from "../store-rules.ts";
import { maxImageBytes, type SessionRecords, type Store, type StoredLog } from "../store.ts";
import { blobsOf } from "../tables/blobs.ts";
import { copySession } from "../tables/copies.ts";
import { addCounts } from "../tables/dialects.ts";
import { keepOpenBlock } from "../tables/open-blocks.ts";
import { isRenewalDue, type Renewals, storedRecords } from "../tables/records.ts";
import type { TableWork } from "../tables/work.ts";
import { FileAccess } from "./access.ts";
import { learnBlobs, unknownBlobs } from "./blobs.ts";
import { deleteWithWords, factColumns, isWrittenBack, overwriting } from "./copies.ts";
import { openDatabase, requireFormat, transaction, withExplanation } from "./database.ts";
import { factAppend, hasFacts, readFacts } from "./facts.ts";
import { JointChanges } from "./joint-changes.ts";
import { findSaid, indexSaid, indexSome, unindexedSessions } from "./search.ts";
import { perform } from "./statements.ts";

export type SqliteOptions = {
  /** How long a write waits for other processes. This process keeps working meanwhile, except while opening. */
  busyTimeoutMs?: number;
  /** Limit on the total size of stored images. */
  maxImageBytes?: number;
};

/** Wait for other processes that write to the database, in milliseconds. */
const longest = 5_000;

/** Opens or creates the database. Throws StoreError. */
export function openSqliteStore(path: string, options: SqliteOptions = {}): Store {
  const database = openDatabase(path, options.busyTimeoutMs ?? longest);
  try {
    return withExplanation(path, () => sqliteStore(database, path, options));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** `database` comes from `openDatabase`; `path` is for messages. */
export function sqliteStore(database: DatabaseSync, path: string, options: SqliteOptions = {}): Store {
  const access = new FileAccess(database, path, options.busyTimeoutMs ?? longest);
  const joint = new JointChanges((work) => access.runTransaction(work));
  const renewals: Renewals = new Map();
  const log = logBy(access, joint, renewals);
  const rules = { mostBytes: options.maxImageBytes ?? maxImageBytes, triggers: true };
  return {
    ...storedRecords(access, renewals, rules),
    ...log,
    search: searchBy(access),
    async delete(session) {
      await deleteSession(access, session);
      renewals.delete(session);
    },
    changed: () => access.read(dataVersion),
    probe: () => access.runRead(() => requireFormat(database, path)),
    async keepFigures(figures) {
      const keep = (): void => {
        for (const [session, { seq, text }] of figures) access.sql(keepFigure, [session, seq, text]);
      };
      withExplanation(path, () => transaction(database, keep));
    },
    /** With the facts of the answer that was counted. */
    addCounts: (model, dialect, counts) =>
      joint.add(() => perform(access.sql, addCounts(model, dialect, counts))),
    async copy(from, to, upTo) {
      const entries = await entriesToCopy(log, from, upTo);
      await access.change(to.id, () => copySession(from, { to, upTo, entries }, factColumns));
    },
    async close() {
      await joint.settled();
      await access.close();
    },
  };
}

/** Changes whenever another connection has written: https://www.sqlite.org/pragma.html#pragma_data_version */
function* dataVersion(): TableWork<number> {
  const [row = {}] = yield ["PRAGMA data_version"];
  return number(row, "data_version");
}

/** Stores nothing for deleted sessions, and never replaces newer figures by older ones. */
const keepFigure = `INSERT INTO figures (session, seq, text) SELECT id, $2, $3 FROM sessions WHERE id = $1
  ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, text = excluded.text
  WHERE excluded.seq >= figures.seq`;

function logBy(
  access: FileAccess,
  joint: JointChanges,
  renewals: Renewals,
): Pick<StoredLog, "append" | "read" | "keepOpenBlock"> {
  return {
    async append(session, epoch, entries) {
      const now = Date.now();
      const isDue = isRenewalDue(renewals, session, now);
      const append = factAppend(session, epoch, { entries, isDue });
      await joint.takeAlong(
        () => perform(access.sql, append()),
        (work) => (entries.some(reachesOut) ? access.runDurably(work) : access.runTransaction(work)),
      );
      if (isDue) renewals.set(session, now);
    },
    async read(session, after, most) {
      if (!(await access.read(() => hasFacts(session, after)))) return [];
      const { internalise } = await import("../../protocol/decode.ts"); // 8 ms of schemas, unneeded by new sessions
      return access.runRead(() =>
        readFacts({ database: access.database, sql: access.sql, internalise }, session, after, most),
      );
    },
    /** With those of other sessions in one transaction: many stream at once. */
    keepOpenBlock: (session, epoch, block) =>
      joint.add(() => perform(access.sql, keepOpenBlock(session, epoch, block))),
  };
}

/** The intent of an effect outside the workspace, which recovery cannot inspect afterwards. */
const reachesOut = (entry: Entry): boolean =>
  entry.type === "call-start" && (entry.does === "execute" || entry.does === "delegate");

async function deleteSession(access: FileAccess, session: string): Promise<void> {
  const { database, sql } = access;
  const learn = (unknown: string): void => learnBlobs(database, sql, unknown);
  for (const unknown of await access.runRead(() => unknownBlobs(sql)))
    await access.runTransaction(() => learn(unknown));
  await access.runWrite(() =>
    overwriting(database, () =>
      transaction(database, () => {
        for (const unknown of unknownBlobs(sql)) learn(unknown); // appended meanwhile
        if (!perform(sql, deleteWithWords(session))) throw noSession(session);
      }),
    ),
  );
  await access.until(() => isWrittenBack(database));
}

const searchBy =
  (access: FileAccess): SessionRecords["search"] =>
  async (words, limit, options = {}) => {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0 || limit < 1) return [];
    const { database, sql } = access;
    const { internalise } = await import("../../protocol/decode.ts");
    const decode = (text: string): Entry =>
      internalise(text, (hash) => perform(sql, blobsOf([hash])).get(hash));
    await indexSaid({
      unsearched: () => access.runRead(() => unindexedSessions(database)),
      index: (behind) => access.runWrite(() => indexSome(database, behind, decode)),
      told: options.told,
    });
    return access.runRead(() =>
      findSaid(database, wanted, { limit, viewer: options.seenBy }).flatMap(({ session, seq }) => {
        const [row] = sql("SELECT * FROM sessions WHERE id = $1", [session]);
        if (!row) return [];
        const [fact] = sql("SELECT entry FROM facts WHERE session = $1 AND seq = $2", [session, seq]);
        const text = fact ? (saidIn(decode(string(fact, "entry"))) ?? "") : string(row, "title");
        return [{ ...summaryOf(row), excerpt: excerptOf(text, wanted) }];
      }),
    );
  };
