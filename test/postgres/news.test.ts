/** What processes of one PostgreSQL store tell each other at once. */

import { expect, test } from "vitest";
import { newDatabase, openTestDatabase, outsider } from "../../src/session/postgres/testing/postgres.ts";
import { info, note } from "../../src/session/sqlite/testing/sqlite.ts";
import type { SessionNotice, Store } from "../../src/session/store.ts";

/** What the store hears; undefined: some may have been missed. */
async function heardBy(store: Store): Promise<(SessionNotice | undefined)[]> {
  const heard: (SessionNotice | undefined)[] = [];
  store.news?.hear((notice) => heard.push(notice));
  await expect.poll(() => heard).toEqual([undefined]);
  return heard;
}

const text = (notices: readonly (SessionNotice | undefined)[]): string =>
  notices
    .flatMap((notice) => (notice?.signal && "text" in notice.signal ? [notice.signal] : []))
    .toSorted((one, other) => one.offset - other.offset)
    .map((signal) => signal.text)
    .join("");

test("another process hears of new facts, and of words however long and odd they are", async () => {
  const address = await newDatabase();
  const [writer, reader] = [await openTestDatabase(address), await openTestDatabase(address)];
  const heard = await heardBy(reader);
  await writer.create(info);
  const epoch = await writer.claim(info.id);
  await writer.append(info.id, epoch, [note(1), note(2)]);
  await expect.poll(() => heard.at(-1)).toEqual({ session: info.id, after: 2 });
  const long = "\0'\\\n\uD83D 漢字 ".repeat(2_000);
  writer.news?.tell(info.id, 2, { type: "text-delta", block: 1, offset: 0, text: long });
  await expect.poll(() => text(heard)).toBe(long);
});

test("a listener whose connection was cut off hears again, and is told that it may have missed something", async () => {
  const address = await newDatabase();
  const [writer, reader] = [await openTestDatabase(address), await openTestDatabase(address)];
  const heard = await heardBy(reader);
  const other = await outsider(address);
  await other.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await expect.poll(() => heard).toEqual([undefined, undefined]);
  writer.news?.tell(info.id, 7, { type: "retrying", because: "busy", waitMs: 1, attempt: 1 });
  await expect.poll(() => heard).toHaveLength(3);
  expect(heard.at(-1)).toMatchObject({ session: info.id, after: 7 });
});

test("what is no notice of ours is not heard, and what is told before the end still arrives", async () => {
  const address = await newDatabase();
  const [writer, reader] = [await openTestDatabase(address), await openTestDatabase(address)];
  const heard = await heardBy(reader);
  const other = await outsider(address);
  for (const payload of ["", "no JSON", "{}", "7"])
    await other.query("SELECT pg_notify('toolwright_news', $1)", [payload]);
  writer.news?.tell(info.id, 1, { type: "output-delta", callId: "c", offset: 0, text: "last words" });
  await writer.close();
  await expect.poll(() => text(heard)).toBe("last words");
  expect(heard).toHaveLength(2);
});
