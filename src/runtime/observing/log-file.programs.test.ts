/** The log file has whole lines only, is private to its owner, free of secrets, and never exceeds its bound. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { redactor } from "../../base/redact.ts";
import { runtimeBounds } from "../bounds.ts";
import { type LogSink, openLogFile } from "./log-file.ts";

let home = "";
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "toolwright-log-"))));
afterEach(() => rmSync(home, { recursive: true }));

function opened(path: string): LogSink {
  const log = openLogFile(path, redactor(["very secret"]));
  if (!log.ok) throw new Error(log.problem);
  return log.value;
}

const linesOf = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((text): unknown => JSON.parse(text));

test("lines are appended to an existing file, which becomes private to its owner", () => {
  const path = join(home, "log");
  writeFileSync(path, "{}\n");
  chmodSync(path, 0o644);
  const log = opened(path);
  log({ path: "/a" });
  log({ path: "/b\n/c" });
  expect(linesOf(path)).toEqual([{}, { path: "/a" }, { path: "/b\n/c" }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("secrets are redacted in every string of a line, at any depth", () => {
  const path = join(home, "log");
  opened(path)({ a: [{ "very secret": "it is very secret" }], at: 1, none: null });
  expect(linesOf(path)).toEqual([{ a: [{ "[redacted]": "it is [redacted]" }], at: 1, none: null }]);
});

test("a full file replaces the previous rotated one, also when another program has filled it", () => {
  const path = join(home, "log");
  writeFileSync(`${path}.1`, "older");
  const log = opened(path);
  log({ path: "/before" });
  writeFileSync(path, "old");
  truncateSync(path, runtimeBounds.log.most);
  log({ path: "/a" });
  expect(statSync(`${path}.1`).size).toBe(runtimeBounds.log.most);
  expect(linesOf(path)).toEqual([{ path: "/a" }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a pipe is refused instead of waited for", () => {
  const path = join(home, "pipe");
  execFileSync("mkfifo", [path]);
  expect(openLogFile(path, redactor())).toEqual({
    ok: false,
    problem: expect.stringContaining("it is a pipe"),
  });
});

test("what cannot be written is told once, and nobody is stopped", () => {
  const told: string[] = [];
  const log = openLogFile("/dev/full", redactor(), (problem) => void told.push(problem));
  if (!log.ok) throw new Error(log.problem);
  for (const what of ["first", "second"]) log.value({ what });
  expect(told).toEqual([expect.stringMatching(/^The log \/dev\/full cannot be written \(ENOSPC.*\)\.$/u)]);
});

test("a place where no file can be opened is reported; a line that cannot be written later is dropped silently", () => {
  expect(openLogFile(home, redactor())).toEqual({
    ok: false,
    problem: expect.stringMatching(/with --log, or by `toolwright config set log FILE`\.$/),
  });
  const path = join(home, "deep");
  const log = opened(path);
  rmSync(path);
  rmSync(home, { recursive: true });
  log({ path: "/a" });
  const circle: { self?: unknown } = {};
  circle.self = circle;
  log(circle);
  home = mkdtempSync(join(tmpdir(), "toolwright-log-"));
});
