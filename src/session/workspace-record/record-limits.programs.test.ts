import { rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  bash,
  commitAll,
  inShort,
  lookAll,
  makePlace,
  record,
  takeBack,
  throughCommand,
  write,
} from "./testing/record.ts";

/** Only named files are read beforehand: everything else must be restored from git. */
const onlyGit = { caps: { otherBytes: 0, otherFiles: 0 } };

test("files matched by a named pattern are read like files named literally", async () => {
  using place = makePlace({ "a.csv": "a".repeat(30), "b.csv": "b".repeat(30), "c.txt": "c".repeat(30) });
  const done = await throughCommand(place, "sed -i s/./x/ *", { caps: { otherBytes: 10 }, named: ["*.csv"] });
  expect(inShort(done.changes)).toEqual(["modified a.csv", "modified b.csv"]);
  expect(done.uncovered).toEqual(["c.txt"]);
});

test("named files are read up to their own, larger limits", async () => {
  const big = "x".repeat(3000);
  using place = makePlace({ "data/a.bin": big, "data/b.bin": big, "other.bin": big });
  const caps = { otherBytes: 1000, namedBytes: 10_000 };
  const done = await throughCommand(place, "rm -r data other.bin", { caps, named: ["./data"] });
  expect(inShort(done.changes)).toEqual(["deleted data", "deleted data/a.bin", "deleted data/b.bin"]);
  expect(done.uncovered).toEqual(["other.bin"]);
  expect(done.gaps).toEqual(["1 file over 1000 bytes (other.bin)"]);
});

test("a named file in node_modules is covered, and the rest of node_modules is reported as uncovered", async () => {
  using place = makePlace({ "node_modules/p/index.js": "old\n", "node_modules/q/index.js": "q\n" });
  const done = await throughCommand(place, "echo new > node_modules/p/index.js; touch node_modules/added", {
    named: ["node_modules/p/index.js"],
  });
  expect(inShort(done.changes)).toEqual(["modified node_modules/p/index.js"]);
  expect(done.restored["node_modules/p/index.js"]?.content).toBe("old\n");
  expect(done).toMatchObject({ uncovered: ["node_modules"], gaps: ["node_modules"] });
});

test("work in progress is read before ignored files, the newest first", async () => {
  using place = makePlace({ ".gitignore": "dist\n", "tracked.ts": "old\n" });
  commitAll(place.root);
  write(place.root, {
    "tracked.ts": "12345678",
    "draft.ts": "12345678",
    "older.ts": "12345678",
    "dist/out.js": "12345678",
  });
  utimesSync(join(place.root, "tracked.ts"), 1_500_000_000, 1_500_000_000);
  utimesSync(join(place.root, "older.ts"), 1_500_000_000, 1_500_000_000);
  const done = await throughCommand(place, "rm tracked.ts draft.ts older.ts dist/out.js", {
    caps: { otherBytes: 16 },
  });
  expect(inShort(done.changes)).toEqual(["deleted draft.ts", "deleted tracked.ts"]);
  expect(done.uncovered).toEqual(["dist/out.js", "older.ts"]);
  expect(done.gaps).toEqual(["2 files more than fit in 16 bytes (dist/out.js, older.ts)", ".git"]);
});

test("a directory that was not scanned stays where the command moved it", async () => {
  using place = makePlace({
    "node_modules/p/index.js": "p\n",
    "data/1": "",
    "data/2": "",
    "data/3": "",
    "data/4": "",
  });
  const caps = { entries: 3 };
  const done = await throughCommand(place, "mv node_modules backup; mv data old-data; echo > new", { caps });
  expect(inShort(done.changes)).toEqual(["created new"]);
  expect(done.uncovered).toEqual(["backup", "data", "node_modules", "old-data"]);
  expect(done.restored).toEqual({ ...done.after, new: undefined });
  expect(done.truncated).toBe(true);
});

test("a file moved in from an unscanned directory is not taken for new", async () => {
  using place = makePlace({ "node_modules/keep.txt": "k" });
  const made = statSync(join(place.root, "node_modules/keep.txt")).birthtimeMs;
  const recorded = await withClock(Math.floor(made) + 10_000, () => record(place));
  bash(place.root, "mv node_modules/keep.txt . ; mkdir sub; mv keep.txt sub");
  const { uncovered } = await recorded.changes();
  expect(uncovered).toContain("sub/keep.txt");
});

async function withClock<T>(now: number, work: () => Promise<T>): Promise<T> {
  const real = Date.now;
  Date.now = () => now;
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

test("FIFOs neither hang nor throw, and changes to them are reported as uncovered", async () => {
  using place = makePlace({ "a.txt": "a", "b.txt": "b" });
  bash(place.root, "mkfifo pipe gone");
  const done = await throughCommand(
    place,
    "rm gone a.txt; mkfifo a.txt new; mkdir d; mkfifo d/p; echo x >> b.txt",
  );
  expect(inShort(done.changes)).toEqual(["modified b.txt"]);
  expect(done.uncovered).toEqual(["a.txt", "d/p", "gone", "new"]);
  expect(done.gaps).toEqual(["2 sockets, devices or odd names that cannot be kept (gone, pipe)"]);
});

test("a symlink is never followed, and its target is not covered", async () => {
  using outside = makePlace({ "secret.txt": "s" });
  using place = makePlace({ "a.txt": "a" });
  symlinkSync(outside.root, join(place.root, "out"));
  symlinkSync(".", join(place.root, "loop"));
  const done = await throughCommand(place, "echo changed > out/secret.txt; rm loop", {
    named: ["out/secret.txt", "../x", "/etc"],
  });
  expect(inShort(done.changes)).toEqual(["deleted loop"]);
  expect(done.restored).toEqual(done.before);
});

test("files too large to read are reported, before and after the command", async () => {
  using place = makePlace({ "small.txt": "s", "big.bin": "b", "huge.bin": "" });
  truncateSync(join(place.root, "huge.bin"), 50 * 2 ** 30);
  const recorded = await record(place);
  expect(recorded.gaps).toEqual(["1 file over 16 MiB (huge.bin)"]);
  bash(place.root, "rm huge.bin; truncate -s 50G new.bin; truncate -s 50G big.bin");
  const { changes, uncovered } = await recorded.changes();
  expect({ changes, uncovered }).toEqual({ changes: [], uncovered: ["big.bin", "huge.bin", "new.bin"] });
});

test("a directory beyond the file limit is reported as uncovered, and its files are never taken for new", async () => {
  using place = makePlace({ "a.txt": "a" });
  write(place.root, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/f${at}`, `${at}`])));
  const caps = { entries: 10 };
  const done = await throughCommand(place, "rm many/f1; rm a.txt; for i in $(seq 30); do echo > n$i; done", {
    caps,
  });
  expect(inShort(done.changes)).toEqual(["deleted a.txt"]);
  expect(done).toMatchObject({ uncovered: [".", "many"], truncated: true });
  expect(done.gaps).toEqual(["1 directory beyond the first 10 files (many)"]);
});

test("files read before one command are read again before the next only if they were modified", async () => {
  using place = makePlace({ "a.txt": "a", "b.txt": "b" });
  const read: string[] = [];
  const watched = {
    ...place,
    tree: {
      ...place.tree,
      image: (path: string, limit: { maxBytes: number }) => (read.push(path), place.tree.image(path, limit)),
    },
  };
  const remembered = new Map();
  await record(watched, { remembered });
  expect(read.splice(0)).toEqual(["a.txt", "b.txt"]);
  writeFileSync(join(place.root, "b.txt"), "somebody else's");
  const recorded = await record(watched, { remembered });
  expect(read).toEqual(["b.txt"]);
  bash(place.root, "rm *.txt");
  const { changes } = await recorded.changes();
  await takeBack(place, changes);
  expect(lookAll(place.root)).toMatchObject({
    "a.txt": { content: "a" },
    "b.txt": { content: "somebody else's" },
  });
});

test("a file that vanishes or changes while being read does not disturb the others", async () => {
  using place = makePlace({ "gone.txt": "g", "restless.txt": "r", "calm.txt": "c" });
  let turns = 0;
  const image = async (path: string, limit: { maxBytes: number }) => {
    const found = await place.tree.image(path, limit);
    if (path === "gone.txt") rmSync(join(place.root, path), { force: true });
    if (path === "restless.txt") writeFileSync(join(place.root, path), `${(turns += 1)}`.repeat(turns));
    return found;
  };
  const recorded = await record({ ...place, tree: { ...place.tree, image } });
  expect(recorded.gaps).toEqual(["1 file that cannot be read (restless.txt)"]);
  bash(place.root, "rm *.txt");
  const { changes, uncovered } = await recorded.changes();
  expect({ changes: inShort(changes), uncovered }).toEqual({
    changes: ["deleted calm.txt"],
    uncovered: ["restless.txt"],
  });
});

test("contents beyond the memory limit are read again, and refused if they have changed since", async () => {
  using place = makePlace({ "a.ts": "a".repeat(100), "b.ts": "b".repeat(100), "c.ts": "c".repeat(100) });
  commitAll(place.root);
  const recorded = await record(place, { caps: { ...onlyGit.caps, keptBytes: 150 } });
  bash(place.root, "sed -i s/./X/g a.ts b.ts; rm c.ts; echo new > d.ts");
  const { changes } = await recorded.changes();
  const texts = async () => {
    const all = changes.map(
      async ({ before }) =>
        before?.kind === "file" && Buffer.from(await before.content.read()).toString("utf8", 0, 1),
    );
    return Promise.all(all);
  };
  expect(await texts()).toEqual(["a", "b", "c", false]);
  const b = changes[1]?.after;
  expect(b?.kind === "file" && Buffer.from(await b.content.read()).toString("utf8", 0, 1)).toBe("X");
  writeFileSync(join(place.root, "b.ts"), "later");
  await expect(b?.kind === "file" && b.content.read()).rejects.toThrow(
    "b.ts is no longer as the command left it.",
  );
  rmSync(join(place.root, ".git"), { recursive: true });
  const a = changes[0]?.before;
  await expect(a?.kind === "file" && a.content.read()).rejects.toThrow("no longer in git's objects");
});
