import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { scale } from "../../src/testing/scale.ts";
import { testSession } from "../../src/testing/session.ts";
import { type Asked, everythingIn, temporaryPlace } from "../support/attacked.ts";
import { marker } from "../support/file-child.ts";
import { killAt, type Moment, momentsAfter } from "../support/system-calls.ts";
import { workspaceAt } from "../support/workspace-at.ts";

/** How many moments of each system call are tried; the total is known beforehand. */
const most = 6 * scale;

const longWords = (word: string): string => `${word}\n${"line\n".repeat(20_000)}`;

/** Edits of several kinds, each in its own call. */
const asked: readonly Asked[] = [
  ["edit_file", { path: "d/long", old: "old", new: "new" }],
  ["edit_file", { path: "a", old: "old a", new: "new a" }],
  ["write_file", { path: "made/deep/b", content: "new b\n" }],
  [
    "apply_patch",
    {
      patch: [
        "*** Begin Patch",
        "*** Update File: c",
        "@@",
        "-old c",
        "+new c",
        "*** Delete File: gone",
        "*** Update File: e",
        "*** Move to: moved/e",
        "@@",
        "-old e",
        "+new e",
        "*** End Patch",
        "",
      ].join("\n"),
    },
  ],
];

/** The effect of each call on the tree: path → content before and after. */
const effects: readonly Record<string, readonly [before: string | null, after: string | null]>[] = [
  { "d/long": [longWords("old"), longWords("new")] },
  { a: ["old a\n", "new a\n"] },
  { "made/deep/b": [null, "new b\n"] },
  { c: ["old c\n", "new c\n"], gone: ["gone\n", null], e: ["old e\n", null], "moved/e": [null, "new e\n"] },
];

function freshTree(root: string): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "d"), { recursive: true });
  for (const [path, [before]] of effects.flatMap((effect) => Object.entries(effect)))
    if (before !== null) writeFileSync(join(root, path), before);
}

const wordsOf = (tree: Record<string, string>, path: string): string | null =>
  tree[path]?.replace(/^\d+ \d+ /, "") ?? null;

/** The paths whose content is that after the change; checks that none is torn. */
function changedIn(tree: Record<string, string>): string[] {
  const paths = effects.flatMap((effect) => Object.entries(effect));
  return paths.flatMap(([path, [before, after]]) => {
    const now = wordsOf(tree, path);
    expect([before, after], `${path} is torn`).toContain(now);
    return now === after ? [path] : [];
  });
}

/** Reopens the session, compares the changes in its log with the files on disk, and undoes all of them. */
async function settled(database: string, root: string, before: Record<string, string>): Promise<string[]> {
  const store = openSqliteStore(database);
  const [summary] = await store.list();
  const workspace = workspaceAt(root);
  const resume = summary?.id ?? "";
  const { session, facts, close } = await testSession(scriptedModel([]), { store, workspace, resume });
  if (session.state.status === "running") await session.command({ type: "interrupt" });
  const tree = everythingIn(root);
  expect(Object.keys(tree).filter((path) => path.endsWith(".tmp"))).toEqual([]);
  const onDisk = changedIn(tree);
  const told = facts().flatMap((fact) => (fact.type === "change-applied" ? fact.changes : []));
  const files = told.filter(({ is, was }) => (is ?? was)?.kind !== "directory").map(({ path }) => path);
  expect([...new Set(files)].toSorted()).toEqual(onDisk.toSorted());
  expect(await session.command({ type: "undo" })).toMatchObject({ ok: told.length > 0 });
  expect(everythingIn(root)).toEqual(before);
  await close();
  await store.close();
  return onDisk;
}

/** A sample of the moments of each system call, spread evenly. */
function chosen(moments: readonly Moment[]): Moment[] {
  const byName = Map.groupBy(moments, ({ name }) => name);
  return [...byName.values()].flatMap((all) => {
    const step = Math.max(1, all.length / most);
    return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
      (moment) => moment !== undefined,
    );
  });
}

test("SAFETY 4, crash mid-write: after a kill at any system call no file is torn, and log, files and undo agree", async () => {
  const place = await temporaryPlace();
  const calls = join(place, "calls.json");
  await writeFile(calls, JSON.stringify(asked));
  const child = join(import.meta.dirname, "../support/file-child.ts");
  const commandIn = (root: string, database: string): string[] => [
    "/bin/sh",
    "-c",
    'exec "$0" "$@" < "$CALLS"'.replace("$CALLS", calls),
    process.execPath,
    child,
    "change",
    root,
    database,
  ];
  const first = join(place, "first");
  freshTree(first);
  const before = everythingIn(first);
  const all = await momentsAfter(marker, commandIn(first, join(place, "first.db")), join(place, "log"));
  expect(changedIn(everythingIn(first))).toHaveLength(
    effects.flatMap((effect) => Object.keys(effect)).length,
  );
  const moments = chosen(all);
  const made = new Set<number>();
  let kills = 0;
  const work = async (worker: number): Promise<void> => {
    const [root, log] = [join(place, `root-${worker}`), join(place, `log-${worker}`)];
    for (let moment = moments.pop(); moment; moment = moments.pop()) {
      freshTree(root);
      const database = join(place, `${worker}-${moment.name}-${moment.count}.db`);
      const { killed, begun } = await killAt(moment, { marker, command: commandIn(root, database), log });
      if (!killed || !begun) continue;
      kills++;
      made.add((await settled(database, root, before)).length);
    }
  };
  await Promise.all([work(1), work(2)]);
  console.log(
    `${kills} kills of ${all.length} moments; files changed then: ${[...made].toSorted((one, other) => (one < other ? -1 : 1)).join(", ")}`,
  );
  expect(kills).toBeGreaterThan(20);
  expect(made.size).toBeGreaterThan(2);
}, 3_600_000);
