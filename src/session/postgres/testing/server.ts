/** The databases of a server for tests, without the runner of the tests: also for their child processes. */

import { Client } from "pg";
import { sha256 } from "../../../base/crypto.ts";
import { isObject } from "../../../base/json.ts";

export async function run(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function addressOf(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

/** The address of the database that stands for a file at this path; it is made when it is first asked for. */
export async function databaseFor(server: string, path: string): Promise<string> {
  const name = `at_${sha256(Buffer.from(path)).slice(0, 24)}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0`).catch((error: unknown) => {
    // It is there, or another process is just making it.
    const isThere = isObject(error) && (error["code"] === "42P04" || error["code"] === "23505");
    if (!isThere) throw error;
  });
  return addressOf(server, name);
}
