/** PostgreSQL databases for tests, on the server that TOOLWRIGHT_TEST_SERVER names. */

import { Client } from "pg";
import { onTestFinished } from "vitest";
import type { Store } from "../../store.ts";
import { openPostgresStore, type PostgresOptions } from "../postgres.ts";
import { addressOf, run } from "./server.ts";

/** The server's own database. */
export function serverAddress(): string {
  const address = process.env["TOOLWRIGHT_TEST_SERVER"];
  if (address !== undefined) return address;
  throw new Error("TOOLWRIGHT_TEST_SERVER is not set: run `npm run test:postgres`.");
}

let made = 0;

/** The address of a new, empty database, which is gone after its test. */
export async function newDatabase(server: string = serverAddress()): Promise<string> {
  const address = await madeDatabase(server);
  const name = new URL(address).pathname.slice(1);
  onTestFinished(() => run(server, `DROP DATABASE ${name} WITH (FORCE)`).catch(() => undefined)); // its server may be gone
  return address;
}

async function madeDatabase(server: string): Promise<string> {
  const name = `test_${process.pid}_${Date.now()}_${(made += 1)}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  return addressOf(server, name);
}

let shared: Promise<string> | undefined;

/** The address of a database that has been used before and is empty: a new one takes a hundred times longer. */
export async function emptyDatabase(): Promise<string> {
  shared ??= madeDatabase(serverAddress());
  return empty(await shared);
}

const lent: string[] = [];

/** The address of an empty database that no other test uses until this one has ended. */
export async function borrowedDatabase(): Promise<string> {
  const used = lent.pop();
  const address = used ?? (await madeDatabase(serverAddress()));
  onTestFinished(() => void lent.push(address));
  return used === undefined ? address : empty(used);
}

async function empty(address: string): Promise<string> {
  await (await openPostgresStore(address)).close();
  const tables = "sessions team facts open_blocks blobs blob_users loose_blobs images dialects".split(" ");
  const deletions = tables.map((table) => `DELETE FROM toolwright.${table}`);
  await run(
    address,
    ["DELETE FROM toolwright.image_owners", ...deletions, "UPDATE toolwright.image_total SET bytes = 0"].join(
      "; ",
    ),
  );
  return address;
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
