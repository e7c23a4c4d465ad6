import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { around, rulesetFor } from "./grants.ts";

function tree(paths: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-grants-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  return root;
}

test("what has a hole somewhere below it is granted child by child, everything else as a whole", () => {
  const root = tree(["a.ts", ".git/config", "src/b.ts", "app/.env", "app/deep/c.ts", "app/deep/.vscode/x"]);
  symlinkSync(".git", join(root, "way"));
  const inside = (holes: readonly string[]) =>
    around(
      root,
      holes.map((hole) => join(root, hole)),
    )
      .map((path) => path.slice(root.length + 1))
      .toSorted();
  expect(inside([])).toEqual([""]);
  expect(inside([".git"])).toEqual(["a.ts", "app", "src"]);
  expect(inside([".git", "app/.env"])).toEqual(["a.ts", "app/deep", "src"]);
  expect(inside([".git", "app/deep/.vscode", "missing/x"])).toEqual([
    "a.ts",
    "app/.env",
    "app/deep/c.ts",
    "src",
  ]);
  expect(inside(["."])).toEqual([]);
});

test("each version of the interface is given what it knows: files, then TCP, then signals and abstract sockets", () => {
  const words = (version: number) => [...new BigUint64Array(rulesetFor(version).buffer)];
  expect(words(3)).toEqual([0x7fffn]);
  expect(words(4)).toEqual([0x7fffn, 3n]);
  expect(words(5)).toEqual([0xffffn, 3n]);
  expect(words(7)).toEqual([0xffffn, 3n, 3n]);
});
