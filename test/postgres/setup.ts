/**
 * Starts the server whose databases the tests use, unless TOOLWRIGHT_TEST_DATABASE has the address of one. Tests find it
 * in TOOLWRIGHT_TEST_SERVER.
 */

import { databaseServer } from "./server.ts";

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TOOLWRIGHT_TEST_DATABASE"];
  const server = given === undefined || given === "start" ? await databaseServer() : undefined;
  const address = server?.address ?? given;
  process.env["TOOLWRIGHT_TEST_SERVER"] = address;
  if (given !== undefined) process.env["TOOLWRIGHT_TEST_DATABASE"] = address;
  return server && (() => server.remove());
}
