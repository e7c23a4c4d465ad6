import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  bash,
  commitAll,
  git,
  inShort,
  lookAll,
  makeOld,
  makePlace,
  record,
  takeBack,
  throughCommand,
  write,
} from "./testing/record.ts";

/** Only named files are read beforehand: everything else must be restored from git. */
const onlyGit = { caps: { otherBytes: 0, otherFiles: 0 } };

test("sed -i on a committed file is undone from git's objects, without a copy (A40)", async () => {
  using place = makePlace({ "src/a.ts": "one\n", "src/b.ts": "two\n" });
  commitAll(place.root);
  const done = await throughCommand(place, "sed -i s/one/ONE/ src/a.ts", onlyGit);
  expect(inShort(done.changes)).toEqual(["modified src/a.ts"]);
  expect(done.after["src/a.ts"]?.content).toBe("ONE\n");
  expect(done.restored).toEqual(done.before);
  expect(done).toMatchObject({ uncovered: [], truncated: false, gaps: [".git"] });
});

test("without git, small files are read beforehand, and sed -i is undone", async () => {
  using place = makePlace({ "src/a.ts": "one\n", "notes.txt": "n" });
  const done = await throughCommand(
    place,
    "sed -i s/one/ONE/ src/a.ts && rm notes.txt && mkdir new && touch new/x",
  );
  expect(inShort(done.changes)).toEqual([
    "created new",
    "created new/x",
    "deleted notes.txt",
    "modified src/a.ts",
  ]);
  expect(done.restored).toEqual(done.before);
  expect(done).toMatchObject({ uncovered: [], gaps: [] });
});

test("rm -rf of a tree is undone with its files, links, empty directories and modes", async () => {
  using place = makePlace({ "src/deep/er/a.ts": "a", "src/run.sh": "#!/bin/sh\n", "keep.txt": "k" });
  mkdirSync(join(place.root, "src/empty"), { mode: 0o700 });
  symlinkSync("deep/er/a.ts", join(place.root, "src/link"));
  symlinkSync("nowhere", join(place.root, "src/broken"));
  chmodSync(join(place.root, "src/run.sh"), 0o755);
  commitAll(place.root);
  write(place.root, { "src/draft.ts": "not committed" });
  const done = await throughCommand(place, "rm -rf src");
  expect(done.after).toEqual({ "keep.txt": done.before["keep.txt"] });
  expect(done.restored).toEqual(done.before);
  expect(done.uncovered).toEqual([]);
});

test("a formatter run over 500 files is undone, and only its changes are reported", async () => {
  const files = Array.from({ length: 500 }, (_, at) => [`src/d${at % 9}/f${at}.ts`, `const a = ${at}\n`]);
  using place = makePlace(Object.fromEntries(files));
  commitAll(place.root);
  const done = await throughCommand(place, "find src -name '*.ts' | xargs sed -i 's/$/;/'", onlyGit);
  expect(done.changes).toHaveLength(500);
  expect(done.restored).toEqual(done.before);
});

test("git checkout of a file is undone, which restores the work in progress", async () => {
  using place = makePlace({ "a.ts": "committed\n", "b.ts": "b\n" });
  commitAll(place.root);
  write(place.root, { "a.ts": "hours of work\n" });
  const done = await throughCommand(place, "git checkout -q -- a.ts");
  expect(done.after["a.ts"]?.content).toBe("committed\n");
  expect(done.restored["a.ts"]?.content).toBe("hours of work\n");
  expect(inShort(done.changes)).toEqual(["modified a.ts"]);
});

test("git checkout of a branch is undone file by file", async () => {
  using place = makePlace({ "a.ts": "main\n", "only-main.ts": "m\n", "same.ts": "s\n" });
  commitAll(place.root);
  git(place.root, "checkout", "--quiet", "-b", "other");
  rmSync(join(place.root, "only-main.ts"));
  write(place.root, { "a.ts": "other\n", "new/only-other.ts": "o\n" });
  commitAll(place.root);
  git(place.root, "checkout", "--quiet", "main");
  makeOld(place.root);
  git(place.root, "status", "--short");
  const done = await throughCommand(place, "git checkout -q other", onlyGit);
  expect(inShort(done.changes)).toEqual([
    "modified a.ts",
    "created new",
    "created new/only-other.ts",
    "deleted only-main.ts",
  ]);
  expect(done.restored).toEqual(done.before);
});

test("a workspace inside a larger repository is covered by that repository", async () => {
  using place = makePlace({ "other/b.ts": "b\n" });
  using part = makePlace();
  write(part.root, { "packages/one/src/a.ts": "a\n", "packages/two/x.ts": "x\n" });
  commitAll(part.root);
  const { openTree } = await import("../../base/safe-fs/open-tree.ts");
  const opened = openTree(join(part.root, "packages/one"));
  if (!opened.ok) throw new Error(opened.problem);
  using inner = { root: opened.value.root, tree: opened.value, [Symbol.dispose]: () => opened.value.close() };
  const done = await throughCommand(inner, "echo more >> src/a.ts", onlyGit);
  expect(done.restored).toEqual(done.before);
  expect(inShort(done.changes)).toEqual(["modified src/a.ts"]);
  expect(lookAll(place.root)["other/b.ts"]?.content).toBe("b\n");
});

test("files of nested repositories and submodules are restored from their own git", async () => {
  using library = makePlace({ "lib.ts": "library\n" });
  commitAll(library.root);
  using place = makePlace({ "a.ts": "a\n", ".gitignore": "nested\n" });
  git(place.root, "init", "--quiet");
  git(place.root, "submodule", "--quiet", "add", library.root, "sub");
  makeOld(place.root);
  git(place.root, "add", "a.ts");
  git(place.root, "commit", "--quiet", "--message=all");
  git(join(place.root, "sub"), "status", "--short");
  write(place.root, { "nested/n.ts": "nested\n" });
  commitAll(join(place.root, "nested"));
  const done = await throughCommand(
    place,
    "echo x >> nested/n.ts; echo y >> sub/lib.ts; echo z >> a.ts",
    onlyGit,
  );
  expect(inShort(done.changes)).toEqual(["modified a.ts", "modified nested/n.ts", "modified sub/lib.ts"]);
  expect(done.restored).toEqual(done.before);
  expect(done.gaps).toContain("nested/.git");
});

test("a nested repository named by the command is read, since its objects are deleted with it", async () => {
  using place = makePlace({ "vendor/lib/a.ts": "a\n", "b.ts": "b\n" });
  commitAll(join(place.root, "vendor/lib"));
  const done = await throughCommand(place, "rm -rf vendor", { ...onlyGit, named: ["vendor/"] });
  expect(done.restored).toEqual({ ...done.before });
  expect(done.uncovered).toEqual(["vendor/lib/.git"]);
});

test("if git's objects are deleted unexpectedly, the loss is reported", async () => {
  using place = makePlace({ "a.ts": "a\n", "b.ts": "b\n" });
  commitAll(place.root);
  const done = await throughCommand(place, "rm -rf .git a.ts", onlyGit);
  expect(done.changes).toEqual([]);
  expect(done.uncovered).toEqual([".git", "a.ts"]);
});

test("changed modes, changed kinds and renames are distinguished", async () => {
  using place = makePlace({ "run.sh": "r", "file-to-dir": "f", "dir-to-link/x": "x", "old/name.ts": "n" });
  symlinkSync("run.sh", join(place.root, "link-to-file"));
  const done = await throughCommand(
    place,
    `chmod 755 run.sh; chmod 700 old
     rm file-to-dir && mkdir file-to-dir && touch file-to-dir/in
     rm -r dir-to-link && ln -s run.sh dir-to-link
     rm link-to-file && echo f > link-to-file
     mv old/name.ts old/new-name.ts`,
  );
  expect(inShort(done.changes)).toEqual([
    "directory to link dir-to-link",
    "deleted dir-to-link/x",
    "file to directory file-to-dir",
    "created file-to-dir/in",
    "link to file link-to-file",
    "modified old",
    "deleted old/name.ts",
    "created old/new-name.ts",
    "modified run.sh",
  ]);
  expect(done.restored).toEqual(done.before);
});

test("a file only touched, or rewritten unchanged, is not reported", async () => {
  using place = makePlace({ "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n" });
  commitAll(place.root);
  const done = await throughCommand(
    place,
    "touch a.ts; cp b.ts t; mv t b.ts; chmod 600 c.ts; chmod 644 c.ts",
  );
  expect(done).toMatchObject({ changes: [], uncovered: [] });
});

test("a change of the same size with its time set back is detected", async () => {
  using place = makePlace({ "a.txt": "one" });
  const done = await throughCommand(
    place,
    "printf two > a.txt; touch -d @1600000000 a.txt; touch -r a.txt a.txt",
  );
  expect(inShort(done.changes)).toEqual(["modified a.txt"]);
});

test("a file rewritten in the same size right after the record is detected every time", async () => {
  using place = makePlace({ "a.txt": "0" });
  for (let at = 1; at <= 9; at += 1) {
    writeFileSync(join(place.root, "a.txt"), `${at % 10}`);
    const recorded = await record(place);
    writeFileSync(join(place.root, "a.txt"), `${(at + 5) % 10}`);
    expect(inShort((await recorded.changes()).changes)).toEqual(["modified a.txt"]);
  }
});

test("a large file that is only renamed is restored without a copy", async () => {
  using place = makePlace({ "data/big.bin": "x".repeat(5000) });
  const done = await throughCommand(place, "mv data/big.bin renamed.bin && mv data elsewhere", {
    caps: { otherBytes: 10 },
  });
  expect(done.restored).toEqual(done.before);
  expect(done.uncovered).toEqual([]);
});

test("a large file of which there is no copy, written in the same size and its time put back, is told", async () => {
  using place = makePlace({ "data/big.bin": "x".repeat(5000) });
  const done = await throughCommand(
    place,
    "cp -p data/big.bin t; head -c 5000 /dev/zero | tr '\\0' y 1<>data/big.bin; touch -r t data/big.bin; rm t",
    { caps: { otherBytes: 10 } },
  );
  expect(done).toMatchObject({ changes: [], uncovered: ["data/big.bin"] });
});

test("a large file whose mode alone changes is restored without a copy", async () => {
  using place = makePlace({ "data/big.bin": "x".repeat(5000) });
  const done = await throughCommand(place, "chmod 600 data/big.bin", { caps: { otherBytes: 10 } });
  expect(done.restored).toEqual(done.before);
  expect(done.uncovered).toEqual([]);
});

test("files with hostile names are restored; names that are not UTF-8 are reported", async () => {
  using place = makePlace({
    "new\nline": "1",
    " space ": "2",
    "-rf": "3",
    "back\\slash": "4",
    "tab\tand\u0001control": "5",
    "zażółć\u202E/\u200Bx": "6",
    "\uFFFD": "7",
    constructor: "8",
    "__proto__/toString": "9",
    "*": "10",
  });
  commitAll(place.root);
  bash(place.root, String.raw`printf x > $'\xff\xfe'; mkdir $'dir\xff'; touch $'dir\xff/in'`);
  const recorded = await record(place, onlyGit);
  const before = lookAll(place.root);
  bash(place.root, String.raw`rm -rf -- *[!x]* ./-rf; printf y > $'\xff\xfe'; echo n > ./--new`);
  const { changes, uncovered } = await recorded.changes();
  await takeBack(place, changes);
  const odd = (path: string): boolean => path.includes("\uFFFD") && path !== "\uFFFD";
  const plain = (all: Record<string, unknown>) => Object.entries(all).filter(([path]) => !odd(path));
  expect(plain(lookAll(place.root))).toEqual(plain(before));
  expect(uncovered).toEqual([String.raw`\xff\xfe`, String.raw`dir\xff`]);
});

test("an abort stops the record, but not the comparison after an interrupted command", async () => {
  using place = makePlace({ "a.txt": "a" });
  const aborted = AbortSignal.abort(new Error("interrupted"));
  await expect(record(place, { signal: aborted })).rejects.toThrow("interrupted");
  const controller = new AbortController();
  const recorded = await record(place, { signal: controller.signal });
  renameSync(join(place.root, "a.txt"), join(place.root, "b.txt"));
  controller.abort();
  expect(inShort((await recorded.changes()).changes)).toEqual(["deleted a.txt", "created b.txt"]);
});

test("a workspace deleted by the command is reported as uncovered, with no changes", async () => {
  using place = makePlace({ "a.txt": "a" });
  const recorded = await record(place);
  rmSync(place.root, { recursive: true });
  const { changes, uncovered } = await recorded.changes();
  mkdirSync(place.root);
  expect({ changes, uncovered }).toEqual({ changes: [], uncovered: ["."] });
});
