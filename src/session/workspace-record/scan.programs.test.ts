import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanTree } from "./scan.ts";
import { bash, makePlace, systemCalls, write } from "./testing/record.ts";

const many = { limit: 50_000, named: [] };

test("each entry is examined once and each directory listed once", async () => {
  using place = makePlace();
  bash(place.root, "mkdir d{1..9}; touch d{1..9}/{1..11}; ln -s d1 link");
  let entries = 0;
  const count = await systemCalls(async () => {
    entries = (await scanTree(place.root, many)).entries.size;
  });
  expect(entries).toBe(9 + 99 + 1);
  expect(count).toEqual({ lstatSync: 9 + 99 + 1, readdirSync: 1 + 9 });
});

test("a scan yields to other work", async () => {
  using place = makePlace();
  bash(place.root, "touch $(seq 1500)");
  let turns = 0;
  let isOver = false;
  const takeTurn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  await scanTree(place.root, many);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});

test("symlinks are not followed, and git's and installed directories are not scanned", async () => {
  using outside = makePlace({ "secret.txt": "s" });
  using place = makePlace({
    ".git/config": "",
    "sub/.git": "gitdir: elsewhere",
    "sub/.GIT": "",
    "node_modules/p/x.js": "",
    "a/.venv/bin/python": "",
    "a/b.ts": "",
  });
  symlinkSync(outside.root, join(place.root, "out"));
  const { entries, unlooked, truncated } = await scanTree(place.root, many);
  expect([...entries.keys()].toSorted()).toEqual(
    [".git", "a", "a/.venv", "a/b.ts", "node_modules", "out", "sub", "sub/.GIT", "sub/.git"].toSorted(),
  );
  expect(Object.fromEntries(unlooked)).toEqual({
    ".git": "git",
    "sub/.git": "git",
    "sub/.GIT": "git",
    node_modules: "installed",
    "a/.venv": "installed",
  });
  expect(truncated).toBe(false);
});

test("named paths are scanned where others are not, but never through a symlink or inside .git", async () => {
  using outside = makePlace({ "x.js": "s" });
  using place = makePlace({ "node_modules/p/x.js": "", "node_modules/p/lib/y.js": "", ".git/config": "" });
  symlinkSync(outside.root, join(place.root, "node_modules/linked"));
  const named = [
    "node_modules/p",
    "node_modules/linked/x.js",
    "node_modules/none",
    ".git/config",
    "sub/.GIT/hooks",
  ];
  const { entries } = await scanTree(place.root, { ...many, named });
  expect([...entries.keys()].toSorted()).toEqual([
    ".git",
    "node_modules",
    "node_modules/p",
    "node_modules/p/lib",
    "node_modules/p/lib/y.js",
    "node_modules/p/x.js",
  ]);
});

test("over the limit the deepest directories are left out whole", async () => {
  using place = makePlace({
    "a.txt": "",
    "near/1": "",
    "near/2": "",
    "far/deep/1": "",
    "far/deep/2": "",
    "far/deep/3": "",
  });
  const { entries, unlooked, truncated } = await scanTree(place.root, { limit: 5, named: [] });
  expect([...entries.keys()].toSorted()).toEqual(["a.txt", "far", "far/deep", "near", "near/1", "near/2"]);
  expect([...unlooked]).toEqual([["far/deep", "full"]]);
  expect(truncated).toBe(true);
});

test("a second scan examines the entries of the first, however many are new", async () => {
  using place = makePlace({ "src/1": "", "src/2": "" });
  const before = await scanTree(place.root, { limit: 4, named: [] });
  bash(place.root, "cd src; rm 1; touch n1 n2 n3 n4 n5");
  const after = await scanTree(place.root, { limit: 4, named: [], before });
  expect([...after.entries.keys()]).toEqual(["src", "src/2"]);
  expect([...after.unlooked]).toEqual([["src", "full"]]);
});

test("an unscanned directory stays unscanned, under its old name or a new one", async () => {
  using place = makePlace({ "node_modules/p/x": "", "full/1": "", "full/2": "", "full/3": "" });
  const before = await scanTree(place.root, { limit: 2, named: [] });
  expect([...before.unlooked.keys()].toSorted()).toEqual(["full", "node_modules"]);
  rmSync(join(place.root, "full/1"));
  renameSync(join(place.root, "node_modules"), join(place.root, "backup"));
  const after = await scanTree(place.root, { limit: 2, named: [], before });
  expect(Object.fromEntries(after.unlooked)).toEqual({ full: "full", backup: "closed" });
});

test("a new directory is not taken for a removed one, even if it reuses the inode", async () => {
  using place = makePlace({ "node_modules/p/x": "" });
  changeLater(join(place.root, "node_modules"));
  const before = await scanTree(place.root, many);
  rmSync(join(place.root, "node_modules"), { recursive: true });
  for (let at = 0; at < 50; at += 1) {
    mkdirSync(join(place.root, `new${at}`));
    writeFileSync(join(place.root, `new${at}`, "in"), "");
  }
  const after = await scanTree(place.root, { ...many, before });
  expect(after.unlooked.size).toBe(0);
});

test("too many directories truncate a scan like too many files", async () => {
  using place = makePlace();
  bash(place.root, "mkdir -p d{1..4}/e{1..3}");
  const { entries, truncated } = await scanTree(place.root, { limit: 5, named: [] });
  expect(entries.size).toBe(4 + 12);
  expect(truncated).toBe(true);
});

test("a path longer than the system allows is left out", async () => {
  using place = makePlace();
  bash(
    place.root,
    `for i in $(seq 25); do mkdir ${"d".repeat(200)} && cd ${"d".repeat(200)}; done; touch end`,
  );
  const { unlooked, entries } = await scanTree(place.root, many);
  expect(entries.size).toBeLessThan(25);
  expect([...unlooked.values()]).toEqual([]);
  bash(place.root, "rm -rf d*");
});

test("an aborted scan rejects with the abort's reason", async () => {
  using place = makePlace();
  write(place.root, { "a/b": "" });
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(scanTree(place.root, { ...many, signal })).rejects.toThrow("stop");
});

/** File-system clocks advance in steps: only after a step does a change differ from the creation time. */
function changeLater(path: string): void {
  const { birthtimeNs } = statSync(path, { bigint: true });
  while (statSync(path, { bigint: true }).ctimeNs === birthtimeNs) chmodSync(path, 0o755);
}
