/**
 * Tests the SQLite store while another program holds the lock: waiting work blocks nothing else, and nothing is lost or
 * stored twice.
 */

import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { StoreError } from "../store.ts";
import { info, newDirectory, note, openTestStore, outsider, withSession } from "./testing/sqlite.ts";

/** Far longer than these tests run, so that a blocking call would hang. */
const patient = { busyTimeoutMs: 600_000 };

/** The outcome so far. */
function watched<T>(work: Promise<T>) {
  const state = { isSettled: false };
  const settled = (): void => void (state.isSettled = true);
  work.then(settled, settled);
  return state;
}

test("a write waiting for another program's lock does not block reads, and is stored once", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, patient);
  await store.append(info.id, epoch, [note(1)]);
  const other = outsider(path);
  other.exec("BEGIN IMMEDIATE");
  const writing = store.append(info.id, epoch, [note(2)]);
  const state = watched(writing);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
  expect(state.isSettled).toBe(false);
  other.exec("COMMIT");
  await writing;
  expect(await store.read(info.id, 0)).toEqual([note(1), note(2)]);
});

const step = fc.record({ isLocked: fc.boolean(), turns: fc.nat(3) });

test("writes keep their call order, whichever of them finds the database locked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const path = join(newDirectory(), "s.db");
      const { store, epoch } = await withSession(path, patient);
      const other = outsider(path);
      const writing: Promise<void>[] = [];
      for (const [at, { isLocked, turns }] of steps.entries()) {
        if (isLocked !== other.isTransaction) other.exec(isLocked ? "BEGIN IMMEDIATE" : "COMMIT");
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        writing.push(store.append(info.id, epoch, [note(at + 1)])); // in any other order there is a gap
      }
      if (other.isTransaction) other.exec("COMMIT");
      await Promise.all(writing);
      other.close();
      expect(await store.read(info.id, 0)).toEqual(steps.map((_, at) => note(at + 1)));
    }),
    { numRuns: 20 },
  );
});

test("a write that waits too long fails and stores nothing, and later writes succeed", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, { busyTimeoutMs: 1 });
  const other = outsider(path);
  other.exec("BEGIN IMMEDIATE");
  const late = [1, 2, 3].map(() => store.append(info.id, epoch, [note(1)]));
  for (const outcome of await Promise.allSettled(late))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreError) });
  other.exec("ROLLBACK");
  await store.append(info.id, epoch, [note(1)]);
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
});

test("pending writes are stored before the store closes", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, patient);
  const other = outsider(path);
  other.exec("BEGIN IMMEDIATE");
  const writing = store.append(info.id, epoch, [note(1)]);
  const closing = store.close();
  other.exec("COMMIT");
  await Promise.all([writing, closing]);
  expect(await openTestStore(path).read(info.id, 0)).toEqual([note(1)]);
});

test("deleting a session while another program reads completes after that read", async () => {
  const path = join(newDirectory(), "s.db");
  const { store, epoch } = await withSession(path, patient);
  await store.append(info.id, epoch, [note(1, "a-secret-word")]);
  await store.release(info.id, epoch);
  const reader = outsider(path);
  reader.exec("BEGIN; SELECT * FROM facts");
  const deleting = store.delete(info.id);
  const state = watched(deleting);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(await store.list()).toEqual([]);
  expect(state.isSettled).toBe(false);
  reader.exec("COMMIT");
  await deleting;
});
