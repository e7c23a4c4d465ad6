import fc from "fast-check";
import { expect, test } from "vitest";
import { pathsOutside } from "./container-paths.ts";
import { literal, unknown } from "./word.ts";

const mounts = [
  { source: literal("/home/dev/proj"), at: "/w", isReadOnly: false },
  { source: literal("/home/dev/.cache"), at: "/w/cache", isReadOnly: false },
  { source: literal("/etc"), at: "/host/etc", isReadOnly: true },
];

const outside = (
  path: string,
  more: { directory?: string; isDeep?: boolean; isRead?: boolean } = {},
): string[] =>
  pathsOutside(literal(path), {
    mounts,
    directory: more.directory,
    isDeep: more.isDeep ?? false,
    isRead: more.isRead ?? false,
  }).map(({ text }) => text);

test.each([
  ["/w", ["/home/dev/proj"]],
  ["/w/.git/hooks", ["/home/dev/proj/.git/hooks"]],
  ["/w/../w/./src", ["/home/dev/proj/src"]],
  ["/w/cache/x", ["/home/dev/.cache/x"]],
  ["/world", []],
  ["/usr/bin", []],
  ["", []],
  [unknown, []],
])("the container path %s is %j on the host", (path, expected) => expect(outside(path)).toEqual(expected));

test("a relative path is resolved against the container's working directory if that is known", () => {
  expect(outside("src", { directory: "/w" })).toEqual(["/home/dev/proj/src"]);
  expect(outside("src")).toEqual([]);
});

test("a path under a read-only mount maps to the host for reads only", () => {
  expect(outside("/host/etc/hosts")).toEqual([]);
  expect(outside("/host/etc/hosts", { isRead: true })).toEqual(["/etc/hosts"]);
});

test("a recursive access to a container tree includes the mounts below it", () => {
  expect(outside("/", { isDeep: true })).toEqual(["/home/dev/proj", "/home/dev/.cache"]);
  expect(outside("/*", { isDeep: true })).toEqual(["/home/dev/proj", "/home/dev/.cache"]);
  expect(outside("/w", { isDeep: true })).toEqual(["/home/dev/proj", "/home/dev/.cache"]);
  expect(outside("/usr", { isDeep: true })).toEqual([]);
});

test("no path outside the mounts maps to the host", () => {
  const name = fc.stringMatching(/^[a-z.]{1,8}$/u);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), (names) => {
      const path = `/own/${names.filter((one) => one !== "..").join("/")}`;
      expect(outside(path, { isDeep: true, isRead: true })).toEqual([]);
    }),
  );
});
