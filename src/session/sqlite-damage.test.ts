import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished, expect, test } from "vitest";
import { ownOwner } from "./owner.ts";
import { openSqliteStore } from "./sqlite.ts";
import { StoreError } from "./store.ts";

/** A database with one session that has a fact and an image, to which something was done afterwards. */
async function damaged(sql: string): Promise<{ path: string; hash: string }> {
  const directory = mkdtempSync(join(tmpdir(), "damage-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "s.db");
  const store = openSqliteStore(path);
  await store.create({ id: "s", workspace: "/w", createdAt: 1 });
  const epoch = await store.claim("s", { owner: ownOwner() });
  const said = { type: "user-message" as const, content: [{ type: "text" as const, text: "hello" }] };
  await store.append("s", epoch, [{ ...said, v: 1, seq: 1, at: 1, turn: 1 }]);
  const hash = await store.keepImage("s", "o", Buffer.from("before\n"));
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  database.close();
  return { path, hash };
}

/** What every part of a program does with a store; the first failure counts. */
async function use(path: string): Promise<void> {
  const store = openSqliteStore(path);
  try {
    await store.list();
    await store.read("s", 0);
    await store.openBlock("s");
    await store.holder("s");
    await store.processes("s");
    await store.search("hello", 5);
    await store.claim("s", { owner: ownOwner() });
    await store.copy("s", { id: "t", workspace: "/w", createdAt: 1 }, 1);
  } finally {
    await store.close();
  }
}

test.each([
  ["a table is lost", "DROP TABLE facts"],
  ["the index of the search is lost", "DROP TABLE said_words"],
  ["a number is beyond all numbers", "UPDATE sessions SET created_at = 9223372036854775807"],
  [
    "a holder's time is beyond all numbers",
    "INSERT OR REPLACE INTO holders VALUES ('s', 'p', 1, '', '', '', '', 1, 9223372036854775807)",
  ],
  [
    "rows point to nothing",
    "INSERT INTO image_owners VALUES ('s', 'p', 'none', 9); INSERT INTO blob_users VALUES ('none', 's')",
  ],
])("A41: where %s, it is one line that names the file, or it does not matter", async (_, sql) => {
  const { path } = await damaged(sql);
  const failed = await use(path).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failed === undefined) return;
  expect(failed).toBeInstanceOf(StoreError);
  expect(failed).toHaveProperty(
    "message",
    expect.stringMatching(/^The session database \S+s\.db .*left as it is.*\.$/),
  );
});

test("an open block that cannot be read does not keep its session closed", async () => {
  const { path } = await damaged("INSERT INTO open_blocks VALUES ('s', 1, 'text', 'no JSON')");
  await use(path);
});

test("a content that is not what its hash says is never given back as a file's", async () => {
  const { path, hash } = await damaged("UPDATE images SET bytes = x'00'");
  const store = openSqliteStore(path);
  expect(await store.image("s", hash)).toBeUndefined();
  await store.close();
});

test("a place that the system refuses for a rarer reason is told in one line, too", () => {
  const path = join(tmpdir(), "x".repeat(300), "s.db");
  expect(() => openSqliteStore(path)).toThrow(StoreError);
  expect(() => openSqliteStore(path)).toThrow(/cannot be opened \(ENAMETOOLONG\)\. Check its path/);
});
