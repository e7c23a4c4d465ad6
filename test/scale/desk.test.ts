/** What nobody takes is taken back, with a plain word. */

import { hostname } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { openDbosEngine } from "../../src/hosting/dbos/dbos-engine.ts";
import { newDatabase, openTestDatabase, outsider } from "../../src/session/postgres/testing/postgres.ts";

test("without a worker a request is taken back after a while, and nothing of it is left", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  const place = { host: hostname(), tenant: "", most: undefined };
  const opened = await openDbosEngine({ address, store, place, most: 1, log: () => undefined, beginMs: 50 });
  if (!opened.ok) throw new Error(opened.problem);
  const engine = opened.value;
  onTestFinished(() => engine.close());
  expect(await engine.submit("s1", { name: "create", which: {} })).toEqual({
    ok: false,
    problem: expect.stringContaining(`No worker on ${hostname()} has taken this in time`),
  });
  const rows = await (await outsider(address)).query("SELECT * FROM asks");
  expect(rows.rows).toEqual([]);
});
