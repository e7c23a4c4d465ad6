/** A session that runs for days: its memory stays flat, and a late round costs no more than an early one. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { scale } from "../../src/testing/scale.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import type { Told } from "../support/long-session-child.ts";
import { longFiles } from "../support/long-session-run.ts";

const run = promisify(execFile);
const child = join(import.meta.dirname, "../support/long-session-child.ts");

/** TOOLWRIGHT_RUNS multiplies them. */
const rounds = Math.max(1000, 2000 * scale);
const warmUp = 500;

test("over 2,000 rounds with large results, memory and the cost of a round stay flat", async () => {
  const workspace = await temporaryWorkspace(longFiles);
  const place = await temporaryWorkspace({});
  const database = join(place.root, "sessions.db");
  const { stdout } = await run(
    process.execPath,
    ["--expose-gc", child, database, workspace.root, `${rounds + 1}`, "250"],
    { maxBuffer: 1024 * 1024 },
  );
  const told: Told[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [warm, last] = [told.find(({ round }) => round === warmUp), told.at(-1)];
  if (!warm || !last) throw new Error("the run told nothing");
  expect(last.round).toBeGreaterThanOrEqual(rounds);
  expect(last.held / warm.held).toBeLessThanOrEqual(1.1);

  for (const { most } of told.filter(({ round }) => round > warmUp)) {
    expect(most.appended).toBeLessThanOrEqual(warm.most.appended);
    expect(most.transactions).toBeLessThanOrEqual(warm.most.transactions + 1); // neighbours may or may not be combined
    expect(most.rowsRead).toBe(0);
    expect(most.told).toBeLessThanOrEqual(warm.most.told);
    // What the user said is kept word for word; nothing else grows.
    expect(most.prompt / warm.most.prompt).toBeLessThan(1.2);
  }

  const store = openSqliteStore(database);
  const [summary] = await store.list();
  expect(summary?.facts).toBeGreaterThanOrEqual(last.stored); // everything is still stored
  const facts = await store.read(summary?.id ?? "", 0);
  const early = facts.slice(0, 1000).filter(({ type }) => type === "result");
  expect(Math.max(...early.map((entry) => JSON.stringify(entry).length))).toBeGreaterThan(40_000); // untrimmed
  await store.close();
  await workspace.remove();
  await place.remove();
});
