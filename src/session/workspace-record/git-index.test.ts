import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { indexReader } from "./git-index.ts";

const entry = (path: string, { mode = "100644", id = "a".repeat(40), stage = 0 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from(`${mode} ${id} ${stage}\t`),
    Buffer.from(path),
    Buffer.from("\0  ctime: 1600000001:5\n  mtime: 1600000000:0\n  dev: 65024\tino: 77\n"),
    Buffer.from("  uid: 0\tgid: 0\n  size: 12\tflags: 0\n"),
  ]);

function read(bytes: Buffer, cuts: readonly number[] = []) {
  const reader = indexReader();
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    reader.push(bytes.subarray(from, Math.max(from, cut)));
    from = Math.max(from, cut);
  }
  return reader.end();
}

test("an entry has the file's size, inode and times, to the nanosecond", () => {
  expect(read(entry("src/a.ts"))).toEqual([
    {
      path: "src/a.ts",
      kind: "file",
      id: "a".repeat(40),
      size: 12,
      inode: 77,
      changed: 1_600_000_001_000_000_005n,
      modified: 1_600_000_000_000_000_000n,
    },
  ]);
});

test("symlinks are recognized; submodules and conflicts are left out", () => {
  const bytes = Buffer.concat([
    entry("link", { mode: "120000" }),
    entry("sub", { mode: "160000" }),
    entry("conflict", { stage: 2 }),
    entry("run.sh", { mode: "100755", id: "b".repeat(64) }),
  ]);
  expect(read(bytes)?.map(({ path, kind }) => [path, kind])).toEqual([
    ["link", "link"],
    ["run.sh", "file"],
  ]);
});

test("any file names are read, however the bytes are chunked", () => {
  const name = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
    .filter((text) => !text.includes("\0") && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), fc.array(fc.nat(800), { maxLength: 5 }), (names, cuts) => {
      const bytes = Buffer.concat(names.map((each) => entry(each)));
      const inOrder = cuts.toSorted((a, b) => a - b).filter((cut) => cut < bytes.length);
      expect(read(bytes, inOrder)?.map(({ path }) => path)).toEqual(names);
    }),
  );
});

test("output in any other format is rejected as a whole", () => {
  const whole = entry("a.ts");
  expect(read(Buffer.concat([whole, Buffer.from("  more: 1\n")]))).toBeUndefined();
  expect(read(whole.subarray(0, -3))).toBeUndefined();
  expect(read(Buffer.from("fatal: not a git repository"))).toBeUndefined();
  expect(read(Buffer.alloc(0))).toEqual([]);
});
