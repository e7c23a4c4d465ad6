/** Starts the server whose databases the tests use, unless there is one: TOOLWRIGHT_TEST_DATABASE is its address. */

import { databaseServer } from "./server.ts";

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TOOLWRIGHT_TEST_DATABASE"];
  if (given !== undefined && given !== "start") return undefined;
  const server = await databaseServer();
  process.env["TOOLWRIGHT_TEST_DATABASE"] = server.address;
  return () => server.remove();
}
