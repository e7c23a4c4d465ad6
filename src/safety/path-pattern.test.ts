import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { processorMs } from "../testing/processor-time.ts";
import { globMatcher, isUsableGlob, liesIn, mayMeet, relativeTo } from "./path-pattern.ts";

const meets = (path: string, glob: string, deep = false): boolean => mayMeet(path, glob, { deep });

test.each([
  ["secrets/key", "secrets/**"],
  ["secrets", "secrets/**"],
  ["SECRETS/key", "secrets/**"],
  ["sec*/key", "secrets/**"],
  ["*/key", "secrets/*"],
  ["…/key", "secrets/key"],
  ["…", "secrets/key"],
  ["src/**", "src/a/b.ts"],
  ["*.pem", "**/*.pem"],
  ["*", "**/*.pem"],
  ["a/.env*", "**/.env"],
  ["b/c", "{a,b}/c"],
  ["?/c", "{a,b}/c"],
])("the path %j may match %j", (path, glob) => expect(meets(path, glob)).toBe(true));

test.each([
  ["*.md", "secrets/**"],
  ["src/*.ts", "**/*.lock"],
  ["src/a", "src/a/b"],
  ["src", "secrets/**"],
  [".", "secrets/**"],
  ["a/b", "a"],
  ["…/key", "secrets/lock"],
  ["?/c", "{aa,bb}/c"],
])("the path %j cannot match %j", (path, glob) => expect(meets(path, glob)).toBe(false));

test("with deep, a directory matches if a path below it may match", () => {
  expect(meets(".", "secrets/**", true)).toBe(true);
  expect(meets("a", "a/b/*.key", true)).toBe(true);
  expect(meets("c", "a/b/*.key", true)).toBe(false);
});

test("a pattern in place of a name meets every glob that the name matches", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 4 });
  const names = fc.array(
    part.filter((name) => !/^\.+$/u.test(name)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(names, fc.nat(), fc.nat(), (path, one, other) => {
      const starred = (at: number, by: string): string =>
        path.map((name, index) => (index === at % path.length ? by : name)).join("/");
      const glob = starred(other, "*");
      expect(picomatch(glob, { dot: true })(path.join("/"))).toBe(true);
      expect(meets(starred(one, "*"), glob)).toBe(true);
      expect(meets(starred(one, `${path[one % path.length] ?? ""}*`), glob)).toBe(true);
    }),
  );
});

test("patterns with many stars are matched quickly", () => {
  const stars = Array.from({ length: 200 }, () => "**").join("/");
  expect(meets(`${stars}/a`, `${stars}/b`)).toBe(false);
});

test("paths are made relative to the workspace by whole path segments", () => {
  const seen = ["/w/a/b", "/w", "/w-evil/a", "/w/../x", "…/a", "/w/./a//b"].map((path) =>
    relativeTo("/w", path),
  );
  expect(seen).toEqual(["a/b", ".", "/w-evil/a", "/x", "…/a", "a/b"]);
  expect([liesIn("/", "/a"), liesIn("/w", "/w-evil"), liesIn("/w", "/w")]).toEqual([true, false, true]);
});

test("a rule's glob with many wildcards takes linear time, and one that cannot be used objects to everything", () => {
  const many = globMatcher("*a*a*a*a*a*a*a*a*a*az", { ignoresCase: true, unusable: true });
  expect(processorMs(() => expect(many("a".repeat(4000))).toBe(false))).toBeLessThan(1000);
  expect(mayMeet("a".repeat(4000), "*a*a*a*a*a*a*a*a*a*az", { deep: false })).toBe(false);
  for (const glob of ["!(a)", "+(a|b)", "{a,b}".repeat(9), "a".repeat(1001)]) {
    expect(isUsableGlob(glob), glob).toBe(false);
    expect(globMatcher(glob, { unusable: true })("x"), glob).toBe(true);
    expect(globMatcher(glob, { unusable: false })("x"), glob).toBe(false);
  }
  const keys = globMatcher("**/*.@(pem|key)", { unusable: false });
  expect([keys("a/b.pem"), keys("c.key"), keys("c.txt")]).toEqual([true, true, false]);
});
