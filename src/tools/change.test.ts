import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { type Change, commitChanges, describeChange, diffOf, hashOf } from "./change.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const change = (path: string, before: string | null, after: string | null): Change => ({
  path,
  before: before === null ? null : bytes(before),
  after: after === null ? null : bytes(after),
});

let workspace: TemporaryWorkspace;
beforeEach(
  async () =>
    void (workspace = await temporaryWorkspace({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" })),
);
afterEach(() => workspace.remove());

async function contents(): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of await workspace.files()) all[path] = await workspace.read(path);
  return all;
}
const unchanged = { "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" };

test("hashes are those of the content's bytes, and null where there is no file", () => {
  expect(hashOf(bytes("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hashOf(null)).toBeNull();
});

test("a change is described by its hashes and its lines added and removed", () => {
  expect(describeChange(change("x", "a\nb\nc\n", "a\nB\nc\nd\n"))).toEqual({
    path: "x",
    before: hashOf(bytes("a\nb\nc\n")),
    after: hashOf(bytes("a\nB\nc\nd\n")),
    added: 2,
    removed: 1,
  });
  const counts = (before: string | null, after: string | null): unknown => {
    const { added, removed } = describeChange(change("x", before, after));
    return [added, removed];
  };
  expect(counts(null, "a\nb")).toEqual([2, 0]);
  expect(counts("a\nb\n", null)).toEqual([0, 2]);
  expect(counts("a\n", "a")).toEqual([1, 1]);
  expect(counts("a\r\n", "a\n")).toEqual([1, 1]);
  expect(counts("a\n", "\uFEFFa\n")).toEqual([1, 1]);
  expect(counts("\0", "\0\0")).toEqual([0, 0]);
});

test("a diff shows creation, change, deletion and binary files", () => {
  const changes = [
    change("new.txt", null, "n\n"),
    change("a b.txt", "1\n2\n3\n", "1\n2!\n3\n"),
    change("gone.txt", "g", null),
    change("x.bin", "\0", "\0\0"),
  ];
  expect(diffOf(changes)).toBe(
    [
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+n\n",
      "--- a/a b.txt\n+++ b/a b.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+2!\n 3\n",
      "--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-g\n\\ No newline at end of file\n",
      "Binary files a/x.bin (1 bytes) and b/x.bin (2 bytes) differ\n",
    ].join("\n"),
  );
});

const lines = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}\n`).join("");

test("a diff is cut at whole lines, and files that differ everywhere are still shown", () => {
  const diff = diffOf([change("x", null, lines("l", 1000))], 1000);
  expect(diff.length).toBeLessThan(1100);
  expect(diff).toMatch(/\+l\d+\n\[the diff goes on for \d+ more lines\]\n$/);
  const large = change("x", lines("a", 30_000), lines("b", 30_000));
  expect(describeChange(large)).toMatchObject({ added: 30_000, removed: 30_000 });
  expect(diffOf([large])).toContain("--- a/x\n+++ b/x\n");
});

test("all changes are written: created with their directories, changed, deleted", async () => {
  const changes = [
    change("deep/new.txt", null, "n"),
    change("a.txt", "one\n", "ONE\n"),
    change("b.txt", "two\n", null),
  ];
  expect(await commitChanges(workspace.root, changes)).toEqual({ ok: true, value: undefined });
  expect(await contents()).toEqual({ "a.txt": "ONE\n", "c.txt": "three\n", "deep/new.txt": "n" });
});

test("if any file is not as planned, nothing is written", async () => {
  const stale: Change[] = [
    change("b.txt", "other\n", "x"),
    change("b.txt", "two\ntwo\n", "x"),
    change("b.txt", "tw", "x"),
    change("b.txt", null, "x"),
    change("b.txt", "other\n", null),
    change("none.txt", "was here", "x"),
    change("none.txt", "was here", null),
  ];
  for (const one of stale) {
    const problem = `${one.path} has changed since this was planned; nothing was written. Read it again and repeat the change.`;
    expect(await commitChanges(workspace.root, [change("a.txt", "one\n", "x"), one])).toEqual({
      ok: false,
      problem,
    });
    expect(await contents()).toEqual(unchanged);
  }
});

test("a change made while the last question is asked is noticed, and what was written is put back", async () => {
  const changes = [
    change("a.txt", "one\n", "ONE"),
    change("new.txt", null, "n"),
    change("b.txt", "two\n", "TWO"),
  ];
  const stillCurrent = async (): Promise<boolean> => {
    await writeFile(join(workspace.root, "b.txt"), "someone else's\n");
    return true;
  };
  const committed = await commitChanges(workspace.root, changes, { stillCurrent });
  expect(committed).toMatchObject({ ok: false, problem: expect.stringContaining("put back as they were") });
  expect(await contents()).toEqual({ ...unchanged, "b.txt": "someone else's\n" });
});

test("what is not current any more is not written", async () => {
  expect(
    await commitChanges(workspace.root, [change("a.txt", "one\n", "x")], { stillCurrent: () => false }),
  ).toEqual({
    ok: false,
    problem: "It was stopped before anything was written.",
  });
  expect(await contents()).toEqual(unchanged);
});

test("when one file of several cannot be written, all are as before, whichever it is", async () => {
  const names = ["a.txt", "b.txt", "c.txt"] as const;
  for (const name of names) {
    await chmod(join(workspace.root, name), 0o444);
    const changes = [
      change("new.txt", null, "n"),
      ...names.map((path) => change(path, unchanged[path], "x")),
    ];
    const committed = await commitChanges(workspace.root, changes);
    expect(committed).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^Cannot write [abc]\.txt: .*put back/),
    });
    expect(await contents()).toEqual(unchanged);
    await chmod(join(workspace.root, name), 0o644);
  }
});

test("a link planted since the plan is not written through", async () => {
  await mkdir(join(workspace.root, "d"));
  await rm(join(workspace.root, "a.txt"));
  await symlink("b.txt", join(workspace.root, "a.txt"));
  expect(await commitChanges(workspace.root, [change("a.txt", "two\n", "x")])).toMatchObject({ ok: false });
  await rm(join(workspace.root, "d"), { recursive: true });
  await symlink("/tmp", join(workspace.root, "d"));
  expect(await commitChanges(workspace.root, [change("d/x", null, "x")])).toMatchObject({ ok: false });
  expect(await commitChanges(workspace.root, [change("../x", null, "x")])).toMatchObject({ ok: false });
  expect(await workspace.read("b.txt")).toBe("two\n");
});

test("one file twice in one call is refused", async () => {
  const twice = [change("a.txt", "one\n", "x"), change("a.txt", "x", "y")];
  expect(await commitChanges(workspace.root, twice)).toMatchObject({ ok: false });
  expect(await contents()).toEqual(unchanged);
});
