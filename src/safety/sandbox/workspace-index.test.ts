import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type IndexedPlaces, indexWorkspace } from "./workspace-index.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-index-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "x");
}

const names = (found: IndexedPlaces) => ({
  protected: found.protected.map(({ path }) => relative(root, path)).sort(),
  git: found.git.map(({ path }) => relative(root, path)).sort(),
  environment: found.environmentFiles.map((path) => relative(root, path)).sort(),
});

test("protected places, repositories and environment files are found at any depth, without following symlinks", () => {
  for (const path of [
    "a/b/.vscode/tasks.json",
    ".mcp.json",
    ".git/config",
    "sub/.git/config",
    "x.code-workspace",
  ])
    put(path);
  for (const path of ["bare/HEAD", "bare/objects/x", "bare/refs/x", "bare/.mcp.json"]) put(path);
  for (const path of [
    ".env",
    "a/.env.local",
    ".env.example",
    "a/.envrc",
    ".environment",
    "node_modules/.env",
  ])
    put(path);
  for (const path of ["prod.env", ".env~", "x/.env-prod", ".env.d/prod", "d/.env/prod", "v/.env/pyvenv.cfg"])
    put(path);
  mkdirSync(join(root, "venv/.env"), { recursive: true });
  symlinkSync("/etc", join(root, ".claude"));
  symlinkSync("..", join(root, "a/loop"));
  expect(names(indexWorkspace(root).look())).toEqual({
    protected: [".claude", ".mcp.json", "a/.envrc", "a/b/.vscode", "x.code-workspace"],
    git: [".git", "bare", "sub/.git"],
    environment: [".env", ".env.d", ".env~", "a/.env.local", "a/.envrc", "d/.env", "prod.env", "x/.env-prod"],
  });
});

test("a later look finds the same as a new index, whatever changed in between, even with times set back", () => {
  const places = ["a", "a/b", "c", "c/d"];
  const files = [".env", ".mcp.json", ".vscode", "HEAD", "objects", "refs", "plain"];
  const step = fc.record({
    act: fc.constantFrom("put", "remove", "move", "back"),
    place: fc.constantFrom(...places),
    file: fc.constantFrom(...files),
    other: fc.constantFrom(...places),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      rmSync(root, { recursive: true, force: true });
      for (const place of places) mkdirSync(join(root, place), { recursive: true });
      const index = indexWorkspace(root);
      for (const { act, place, file, other } of steps) {
        try {
          if (act === "put") put(join(place, file));
          if (act === "remove") rmSync(join(root, place, file), { recursive: true, force: true });
          if (act === "move") renameSync(join(root, place, file), join(root, other, file));
          if (act === "back") utimesSync(join(root, place), 1, 1);
        } catch {
          // Nothing there to move.
        }
        expect(index.look()).toEqual(indexWorkspace(root).look());
      }
    }),
    { numRuns: 60 },
  );
});

test("a tree beyond the limits is reported as truncated, and places near the root are still found", () => {
  mkdirSync(join(root, "z", ...Array.from({ length: 20 }, () => "d")), { recursive: true });
  put(".mcp.json");
  const found = indexWorkspace(root).look();
  expect(found.truncated).toBe(true);
  expect(names(found).protected).toEqual([".mcp.json"]);
});
