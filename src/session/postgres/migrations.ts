/** The tables of the session database in PostgreSQL, which are made and changed by numbered steps. */

import { failpoint } from "../../base/failpoint.ts";
import { number } from "../rows.ts";
import { StoreError } from "../store.ts";
import { isMissing } from "./server-errors.ts";
import { type Sql, transaction } from "./server-link.ts";

/**
 * Step n migrates a database from format n to format n + 1 (table `format`). Never edit a released step: add one. A step only
 * adds: programs of the version before run on until they are replaced. What changes with each fact has no index and half-empty pages, so that a changed row stays where it is.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     number BIGINT GENERATED ALWAYS AS IDENTITY,
     workspace TEXT NOT NULL,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     facts BIGINT NOT NULL DEFAULT 0,
     title TEXT NOT NULL DEFAULT '',
     epoch BIGINT NOT NULL DEFAULT 0,
     parent TEXT
   ) WITH (fillfactor = 50);
   CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
   CREATE TABLE facts (
     session TEXT NOT NULL,
     seq BIGINT NOT NULL,
     type TEXT NOT NULL,
     size BIGINT NOT NULL,
     entry TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   );
   CREATE INDEX facts_of_requests ON facts (session, seq) WHERE type IN ('user-message', 'turn-end');
   CREATE TABLE open_blocks (
     session TEXT PRIMARY KEY,
     block BIGINT NOT NULL,
     kind TEXT NOT NULL,
     text TEXT NOT NULL
   ) WITH (fillfactor = 50);
   CREATE TABLE holders (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     program TEXT NOT NULL,
     pid BIGINT NOT NULL,
     started TEXT NOT NULL,
     boot TEXT NOT NULL,
     space TEXT NOT NULL,
     host TEXT NOT NULL,
     since TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
     renewed TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
   );
   CREATE TABLE processes (
     number BIGINT GENERATED ALWAYS AS IDENTITY,
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     marker TEXT NOT NULL,
     pid BIGINT NOT NULL,
     started TEXT NOT NULL,
     by_pid BIGINT NOT NULL,
     by_started TEXT NOT NULL,
     boot TEXT NOT NULL,
     space TEXT NOT NULL,
     host TEXT NOT NULL,
     reach TEXT NOT NULL,
     what TEXT NOT NULL,
     PRIMARY KEY (session, marker)
   );
   CREATE TABLE figures (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     seq BIGINT NOT NULL,
     text TEXT NOT NULL
   );
   CREATE TABLE blobs (
     hash TEXT PRIMARY KEY,
     bytes BYTEA NOT NULL
   );
   CREATE TABLE blob_users (
     hash TEXT NOT NULL,
     session TEXT NOT NULL,
     PRIMARY KEY (hash, session)
   );
   CREATE INDEX blob_users_by_session ON blob_users (session);
   CREATE TABLE loose_blobs (
     number BIGINT GENERATED ALWAYS AS IDENTITY,
     hash TEXT NOT NULL,
     kept TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
   );
   CREATE INDEX loose_blobs_by_hash ON loose_blobs (hash);
   CREATE INDEX loose_blobs_by_age ON loose_blobs (kept);
   CREATE TABLE images (
     hash TEXT PRIMARY KEY,
     size BIGINT NOT NULL,
     bytes BYTEA NOT NULL
   );
   CREATE TABLE image_owners (
     session TEXT NOT NULL REFERENCES sessions (id),
     owner TEXT NOT NULL,
     hash TEXT NOT NULL,
     kept BIGINT NOT NULL,
     PRIMARY KEY (session, owner, hash)
   );
   CREATE INDEX image_owners_by_hash ON image_owners (hash);
   CREATE INDEX image_owners_by_age ON image_owners (kept);
   CREATE TABLE image_total (bytes BIGINT NOT NULL);
   INSERT INTO image_total VALUES (0);
   CREATE TABLE dialects (
     server TEXT NOT NULL,
     model TEXT NOT NULL,
     template TEXT NOT NULL,
     dialect TEXT NOT NULL,
     calls BIGINT NOT NULL DEFAULT 0,
     repairs BIGINT NOT NULL DEFAULT 0,
     refusals BIGINT NOT NULL DEFAULT 0,
     measured TEXT,
     PRIMARY KEY (server, model, template, dialect)
   );
   CREATE TABLE indexed (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     facts BIGINT NOT NULL DEFAULT 0
   );
   CREATE TABLE said (
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     seq BIGINT NOT NULL,
     words TSVECTOR NOT NULL
   );
   CREATE INDEX said_by_session ON said (session, seq);
   CREATE INDEX said_by_word ON said USING GIN (words);`,
  `CREATE TABLE workers (
     id TEXT PRIMARY KEY,
     host TEXT NOT NULL,
     pid BIGINT NOT NULL,
     started TEXT NOT NULL,
     process TEXT NOT NULL,
     died TIMESTAMPTZ
   );
   CREATE TABLE runs (
     session TEXT PRIMARY KEY,
     host TEXT NOT NULL,
     tenant TEXT NOT NULL,
     most BIGINT,
     turn BIGINT NOT NULL DEFAULT 1,
     state TEXT NOT NULL DEFAULT 'waits',
     since TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
     worker TEXT,
     failures BIGINT NOT NULL DEFAULT 0
   ) WITH (fillfactor = 50);
   CREATE INDEX runs_at_work ON runs (tenant, state) WHERE state <> 'rests';
   CREATE TABLE asks (
     number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     run TEXT NOT NULL,
     session TEXT NOT NULL,
     ask TEXT NOT NULL,
     worker TEXT,
     outcome TEXT,
     made TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
   );
   CREATE INDEX asks_open ON asks (run, number) WHERE outcome IS NULL;`,
  // `tree`: the session that people share, where this one was started by its calls.
  `CREATE TABLE belongings (
     session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
     tenant TEXT NOT NULL,
     person TEXT NOT NULL,
     tree TEXT NOT NULL
   );
   CREATE INDEX belongings_by_tenant ON belongings (tenant, person);
   CREATE TABLE shares (
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     person TEXT NOT NULL,
     "right" TEXT NOT NULL,
     PRIMARY KEY (session, person)
   );
   CREATE TABLE team (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (kind, id)
   );`,
];

/** The format this program writes. */
const databaseFormat = migrations.length;
/** The oldest version of PostgreSQL that is tried. */
const oldestServer = 150_000;

/** Makes or migrates the tables, unless they are as this program needs them. Throws StoreError. */
export async function migrate(sql: Sql, name: string): Promise<void> {
  await requireServer(sql, name);
  if ((await formatOf(sql, name)) === databaseFormat) return;
  await transaction(sql, async () => {
    await sql("SET LOCAL statement_timeout = 0");
    await sql("SELECT pg_advisory_xact_lock(hashtextextended('toolwright migration', 0))"); // one program at a time
    await sql("CREATE SCHEMA IF NOT EXISTS toolwright");
    await sql("CREATE TABLE IF NOT EXISTS format (number BIGINT NOT NULL)");
    const format = await formatOf(sql, name);
    for (const step of migrations.slice(format)) {
      await sql(step);
      failpoint("migrating");
    }
    await sql("DELETE FROM format");
    await sql("INSERT INTO format VALUES ($1)", [databaseFormat]);
  });
}

/** Throws StoreError if the tables are not those of this version any more. */
export async function requireFormat(sql: Sql, name: string): Promise<void> {
  if ((await formatOf(sql, name)) === databaseFormat) return;
  throw new StoreError(`The session database ${name} is an older one meanwhile: start this program again.`);
}

async function requireServer(sql: Sql, name: string): Promise<void> {
  const [row = {}] = await sql(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  if (number(row, "version") < oldestServer)
    throw new StoreError(
      `The session database ${name} is on too old a server. It needs PostgreSQL 15 or newer.`,
    );
  if (row["encoding"] === "UTF8") return;
  throw new StoreError(
    `The session database ${name} does not store every text: its encoding is not UTF8. Create one with createdb --encoding UTF8 --template template0.`,
  );
}

/** 0: there are no tables yet. Throws StoreError if a newer version made them. */
async function formatOf(sql: Sql, name: string): Promise<number> {
  const rows = await sql("SELECT number FROM format").catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const format = rows[0] ? number(rows[0], "number") : 0;
  if (format <= databaseFormat) return format;
  throw new StoreError(
    `The session database ${name} was written by a newer version (format ${format}, this one knows ${databaseFormat}). Update this program; nothing was changed.`,
  );
}
