/** What goes wrong at a server: a clear sentence, nothing lost, and no endless waiting. */

import { expect, onTestFinished, test } from "vitest";
import { readAddress } from "../../src/session/postgres/address.ts";
import { migrations } from "../../src/session/postgres/migrations.ts";
import { openPostgresStore } from "../../src/session/postgres/postgres.ts";
import {
  newDatabase,
  openTestDatabase,
  outsider,
  serverAddress,
} from "../../src/session/postgres/testing/postgres.ts";
import { addressOf, run } from "../../src/session/postgres/testing/server.ts";
import { info, note } from "../../src/session/sqlite/testing/sqlite.ts";
import { SessionHeld, StoreError } from "../../src/session/store.ts";
import { databaseServer } from "./server.ts";

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StoreError);
  const message = error instanceof Error ? error.message : "";
  expect(message).toMatch(/^The (?:address of the|session) database [^\n]+\.$/u);
  expect(message).not.toMatch(/password1|test-password/u);
  return message;
}

const changed = (address: string, change: (url: URL) => void): string => {
  const url = new URL(address);
  change(url);
  return url.href;
};

test.each([
  ["", "cannot be read"],
  ["mysql://ann:password1@host/name", "cannot be read"],
  ["postgres://ann:pass/password1@host/name", "cannot be read"],
  ["postgres://ann:password1@host", "names no database"],
  ["postgres://ann:password1@host/%00%zz", "is wrongly encoded"],
  [
    "postgres://ann:password1@host/name?sslmod=disable",
    "may have the parameters host, user, sslmode, sslrootcert",
  ],
  ["postgres://ann:password1@host/name?sslmode=disable&sslmode=require", "each once"],
  ["postgres://ann:password1@host/name?sslmode=prefer", "has an sslmode that is none of"],
  ["postgres://ann:password1@host/name?host=/tmp", "names two hosts"],
  ["postgres://host/name?sslrootcert=/nowhere/ca.pem", "names an sslrootcert that cannot be read"],
])("the address %s is refused without repeating it", async (address, words) => {
  expect(await refusal(openPostgresStore(address))).toContain(words);
});

test("a server elsewhere is trusted by its certificate alone, unless the address says else", () => {
  const tls = (address: string): unknown => {
    const read = readAddress(address);
    return read.ok ? read.value.login.ssl : read.problem;
  };
  expect(tls("postgres://db.example/name")).toEqual({ rejectUnauthorized: true });
  expect(tls("postgres://db.example/name?sslmode=require")).toEqual({ rejectUnauthorized: false });
  expect(tls("postgres://db.example/name?sslmode=disable")).toBe(false);
  for (const here of ["localhost", "127.0.0.1", "[::1]", ""])
    expect(tls(`postgres://${here}/name`)).toBe(false);
  expect(tls("postgres:///name?host=/run/postgresql")).toBe(false);
  expect(tls("postgres:///name?host=db.example&user=ann")).toEqual({ rejectUnauthorized: true });
});

test("a wrong password, an unknown database, a missing server and missing encryption are told apart", async () => {
  const address = await newDatabase();
  const wrong = changed(address, (url) => void (url.password = "password1"));
  expect(await refusal(openPostgresStore(wrong))).toContain(
    "refuses this login. Check the user, and the password",
  );
  expect(await refusal(openPostgresStore(addressOf(address, "nothing_here")))).toContain(
    "does not exist. Create it",
  );
  const nobody = changed(address, (url) => void (url.port = "1"));
  expect(await refusal(openPostgresStore(nobody))).toContain("does not answer. Start its server");
  const encrypted = changed(address, (url) => void (url.search = "?sslmode=require"));
  expect(await refusal(openPostgresStore(encrypted))).toContain("offers no encryption");
  expect(await refusal(openPostgresStore("postgres://ann@no-such-host.invalid/name"))).toContain(
    "does not answer",
  );
});

test("a database of a newer version is left alone, and one of no version is migrated once by many at a time", async () => {
  const address = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openTestDatabase(address)));
  await stores[0]?.create(info);
  expect(await stores[3]?.list()).toHaveLength(1);
  await run(address, "UPDATE toolwright.format SET number = 999");
  expect(await refusal(openPostgresStore(address))).toMatch(
    new RegExp(
      `written by a newer version \\(format 999, this one knows ${migrations.length}\\)\\. Update`,
      "u",
    ),
  );
});

test("a database whose encoding cannot hold every text is refused before anything is made in it", async () => {
  const latin = "test_latin";
  await run(serverAddress(), `CREATE DATABASE ${latin} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  onTestFinished(() => run(serverAddress(), `DROP DATABASE ${latin} WITH (FORCE)`));
  expect(await refusal(openPostgresStore(addressOf(serverAddress(), latin)))).toContain(
    "its encoding is not UTF8",
  );
});

test("a role that may only read can read, and is told what it lacks when it writes", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  await store.append(info.id, await store.claim(info.id), [note(1)]);
  const role = `reader_${Date.now()}`;
  await run(
    address,
    `CREATE ROLE ${role} LOGIN PASSWORD 'password1'; GRANT USAGE ON SCHEMA toolwright TO ${role};
     GRANT SELECT ON ALL TABLES IN SCHEMA toolwright TO ${role}`,
  );
  onTestFinished(() => run(address, `DROP OWNED BY ${role}; DROP ROLE ${role}`));
  const reader = await openTestDatabase(
    changed(address, (url) => {
      url.username = role;
      url.password = "password1";
    }),
  );
  expect(await reader.read(info.id, 0)).toEqual([note(1)]);
  expect(await refusal(reader.claim(info.id))).toContain(
    "may not be changed by this user. Grant it the rights",
  );
  expect(await refusal(reader.search("note", 1))).toContain("may not be changed by this user");
});

test("tables that another program has changed are reported as such, and a damaged fact keeps its place", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const epoch = await store.claim(info.id);
  await store.append(info.id, epoch, [note(1), note(2), note(3)]);
  await run(address, "UPDATE toolwright.facts SET entry = 'no JSON' WHERE seq = 2");
  expect((await store.read(info.id, 0)).map(({ seq, type }) => [seq, type])).toEqual([
    [1, "warning"],
    [2, "unknown"],
    [3, "warning"],
  ]);
  await run(address, "DROP TABLE toolwright.open_blocks");
  expect(await refusal(store.openBlock(info.id))).toContain("has been changed by another program");
});

test("content that does not match its hash is never returned", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const bytes = Buffer.from("before\n");
  const [blob, image] = [await store.putBlob(bytes), await store.keepImage(info.id, "o", bytes)];
  await run(
    address,
    "UPDATE toolwright.blobs SET bytes = '\\x00'; UPDATE toolwright.images SET bytes = '\\x00'",
  );
  expect([await store.getBlob(blob), await store.image(info.id, image)]).toEqual([undefined, undefined]);
});

test.each([
  ["53100", "cannot grow: the disk of its server is full. Free some space there"],
  ["53300", "takes no more connections"],
  ["25006", "may only be read: its server is a standby"],
  ["XX001", "is damaged; it was left as it is. Restore a backup"],
])(
  "what the server reports as %s is said with what to do, and nothing of the append is stored",
  async (code, words) => {
    const address = await newDatabase();
    const store = await openTestDatabase(address);
    await store.create(info);
    const epoch = await store.claim(info.id);
    await run(
      address,
      `CREATE FUNCTION toolwright.fail() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$;
     CREATE TRIGGER fails BEFORE INSERT ON toolwright.facts FOR EACH ROW EXECUTE FUNCTION toolwright.fail()`,
    );
    expect(await refusal(store.append(info.id, epoch, [note(1), note(2, "long ".repeat(20_000))]))).toContain(
      words,
    );
    await run(address, "DROP TRIGGER fails ON toolwright.facts");
    expect((await store.get(info.id))?.facts).toBe(0);
    await store.append(info.id, epoch, [note(1)]);
    expect(await store.read(info.id, 0)).toEqual([note(1)]);
  },
);

test("connections that are cut off are made again, and what was in progress is done once", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const epoch = await store.claim(info.id);
  const other = await outsider(address);
  const cut = () =>
    other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  const entries = Array.from({ length: 60 }, (_, at) => note(at + 1, `${at}`));
  const appends = entries.map((entry) => store.append(info.id, epoch, [entry]));
  for (const at of [5, 20, 40]) {
    await appends[at];
    await cut();
  }
  await Promise.all(appends);
  expect(await store.read(info.id, 0)).toEqual(entries);
  await cut();
  await store.create({ ...info, id: "s2" });
  expect((await store.list()).map(({ id }) => id).toSorted()).toEqual(["s1", "s2"]);
});

test("a lock that another program holds is waited for", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const epoch = await store.claim(info.id);
  const other = await outsider(address);
  await other.query("BEGIN; SELECT * FROM sessions FOR UPDATE");
  const appended = store.append(info.id, epoch, [note(1)]);
  expect(await store.read(info.id, 0)).toEqual([]);
  await other.query("ROLLBACK");
  await appended;
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
});

test("a server that crashes and comes back: everything waits for it, and all that was stored is there", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const store = await openTestDatabase(server.address);
  await store.create(info);
  const epoch = await store.claim(info.id);
  await store.append(info.id, epoch, [note(1)]);
  await server.kill();
  const entries = Array.from({ length: 20 }, (_, at) => note(at + 2));
  const appends = entries.map((entry) => store.append(info.id, epoch, [entry]));
  const reading = store.read(info.id, 0, { facts: 1, characters: 1_000 });
  await server.start();
  await Promise.all(appends);
  expect(await reading).toEqual([note(1)]);
  expect(await store.read(info.id, 0)).toEqual([note(1), ...entries]);
});

test("a server that stays away fails what was asked after a while, at once after that, and nothing is half stored", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const store = await openTestDatabase(server.address, { awayMs: 200 });
  await store.create(info);
  const epoch = await store.claim(info.id);
  await server.kill();
  expect(await refusal(store.append(info.id, epoch, [note(1)]))).toContain("does not answer");
  const begun = performance.now();
  for (let at = 0; at < 20; at += 1) await refusal(store.list());
  expect(performance.now() - begun).toBeLessThan(5_000);
  await server.start();
  await store.append(info.id, epoch, [note(1)]);
  expect(await store.read(info.id, 0)).toEqual([note(1)]);
});

test("a program on another machine keeps its session as long as it renews, whatever the clocks say", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const there = { pid: 7, started: "9", boot: "another system", space: "s", host: "far-away" };
  await store.claim(info.id, { owner: { program: "p", process: there } });
  const here = { owner: { program: "q", process: { ...there, pid: 8, host: "here" } } };
  await expect(store.claim(info.id, here)).rejects.toThrow(SessionHeld);
  await run(address, "UPDATE toolwright.holders SET renewed = renewed - interval '59 seconds'");
  await expect(store.claim(info.id, here)).rejects.toThrow(SessionHeld);
  await run(address, "UPDATE toolwright.holders SET renewed = renewed - interval '2 seconds'");
  await store.claim(info.id, here);
});

test("a deleted session leaves nothing in any table", async () => {
  const address = await newDatabase();
  const store = await openTestDatabase(address);
  await store.create(info);
  const epoch = await store.claim(info.id);
  await store.append(info.id, epoch, [note(1), note(2, "long ".repeat(20_000))]);
  await store.keepOpenBlock(info.id, epoch, { block: 9, kind: "text", text: "half" });
  await store.keepImage(info.id, "o", Buffer.from("x"));
  await store.keepFigures(new Map([[info.id, { seq: 1, text: "{}" }]]));
  await store.search("note", 1);
  await store.delete(info.id);
  const other = await outsider(address);
  const tables =
    "sessions facts open_blocks holders processes figures blobs blob_users loose_blobs images image_owners said indexed";
  for (const table of tables.split(" "))
    expect([table, (await other.query(`SELECT * FROM ${table}`)).rows]).toEqual([table, []]);
  expect((await other.query("SELECT bytes FROM image_total")).rows).toEqual([{ bytes: "0" }]);
});
