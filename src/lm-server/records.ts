/** The server's database: its clients' keys, as hashes, and what each client has used on each day. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Expected, errorMessage, refuse } from "../base/expected.ts";
import { parseObject } from "../base/json.ts";
import { createPrivateFile } from "../base/safe-fs/own-files.ts";
import type { ClientLimits } from "./limits.ts";

/** Days for which the language-model server keeps what each client has used. */
const mostUsageDays = 400;

/** `hash`: SHA-256 of the key, in hexadecimal digits. `made`: milliseconds since 1970. */
export type ClientKey = { name: string; hash: string; limits: ClientLimits; made: number };

/** `unpriced`: answers whose price is unknown, which are missing from `dollars`. */
export type ClientUsage = {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  dollars: number;
  unpriced: number;
};
/** `day`: "2026-11-22", in UTC. */
type DayOfClient = ClientUsage & { day: string; client: string };
type PeriodUsage = {
  tokensOfDay: number;
  tokensOfMonth: number;
  dollarsOfDay: number;
  dollarsOfMonth: number;
};

/** Every method may throw SQLite's error. What was added is kept when the process dies. */
export type Records = {
  keys(): readonly ClientKey[];
  /** False if there is a client of this name. */
  addKey(key: ClientKey): boolean;
  /** False if there is none. What the client has used is kept. */
  removeKey(name: string): boolean;
  /** Adds to a day of a client; figures may be negative, to correct an estimate. */
  add(day: string, client: string, spent: Partial<ClientUsage>): void;
  /** What a client has used on this day and in its month. */
  used(day: string, client: string): PeriodUsage;
  /** Newest day first, then by client. */
  days(): DayOfClient[];
  close(): void;
};

const schema = `
  CREATE TABLE keys (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL, limits TEXT NOT NULL, made INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE days (
    day TEXT NOT NULL, client TEXT NOT NULL, requests INTEGER NOT NULL, input INTEGER NOT NULL,
    output INTEGER NOT NULL, dollars REAL NOT NULL, unpriced INTEGER NOT NULL, PRIMARY KEY (day, client)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;`;

const lockedMs = 2_000;

/** Creates the file (mode 0600) if there is none. The problem is one line. */
export function openRecords(stateDir: string): Expected<Records> {
  const path = join(stateDir, "lm-server.db");
  try {
    createPrivateFile(path);
    const database = new DatabaseSync(path, { timeout: lockedMs });
    try {
      return { ok: true, value: recordsIn(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    const why = errorMessage(error);
    return refuse(
      `The clients and their usage cannot be kept in ${path} (${why}): make that place writable, or move the file away.`,
    );
  }
}

function prepare(database: DatabaseSync): void {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"); // two may start at once
  const format = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (format > 1) throw new Error("it was written by a newer version of this program");
  if (format === 0) database.exec(schema);
  database.exec("COMMIT");
}

/** Prepares a database that may be new. */
export function recordsIn(database: DatabaseSync): Records {
  prepare(database);
  const version = database.prepare("PRAGMA data_version");
  const allKeys = database.prepare("SELECT * FROM keys ORDER BY name");
  const insert = database.prepare("INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
  const remove = database.prepare("DELETE FROM keys WHERE name = ?");
  const add = database.prepare(`
    INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, input = input + excluded.input,
      output = output + excluded.output, dollars = dollars + excluded.dollars,
      unpriced = unpriced + excluded.unpriced`);
  const used = database.prepare(`
    SELECT total(input + output) AS tokens, total(dollars) AS dollars,
      total(iif(day = ?, input + output, 0)) AS tokensOfDay, total(iif(day = ?, dollars, 0)) AS dollarsOfDay
    FROM days WHERE day BETWEEN ? AND ? AND client = ?`);
  const days = database.prepare("SELECT * FROM days ORDER BY day DESC, client");
  const trim = database.prepare("DELETE FROM days WHERE day < ?");
  let known: { version: unknown; keys: readonly ClientKey[] } | undefined;
  let trimmed = "";
  return {
    keys() {
      // Other programs' changes alter the version; our own forget what is known.
      const now = version.get()?.["data_version"];
      if (known?.version !== now) known = { version: now, keys: allKeys.all().map(keyOf) };
      return known?.keys ?? [];
    },
    addKey({ name, hash, limits, made }) {
      known = undefined;
      return insert.run(name, hash, JSON.stringify(limits), made).changes === 1;
    },
    removeKey(name) {
      known = undefined;
      return remove.run(name).changes === 1;
    },
    add(day, client, { requests = 0, inputTokens = 0, outputTokens = 0, dollars = 0, unpriced = 0 }) {
      if (trimmed !== day) trim.run(oldest(day));
      trimmed = day;
      add.run(day, client, requests, inputTokens, outputTokens, dollars, unpriced);
    },
    used(day, client) {
      const row = used.get(day, day, `${day.slice(0, -2)}01`, day, client) ?? {};
      return {
        tokensOfDay: Number(row["tokensOfDay"]),
        tokensOfMonth: Number(row["tokens"]),
        dollarsOfDay: Number(row["dollarsOfDay"]),
        dollarsOfMonth: Number(row["dollars"]),
      };
    },
    days: () => days.all().map(dayOf),
    close: () => database.close(),
  };
}

const oldest = (day: string): string =>
  new Date(Date.parse(day) - mostUsageDays * dayMs).toISOString().slice(0, day.length);
const dayMs = 24 * 60 * 60 * 1_000;

type RecordRow = Record<string, unknown>;

function keyOf(row: RecordRow): ClientKey {
  const limits = parseObject(String(row["limits"]));
  if (!limits.ok) throw new Error(`The limits of client ${String(row["name"])} cannot be read.`);
  return {
    name: String(row["name"]),
    hash: String(row["hash"]),
    limits: limits.value,
    made: Number(row["made"]),
  };
}

const dayOf = (row: RecordRow): DayOfClient => ({
  day: String(row["day"]),
  client: String(row["client"]),
  requests: Number(row["requests"]),
  inputTokens: Number(row["input"]),
  outputTokens: Number(row["output"]),
  dollars: Number(row["dollars"]),
  unpriced: Number(row["unpriced"]),
});
