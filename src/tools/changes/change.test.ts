import { expect, test } from "vitest";
import { type Change, fileImage, type Image } from "../../base/safe-fs/image.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import { describeChanges, hashOf } from "./change.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (text: string | null, mode?: number): Image | null =>
  text === null ? null : fileImage(bytes(text), mode);
const change = (path: string, before: string | null, after: string | null): Change => ({
  path,
  before: file(before),
  after: file(after),
});

async function describeChange(one: Change): Promise<ChangedFile | undefined> {
  return (await describeChanges([one]))[0];
}

test("a hash is that of the content's bytes, and null where there is no file", () => {
  expect(hashOf(bytes("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hashOf(null)).toBeNull();
});

test("a change is described by its hashes and the number of lines added and removed", async () => {
  expect(await describeChange(change("x", "a\nb\nc\n", "a\nB\nc\nd\n"))).toEqual({
    path: "x",
    before: hashOf(bytes("a\nb\nc\n")),
    after: hashOf(bytes("a\nB\nc\nd\n")),
    added: 2,
    removed: 1,
  });
  const counts = async (before: string | null, after: string | null): Promise<unknown> => {
    const { added, removed } = (await describeChange(change("x", before, after))) ?? {};
    return [added, removed];
  };
  expect(await counts(null, "a\nb")).toEqual([2, 0]);
  expect(await counts("a\nb\n", null)).toEqual([0, 2]);
  expect(await counts("a\n", "a")).toEqual([1, 1]);
  expect(await counts("a\r\n", "a\n")).toEqual([1, 1]);
  expect(await counts("a\n", "\uFEFFa\n")).toEqual([1, 1]);
  expect(await counts("\0", "\0\0")).toEqual([0, 0]);
});

test("modes, symlinks and directories are described unless a plain file keeps its mode", async () => {
  const told = async (before: Image | null, after: Image | null): Promise<unknown> => {
    const { was, is } = (await describeChange({ path: "x", before, after })) ?? {};
    return { ...(was ? { was } : {}), ...(is ? { is } : {}) };
  };
  expect(await told(file("a", 0o644), file("b"))).toEqual({});
  expect(await told(file("a", 0o644), file("b", 0o644))).toEqual({});
  expect(await told(null, file("b"))).toEqual({});
  expect(await told(file("a", 0o644), file("a", 0o755))).toEqual({
    was: { kind: "file", mode: 0o644 },
    is: { kind: "file", mode: 0o755 },
  });
  expect(await told(file("a", 0o600), null)).toEqual({ was: { kind: "file", mode: 0o600 } });
  expect(await told(null, file("b", 0o755))).toEqual({ is: { kind: "file", mode: 0o755 } });
  expect(await told(file("a", 0o600), { kind: "link", target: "b" })).toEqual({
    was: { kind: "file", mode: 0o600 },
    is: { kind: "link" },
  });
  expect(await told(null, { kind: "directory", mode: 0o755 })).toEqual({
    is: { kind: "directory", mode: 0o755 },
  });
});

const lines = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}\n`).join("");

test("in files without a common line all lines count as changed", async () => {
  const large = change("x", lines("a", 30_000), lines("b", 30_000));
  expect(await describeChange(large)).toMatchObject({ added: 30_000, removed: 30_000 });
});

test("lines are still counted in files too large for a side-by-side diff", async () => {
  const filler = lines("same ".repeat(200), 5_000);
  const many = [0, 1, 2].map((at) => change(`f${at}`, `${filler}old\n`, `${filler}new\nnewer\n`));
  const counts = (await describeChanges(many)).map(({ added, removed }) => [added, removed]);
  expect(counts).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
  ]);
});
