/** A team's database, dumped while a session is written and restored into a new one: docs/operating.md tells people to do this. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase, openTestDatabase } from "../../src/session/postgres/testing/postgres.ts";
import { info, note } from "../../src/session/sqlite/testing/sqlite.ts";
import { placeOf } from "./server.ts";

const run = promisify(execFile);

test("a dump made during writing is restored with whole sessions, which can be found and written on", async () => {
  const root = await mkdtemp(join(tmpdir(), "toolwright-backup-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const bin = placeOf("pg_dump", "pg_restore");
  const [from, to, file] = [await newDatabase(), await newDatabase(), join(root, "sessions.dump")];
  const store = await openTestDatabase(from);
  await store.create(info);
  const { id } = info;
  const epoch = await store.claim(id);
  const blob = await store.putBlob(Buffer.from("a long output"));
  const stop = new AbortController();
  let last = 0;
  const writing = (async () => {
    while (!stop.signal.aborted) {
      await store.append(id, epoch, [note(last + 1, "one word"), note(last + 2, "and another")]);
      last += 2;
    }
  })();
  await expect.poll(() => last).toBeGreaterThan(10);
  const before = last;
  await run(join(bin, "pg_dump"), ["--format=custom", "--file", file, from]);
  const after = last + 2;
  stop.abort();
  await writing;
  await run(join(bin, "pg_restore"), ["--no-owner", "--exit-on-error", "--dbname", to, file]);
  const restored = await openTestDatabase(to);
  await restored.probe();
  const facts = await restored.read(id, 0);
  expect(facts.length).toBeGreaterThanOrEqual(before);
  expect(facts.length).toBeLessThanOrEqual(after);
  expect(facts.length % 2).toBe(0); // what was stored together is there together
  expect(facts).toEqual((await store.read(id, 0)).slice(0, facts.length));
  expect((await restored.get(id))?.facts).toBe(facts.length);
  expect(await restored.getBlob(blob)).toEqual(new Uint8Array(Buffer.from("a long output")));
  await restored.append(id, await restored.claim(id), [note(facts.length + 1, "after the restore")]);
  expect(await restored.read(id, facts.length)).toHaveLength(1);
});
