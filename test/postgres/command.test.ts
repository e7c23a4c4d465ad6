/** The command over a PostgreSQL database: sessions in it, what `doctor` says, and moving from and to a file. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDatabase, outsider } from "../../src/session/postgres/testing/postgres.ts";
import { idsIn, json, order, refused, said, sessionPlace, twoChanges } from "../support/session-place.ts";

test("a database that is named keeps the sessions, and the file is not made", async () => {
  const database = await newDatabase();
  const here = await sessionPlace({}, { TOOLWRIGHT_DATABASE: database });
  const id = await twoChanges(here);
  expect(existsSync(join(here.root, "state", "toolwright", "sessions.db"))).toBe(false);
  expect(await said(here.run("sessions"))).toContain("replace one with two");
  expect(await said(here.run("sessions", "search", "three"))).toContain(id.slice(-6));
  expect(await json(here.run("sessions", "fork", id, "--at", "2", "--output", "json"))).toMatchObject({
    before: 2,
  });
  expect((await here.run("undo", "2", "--resume", id)).code).toBe(0);
  expect(await readFile(join(here.root, "work", "a.txt"), "utf8")).toBe("two\n");
  expect((await here.run("redo", "2", "--resume", id)).code).toBe(0);
  await said(here.run("sessions", "delete", id, "--yes"));
  expect(await idsIn(here)).toHaveLength(1);
  const rows = await (await outsider(database)).query("SELECT title FROM sessions");
  expect(rows.rows).toEqual([{ title: "replace one with two in a.txt" }]);
});

test("doctor tells of the server, and neither it nor a report nor a setting shows the password", async () => {
  const database = await newDatabase();
  const here = await sessionPlace({}, { TOOLWRIGHT_DATABASE: database });
  await here.run(...order, "list");
  const findings: { check: string; state: string; words: string }[] = JSON.parse(
    (await here.run("doctor", "--output", "json")).out,
  );
  expect(findings.find(({ check }) => check === "database")).toMatchObject({
    state: "ok",
    words: expect.stringMatching(/^opens; it keeps 1 session: test_\w+ on 127\.0\.0\.1, PostgreSQL \d+/u),
  });
  expect(findings.map(({ check }) => check)).not.toContain("integrity");
  const wrong = { TOOLWRIGHT_DATABASE: database.replace(/:\d+\//u, ":1/") };
  const away = await sessionPlace({}, wrong);
  const texts = [
    await here.run("doctor", "--report"),
    await here.run("config", "list"),
    await away.run("doctor"),
    await away.run("sessions"),
    await away.run(...order, "list"),
    await here.run("--database", database, ...order, "list"),
  ];
  for (const { out, err } of texts) expect(out + err).not.toContain("test-password");
  expect(texts[0]?.out).toMatch(/^- database: .*, PostgreSQL \d+/mu);
  expect(texts[3]).toMatchObject({
    code: 1,
    err: expect.stringContaining("does not answer. Start its server"),
  });
  expect(texts[4]).toMatchObject({
    code: 1,
    err: expect.stringContaining("does not answer. Start its server"),
  });
});

test("a workspace cannot name the database", async () => {
  const here = await sessionPlace({
    ".toolwright/config.json": '{ "database": "postgres://evil.example/name" }',
  });
  const listed = await here.run(...order, "list");
  expect(listed).toMatchObject({
    code: 0,
    err: expect.stringContaining('a workspace may not set "database"'),
  });
});

test("--no-save keeps nothing in the database either, and an address that is none is a clear error", async () => {
  const database = await newDatabase();
  const here = await sessionPlace({}, { TOOLWRIGHT_DATABASE: database });
  expect((await here.run("--no-save", ...order, "list")).code).toBe(0);
  expect(await idsIn(here)).toEqual([]);
  expect(await refused(here.run("--database", "mysql://ann:password1@h/d", "sessions"), 1)).toMatch(
    /^toolwright: The address of the database cannot be read: (?!.*password1)/u,
  );
});

test("sessions move from a file into a database and back, with everything that undo needs, once", async () => {
  const database = await newDatabase();
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await here.run(...order, `write a longer text: ${"long ".repeat(4_000)}`);
  await here.runIn("other", ...order, "read b.txt");
  const whole = await said(here.run("sessions", "export", "--all"));
  const there = ["--database", database];
  for (const words of ["3 imported", "0 imported, 3 here already"])
    expect(await said(here.fed(whole, ...there, "sessions", "import", "-", "--all"))).toBe(
      `Sessions: ${words}.\n`,
    );
  expect(await idsIn(here, "--all", ...there)).toEqual(await idsIn(here, "--all"));
  expect(await said(here.run(...there, "sessions", "export", "--all"))).toBe(whole);
  expect((await here.run(...there, "undo", "2", "--resume", id)).code).toBe(0);
  expect(await readFile(join(here.root, "work", "a.txt"), "utf8")).toBe("two\n");

  const back = ["--state-dir", join(here.root, "back")];
  const moved = await said(here.run(...there, "sessions", "export", "--all"));
  expect(await said(here.fed(moved, ...back, "sessions", "import", "-", "--all"))).toBe(
    "Sessions: 3 imported.\n",
  );
  expect(await said(here.run(...back, "sessions", "export", "--all"))).toBe(moved);
});
