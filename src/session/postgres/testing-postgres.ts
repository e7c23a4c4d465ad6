/** PostgreSQL databases for tests, on the server that TOOLWRIGHT_TEST_DATABASE names. */

import { Client } from "pg";
import { onTestFinished } from "vitest";
import type { Store } from "../store.ts";
import { openPostgresStore, type PostgresOptions } from "./postgres.ts";

/** The server's own database. */
export function serverAddress(): string {
  const address = process.env["TOOLWRIGHT_TEST_DATABASE"];
  if (address !== undefined) return address;
  throw new Error("TOOLWRIGHT_TEST_DATABASE is not set: run `npm run test:postgres`.");
}

let made = 0;

/** The address of a new, empty database, which is gone after its test. */
export async function newDatabase(server: string = serverAddress()): Promise<string> {
  const name = `test_${process.pid}_${Date.now()}_${(made += 1)}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  onTestFinished(() => run(server, `DROP DATABASE ${name} WITH (FORCE)`).catch(() => undefined)); // its server may be gone
  return addressOf(server, name);
}

export function addressOf(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

/** A store that is closed after its test. */
export async function openTestDatabase(address: string, options?: PostgresOptions): Promise<Store> {
  const store = await openPostgresStore(address, options);
  onTestFinished(() => store.close());
  return store;
}

/** A plain connection that plays "another program". */
export async function outsider(address: string): Promise<Client> {
  const client = new Client({ connectionString: address, options: "-c search_path=toolwright" });
  await client.connect();
  client.on("error", () => undefined);
  onTestFinished(() => client.end());
  return client;
}

export async function run(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
