import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filledDirectories } from "./filled-directories.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-filled-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "x");
}

const namesOf = (secrets: readonly string[]): string[] => secrets.map((path) => relative(root, path)).sort();

test("secrets are found by name at any depth, without following symlinks, and new ones are seen", async () => {
  const deep = `a/${"b/".repeat(30)}.env`;
  for (const path of [deep, "a/.env.example", "c/prod.env", "c/.env.d/x", "v/.env/pyvenv.cfg", "p/index.js"])
    put(path);
  symlinkSync("..", join(root, "a/loop"));
  const index = filledDirectories({ patience: 0 });
  const first = await index.look([root]);
  expect(namesOf(first.secrets)).toEqual([deep, "c/.env.d", "c/prod.env"]);
  expect(first.tell()).toEqual([]);
  put("p/.env.local");
  rmSync(join(root, "c"), { recursive: true });
  expect(namesOf((await index.look([root])).secrets)).toEqual([deep, "p/.env.local"]);
});

test("a look that does not get through says so once, with what it found, and one without directories does nothing", async () => {
  put("near/.env");
  put("far/away/.env");
  const none = filledDirectories({ mostMs: -1 });
  const look = await none.look([join(root, "near"), join(root, "far")]);
  expect(look.secrets).toEqual([]);
  expect(look.tell().map((line) => line.split(" ")[0])).toEqual([join(root, "near"), join(root, "far")]);
  expect(look.tell()).toEqual([]);
  const again = await none.look([join(root, "near"), join(root, "far")]);
  expect(again.tell()).toEqual([]);
  expect((await none.look([])).tell()).toEqual([]);
});

test("a look is not repeated for many times as long as it took, unless other directories are asked about", async () => {
  put("near/.env");
  const index = filledDirectories({ patience: Infinity });
  const first = await index.look([join(root, "near")]);
  put("near/two.env");
  expect(await index.look([join(root, "near")])).toBe(first);
  put("far/.env");
  const both = await index.look([join(root, "near"), join(root, "far")]);
  expect(namesOf(both.secrets)).toEqual(["far/.env", "near/.env", "near/two.env"]);
});
