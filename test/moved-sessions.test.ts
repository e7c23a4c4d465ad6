/** `sessions export --all` and `import --all`: every session of a store in one file, and from there into another store. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeAt } from "../src/session/testing/store-at.ts";
import { idsIn, json, order, refused, said, sessionPlace, twoChanges } from "./support/session-place.ts";

test("every session is exported into one file and imported into another store, each in its workspace", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await here.runIn("other", ...order, "read b.txt");
  const all = await idsIn(here, "--all");
  const file = join(here.root, "all.toolwright");
  expect(await said(here.run("sessions", "export", "--all", file))).toBe(`2 sessions are in ${file}.\n`);
  const piped = await said(here.run("sessions", "export", "--all"));
  expect(piped).toBe(await readFile(file, "utf8"));

  const there = here.elsewhere;
  expect(await said(here.run(...there, "sessions", "import", file, "--all"))).toBe("Sessions: 2 imported.\n");
  expect(await idsIn(here, "--all", ...there)).toEqual(all);
  expect(await idsIn(here, ...there)).toEqual([id]);
  expect(await said(here.run(...there, "sessions", "export", "--all"))).toBe(piped);
  expect(await said(here.fed(piped, ...there, "sessions", "import", "-", "--all"))).toBe(
    "Sessions: 0 imported, 2 here already.\n",
  );
  expect((await here.run(...there, "undo", "2")).code).toBe(0);
  expect(await readFile(join(here.root, "work", "a.txt"), "utf8")).toBe("two\n");
  expect(await json(here.run(...there, "sessions", "import", file, "--all", "--output", "json"))).toEqual({
    imported: [],
    known: all.toReversed(),
    left: [],
    problem: null,
  });
});

test("a broken file keeps what came before the fault, and says what is wrong; nothing is stored twice after it", async () => {
  const here = await sessionPlace();
  await twoChanges(here);
  await here.runIn("other", ...order, "read b.txt");
  const whole = await said(here.run("sessions", "export", "--all"));
  const second = whole.indexOf('{"toolwright"', 1);
  const there = [...here.elsewhere, "sessions", "import", "-", "--all"];
  for (const [text, words, imported] of [
    [whole.slice(0, -20), "ends in the middle", 1],
    [whole.slice(0, second) + whole.slice(second).replace("read b", "read c"), "damaged or changed", 0],
    [`${whole}rest`, "damaged or changed", 1],
    ["", "not a session that Toolwright exported", 0],
  ] as const) {
    const ran = await here.fed(text, ...there);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(new RegExp(`^toolwright: - cannot be imported any further: .*${words}`, "u"));
    expect(ran.out).toContain(`Sessions: ${imported} imported`);
  }
  expect(await refused(here.fed(whole, ...there.slice(0, -1)), 1)).toContain(
    "it has several sessions. Import them with --all",
  );
  expect(await idsIn(here, "--all", ...here.elsewhere)).toHaveLength(2);
});

test("a session that is here with other facts is left as it is, and subagents' sessions keep their parents", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const store = await storeAt(join(here.root, "state", "toolwright", "sessions.db"));
  const info = { id: "of-a-call", workspace: join(here.root, "work"), createdAt: Date.now(), parent: id };
  await store.create(info);
  const parent = { session: id, callId: "c" };
  const start = {
    type: "session-start",
    session: info.id,
    workspace: info.workspace,
    version: "1",
    parent,
  } as const;
  await store.append(info.id, await store.claim(info.id), [{ ...start, v: 1, seq: 1, at: 1, turn: 0 }]);
  await store.close();
  const file = join(here.root, "all.toolwright");
  await here.run("sessions", "export", "--all", file);
  const there = here.elsewhere;
  await said(here.run(...there, "sessions", "import", file, "--all"));
  const moved: { id: string; parent: string | null }[] = JSON.parse(
    await said(here.run(...there, "sessions", "--all", "--output", "json")),
  );
  expect(new Map(moved.map((one) => [one.id, one.parent]))).toEqual(
    new Map([
      [id, null],
      [info.id, id],
    ]),
  );
  await here.run("--offline-model", "--continue", "-p", "read a.txt");
  await here.run("sessions", "export", "--all", join(here.root, "later.toolwright"));
  const again = await here.run(...there, "sessions", "import", join(here.root, "later.toolwright"), "--all");
  expect(again).toEqual({
    code: 1,
    out: "Sessions: 0 imported, 1 here already, 1 left out.\n",
    err: `! Session ${id} is here with other facts: import it alone, then it gets another id.\n`,
  });
});

test("export and import of everything are refused in one line when used wrongly", async () => {
  const here = await sessionPlace();
  expect(await refused(here.run("sessions", "export", "--all"), 1)).toContain(
    "There are no sessions to export",
  );
  expect(await refused(here.run("sessions", "export"), 2)).toContain(
    "export ID [FILE], or export --all [FILE]",
  );
  await twoChanges(here);
  expect(await refused(here.run("sessions", "export", "--all", "--format", "html"), 2)).toContain(
    "as bundles",
  );
  await writeFile(join(here.root, "there"), "");
  expect(await refused(here.run("sessions", "export", "--all", join(here.root, "there")), 1)).toContain(
    "it exists already",
  );
  const nothing = await here.run("sessions", "import", "--all", join(here.root, "none"));
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining("there is no such file") });
});
