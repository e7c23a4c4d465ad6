import { expect, test } from "vitest";
import { type Change, fileImage } from "../../base/safe-fs/image.ts";
import { diffOf } from "./diff.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const change = (path: string, before: string | null, after: string | null): Change => ({
  path,
  before: before === null ? null : fileImage(bytes(before)),
  after: after === null ? null : fileImage(bytes(after)),
});

test("a diff shows creation, change, deletion and binary files", async () => {
  const changes = [
    change("new.txt", null, "n\n"),
    change("a b.txt", "1\n2\n3\n", "1\n2!\n3\n"),
    change("gone.txt", "g", null),
    change("x.bin", "\0", "\0\0"),
  ];
  expect(await diffOf(changes)).toBe(
    [
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+n\n",
      "--- a/a b.txt\n+++ b/a b.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+2!\n 3\n",
      "--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-g\n\\ No newline at end of file\n",
      "Binary files a/x.bin (1 bytes) and b/x.bin (2 bytes) differ\n",
    ].join("\n"),
  );
});

test("a diff shows mode changes, new symlinks and otherwise invisible directories", async () => {
  const file = fileImage(bytes("x\n"), 0o644);
  const changes: Change[] = [
    { path: "run.sh", before: file, after: fileImage(bytes("x\n"), 0o755) },
    { path: "linked", before: null, after: { kind: "link", target: "run.sh" } },
    { path: "d", before: null, after: { kind: "directory" } },
    { path: "full", before: null, after: { kind: "directory" } },
    { path: "full/x", before: null, after: file },
    { path: "shut", before: { kind: "directory", mode: 0o755 }, after: { kind: "directory", mode: 0o2700 } },
    { path: "was", before: file, after: { kind: "directory" } },
    { path: "old", before: { kind: "directory" }, after: file },
    { path: "lent", before: file, after: fileImage(bytes("x\n"), 0o4755) },
  ];
  expect(await diffOf(changes)).toBe(
    [
      "old mode 100644\nnew mode 100755 (run.sh)\n",
      "new link linked\n--- /dev/null\n+++ b/linked\n@@ -0,0 +1,1 @@\n+run.sh\n\\ No newline at end of file\n",
      "new directory d\n",
      "--- /dev/null\n+++ b/full/x\n@@ -0,0 +1,1 @@\n+x\n",
      "old mode 40755\nnew mode 42700 (shut)\n",
      "--- a/was\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\nnew directory was\n",
      "deleted directory old\n--- /dev/null\n+++ b/old\n@@ -0,0 +1,1 @@\n+x\n",
      "old mode 100644\nnew mode 104755 (lent)\n",
    ].join("\n"),
  );
});

const lines = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}\n`).join("");

test("a diff is cut at whole lines, omitted files are counted, and entirely different files still appear", async () => {
  const one = change("x", null, lines("l", 1000));
  const diff = await diffOf([one], 1000);
  expect(diff.length).toBeLessThan(1100);
  expect(diff).toMatch(/\+l\d+\n\[the diff goes on for \d+ more lines\]\n$/);
  expect(await diffOf([one, one, one], 1000)).toMatch(/more lines\]\n\[and 2 more files\]\n$/);
  expect(await diffOf([change("x", lines("a", 30_000), lines("b", 30_000))])).toContain("--- a/x\n+++ b/x\n");
});
