/** The store of a team: a PostgreSQL database, shared by any number of processes on any number of machines. */

import { setImmediate } from "node:timers/promises";
import { number, string } from "../rows.ts";
import { wordsIn } from "../search-words.ts";
import { entriesToCopy, noSession } from "../store-rules.ts";
import { maxImageBytes, type SessionRecords, type Store, type StoredLog, StoreError } from "../store.ts";
import { addCounts } from "../tables/dialects.ts";
import { keepOpenBlock } from "../tables/open-blocks.ts";
import { isMade, isRenewalDue, type Renewals, storedRecords } from "../tables/records.ts";
import { readAddress } from "./address.ts";
import { copyWithBlobs, deleteWithRuns } from "./copies.ts";
import { appendFacts, factAppend, readFacts } from "./facts.ts";
import { putFigures, visibleState } from "./lists.ts";
import { migrate, requireFormat } from "./migrations.ts";
import { StoredNews } from "./news.ts";
import { findSaid, indexSome, unindexedSessions } from "./search.ts";
import { linkTo, perform, type ServerLink } from "./server-link.ts";

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
  return postgresStore(link, options.maxImageBytes ?? maxImageBytes);
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

function postgresStore(link: ServerLink, mostBytes: number): Store {
  const news = new StoredNews(link);
  const renewals: Renewals = new Map();
  const log = logBy(link, news, renewals);
  return {
    ...storedRecords(link, renewals, { mostBytes, triggers: false }),
    ...log,
    news,
    search: searchBy(link),
    changed: changesOf(link),
    probe: () => link.once((sql) => requireFormat(sql, link.name)),
    keepFigures: (figures) => link.once((sql) => putFigures(sql, figures)),
    /** Once: counted twice they would be wrong. */
    addCounts: (model, dialect, counts) =>
      link.once((sql) => perform(sql, addCounts(model, dialect, counts))),
    async delete(session) {
      await link.change(session, function* (isRepeated) {
        if (!(yield* deleteWithRuns(session)) && !isRepeated) throw noSession(session);
      });
      renewals.delete(session);
    },
    async copy(from, to, upTo) {
      const entries = await entriesToCopy(log, from, upTo);
      await link.change(to.id, function* (isRepeated) {
        if (!isRepeated || !(yield* isMade(to))) yield* copyWithBlobs(from, { to, upTo, entries });
      });
    },
    async close() {
      await news.close();
      await link.close();
    },
  };
}

function logBy(
  link: ServerLink,
  news: StoredNews,
  renewals: Renewals,
): Pick<StoredLog, "append" | "read" | "keepOpenBlock"> {
  return {
    async append(session, epoch, entries) {
      const append = factAppend(session, epoch, entries);
      const now = Date.now();
      const isDue = isRenewalDue(renewals, session, now);
      await link.inOrder(session, (sql, isRepeated) => appendFacts(sql, append, { isDue, isRepeated }));
      if (isDue) renewals.set(session, now);
      const last = entries.at(-1);
      if (last) news.tellFacts(session, last.seq);
    },
    read: (session, after, most) => link.patiently((sql) => readFacts(sql, session, after, most)),
    keepOpenBlock: (session, epoch, block) =>
      link.change(session, () => keepOpenBlock(session, epoch, block)),
  };
}

const searchBy =
  (link: ServerLink): SessionRecords["search"] =>
  async (words, limit, options = {}) => {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0 || limit < 1) return [];
    const behind = await link.patiently(unindexedSessions);
    for (let session = behind.at(-1); session !== undefined; session = behind.at(-1)) {
      options.told?.(behind.length);
      const next = session;
      if (await link.patiently((sql) => indexSome(sql, next))) behind.pop();
      await setImmediate();
    }
    return link.patiently((sql) => findSaid(sql, wanted, { limit, viewer: options.seenBy }));
  };

/** Counts how often what is visible has changed. */
function changesOf(link: ServerLink): SessionRecords["changed"] {
  let visible = { state: "", changes: 0 };
  return async () => {
    const state = await link.patiently(visibleState);
    if (state !== visible.state) visible = { state, changes: visible.changes + 1 };
    return visible.changes;
  };
}
