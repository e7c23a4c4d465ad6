/** An own token is created once, is readable only by its owner, and is the same for processes that start at once. */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTokenFile } from "./token-file.ts";

let home = "";
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "token-"))));
afterEach(() => rmSync(home, { recursive: true }));

async function opened(path: string): Promise<string> {
  const token = await openTokenFile(path);
  if (!token.ok) throw new Error(token.problem);
  return token.value;
}

test("a token is created when it is first requested, for its owner alone, and stays the same", async () => {
  const path = join(home, "state", "lm-token");
  const token = await opened(path);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "state")).mode & 0o777).toBe(0o700);
  expect(await opened(path)).toBe(token);
  expect(readdirSync(join(home, "state"))).toEqual(["lm-token"]);
});

test("a directory that cannot be created is reported without blocking", async () => {
  expect(await openTokenFile("/proc/self/none/token")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("make that place writable"),
  });
});

test("all callers that start concurrently get the same token", async () => {
  const path = join(home, "token");
  const tokens = await Promise.all(Array.from({ length: 20 }, () => opened(path)));
  expect(new Set(tokens)).toEqual(new Set([readFileSync(path, "utf8").trim()]));
  expect(readdirSync(home)).toEqual(["token"]);
});

test("a token that others could read is replaced", async () => {
  const path = join(home, "token");
  const token = await opened(path);
  chmodSync(path, 0o644);
  const next = await opened(path);
  expect(next).not.toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await opened(path)).toBe(next);
});

test("an invalid token is replaced, and a symlink is not followed", async () => {
  const path = join(home, "token");
  for (const text of [
    "",
    "secret",
    "5".repeat(63),
    `${"5".repeat(64)}\n${"5".repeat(64)}`,
    "x".repeat(99_999),
  ]) {
    writeFileSync(path, text, { mode: 0o600 });
    expect(await opened(path)).toMatch(/^[0-9a-f]{64}$/);
  }
  const target = join(home, "mine");
  writeFileSync(target, "5".repeat(64), { mode: 0o600 });
  rmSync(path);
  symlinkSync(target, path);
  expect(await opened(path)).not.toBe("5".repeat(64));
  expect(readFileSync(target, "utf8")).toBe("5".repeat(64));
});

test("a path that cannot hold a token is reported, with advice", async () => {
  writeFileSync(join(home, "file"), "");
  mkdirSync(join(home, "directory"));
  for (const path of [join(home, "file", "token"), join(home, "directory")]) {
    const token = await openTokenFile(path);
    expect(token.ok ? "" : token.problem).toMatch(/cannot be kept.*writable/);
  }
});
