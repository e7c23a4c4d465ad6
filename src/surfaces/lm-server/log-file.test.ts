/** The log is a file of whole lines, for its owner alone, and never larger than its bound. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bounds } from "../../base/bounds.ts";
import type { Log, LogLine } from "./log.ts";
import { openLogFile } from "./log-file.ts";

let home = "";
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "lm-log-"))));
afterEach(() => rmSync(home, { recursive: true }));

const line = (path: string): LogLine => ({ at: "now", method: "GET", path, status: 200, ms: 1 });

function opened(path: string): Log {
  const log = openLogFile(path);
  if (!log.ok) throw new Error(log.problem);
  return log.value;
}

test("lines are added to what is there, and nobody else may read them", () => {
  const path = join(home, "log");
  writeFileSync(path, "{}\n");
  chmodSync(path, 0o644);
  const log = opened(path);
  log(line("/a"));
  log(line("/b\n/c"));
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((text): unknown => JSON.parse(text));
  expect(lines).toMatchObject([{}, { path: "/a" }, { path: "/b\n/c" }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a full file is put aside, over the one before", () => {
  const path = join(home, "log");
  writeFileSync(`${path}.1`, "older");
  writeFileSync(path, "old");
  truncateSync(path, bounds.lmServer.log.most);
  opened(path)(line("/a"));
  expect(statSync(`${path}.1`).size).toBe(bounds.lmServer.log.most);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ path: "/a" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a place where no file can be is told; a line that cannot be written later is lost, and nothing else", () => {
  expect(openLogFile(home)).toEqual({ ok: false, problem: expect.stringMatching(/with --log\.$/) });
  const path = join(home, "deep");
  const log = opened(path);
  rmSync(path);
  rmSync(home, { recursive: true });
  log(line("/a"));
  home = mkdtempSync(join(tmpdir(), "lm-log-"));
});
