import * as fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { processorMs } from "../../testing/processor-time.ts";
import { scale } from "../../testing/scale.ts";
import { globFilter } from "./glob.ts";

function matches(glob: string, path: string, start = "."): boolean {
  const filter = globFilter(glob, start);
  if (!filter.ok) throw new Error(filter.problem);
  return filter.value(path);
}

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "deep/in/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["*.ts", ".hidden.ts", true],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/b/a.ts", false],
  ["./src/*.ts", "src/a.ts", true],
  ["/src/*.ts", "src/a.ts", true],
  ["src/**", "src/b/a.ts", true],
  ["src/**", "src", true],
  ["src/**/a.ts", "src/a.ts", true],
  ["src/**/a.ts", "src/b/c/a.ts", true],
  ["**/b/**/*.ts", "a/b/c/d.ts", true],
  ["**/b/**/*.ts", "a/c/d.ts", false],
  ["*.{ts,js}", "a.js", true],
  ["*.{ts,js}", "a.rs", false],
  ["{src,test}/**/*.{a,b{c,d}}", "test/x/y.bd", true],
  ["v{1..3}", "v2", true],
  ["v{1..3}", "v4", false],
  ["a{}b", "a{}b", true],
  ["a{b", "a{b", true],
  ["[ab].ts", "b.ts", true],
  ["[!ab].ts", "b.ts", false],
  ["[^a-c].ts", "d.ts", true],
  ["[]].ts", "].ts", true],
  ["[a", "[a", true],
  ["a?c", "abc", true],
  ["a?c", "a😀c", true],
  ["a?c", "ac", false],
  ["a\\*c", "a*c", true],
  ["a\\*c", "abc", false],
  ["!*.ts", "a.ts", false],
  ["!*.ts", "a.js", true],
  ["app/(group)/[[]id].tsx", "app/(group)/[id].tsx", true],
  ["@(a|b).ts", "@(a|b).ts", true],
  ["a**b", "axxb", true],
  ["A.ts", "a.ts", false],
] as const)("the glob %j and the path %j: %j", (glob, path, is) => {
  expect(matches(glob, path)).toBe(is);
});

test("a glob is relative to the search directory or to the workspace", () => {
  expect(matches("*.ts", "src/deep/a.ts", "src")).toBe(true);
  expect(matches("deep/*.ts", "src/deep/a.ts", "src")).toBe(true);
  expect(matches("src/deep/*.ts", "src/deep/a.ts", "src")).toBe(true);
  expect(matches("src/*.ts", "src/deep/a.ts", "src")).toBe(false);
});

test("SAFETY 4, glob: no glob takes exponential time, whatever the file names", () => {
  const name = "a".repeat(255);
  const path = Array.from({ length: 100 }, () => name).join("/");
  const hostile = [
    `${"*a".repeat(400)}*b`,
    `${"*".repeat(900)}b`,
    `${"**/".repeat(300)}b`,
    `${"**/a*a*/".repeat(100)}b`,
    `${"[a-z]*".repeat(150)}b`,
    `${"{a,b}".repeat(8)}*b`,
    "{".repeat(1000),
    `${"{a,".repeat(200)}b`,
    "[".repeat(1000),
  ];
  const cost = processorMs(() => {
    for (const glob of hostile) expect(matches(glob, path), glob.slice(0, 20)).toBe(false);
  });
  expect(cost).toBeLessThan(5000);
});

test("a glob that is too long or expands to too many is refused in words", () => {
  const problem = (glob: string): string => {
    const filter = globFilter(glob, ".");
    return filter.ok ? "" : filter.problem;
  };
  expect(problem("a".repeat(1001))).toBe("The glob cannot be used: it is longer than 1000 characters.");
  expect(problem("{a,b}".repeat(9))).toBe("The glob cannot be used: it stands for more than 256 others.");
});

const piece = fc.constantFrom("a", "b", "ab", "*", "?", "**/", "/", ".", "[ab]", "[^a]", "{a,b}", "{a,/b}");

test("short globs of common syntax match as in picomatch", () => {
  const names = fc.stringMatching(/^[ab.]{1,4}(\/[ab.]{1,4}){0,3}$/);
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), names, (pieces, path) => {
      const glob = pieces.join("").replaceAll(/\/+/g, "/");
      // Adjacent stars, trailing slashes and lone dots are ambiguous.
      fc.pre(!/\*{2,}(?!\/)|[^/]\*\*|^\/|\/$|^\.\/|\.\.|(?:^|\/)\.(?:\/|$)/.test(glob));
      fc.pre(!/(?:^|\/)\.+(?:\/|$)/.test(path));
      // Unlike a shell, picomatch wants a character after the dot: "*.*" is not "b." to it.
      fc.pre(!(/\.\*/.test(glob) && /\.(?:\/|$)/.test(path)));
      const theirs = picomatch(glob.includes("/") ? glob : `**/${glob}`, { dot: true, noextglob: true });
      expect(matches(glob, path), `${glob} and ${path}`).toBe(theirs(path));
    }),
    { numRuns: 300 * scale },
  );
});
