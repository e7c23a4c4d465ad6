/** What clients use is kept on disk, shared by every server of this state directory, and forgotten after a while. */

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newKey } from "./clients.ts";
import { openRecords, type Records } from "./records.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "toolwright-records-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function open(): Records & Disposable {
  const opened = openRecords(home);
  if (!opened.ok) throw new Error(opened.problem);
  return { ...opened.value, [Symbol.dispose]: () => opened.value.close() };
}

test("a key made or revoked by another process is known at once, and two cannot have one name", () => {
  using server = open();
  using command = open();
  expect(server.keys()).toEqual([]);
  const { stored } = newKey("alice", { models: ["m"], dollarsPerDay: 0.5 });
  expect(command.addKey(stored)).toBe(true);
  expect(server.keys()).toEqual([stored]);
  expect(server.addKey(newKey("alice", {}).stored)).toBe(false);
  expect(command.keys()).toEqual([stored]);
  expect([command.removeKey("alice"), command.removeKey("alice")]).toEqual([true, false]);
  expect(server.keys()).toEqual([]);
});

test("a day and its month add up over processes, and corrections are taken off", () => {
  using one = open();
  using other = open();
  one.add("2026-11-01", "a", { inputTokens: 1_000, dollars: 1, requests: 1 });
  other.add("2026-11-02", "a", {
    inputTokens: 100,
    outputTokens: 10,
    dollars: 0.25,
    unpriced: 1,
    requests: 2,
  });
  one.add("2026-11-02", "a", { inputTokens: -30, dollars: -0.125 });
  one.add("2026-11-02", "b", { outputTokens: 5 });
  one.add("2026-10-31", "a", { outputTokens: 7 });
  expect(other.used("2026-11-02", "a")).toEqual({
    tokensOfDay: 80,
    tokensOfMonth: 1_080,
    dollarsOfDay: 0.125,
    dollarsOfMonth: 1.125,
  });
  expect(other.used("2026-12-01", "a").tokensOfMonth).toBe(0);
  const none = { requests: 0, inputTokens: 0, outputTokens: 0, dollars: 0, unpriced: 0 };
  expect(one.days()).toEqual([
    {
      ...none,
      day: "2026-11-02",
      client: "a",
      requests: 2,
      inputTokens: 70,
      outputTokens: 10,
      dollars: 0.125,
      unpriced: 1,
    },
    { ...none, day: "2026-11-02", client: "b", outputTokens: 5 },
    { ...none, day: "2026-11-01", client: "a", requests: 1, inputTokens: 1_000, dollars: 1 },
    { ...none, day: "2026-10-31", client: "a", outputTokens: 7 },
  ]);
});

test("days of more than 400 days ago are forgotten", () => {
  using records = open();
  records.add("2025-10-18", "a", { requests: 1 });
  records.add("2025-10-19", "a", { requests: 1 });
  records.add("2026-11-22", "a", { requests: 1 });
  records.add("2026-11-23", "a", { requests: 1 });
  expect(records.days().map(({ day }) => day)).toEqual(["2026-11-23", "2026-11-22", "2025-10-19"]);
});

test("the file and what SQLite puts beside it are readable by their owner only", () => {
  using records = open();
  records.add("2026-11-22", "a", { requests: 1 });
  for (const end of ["", "-wal", "-shm"])
    expect(statSync(join(home, `lm-server.db${end}`)).mode & 0o777, end).toBe(0o600);
});

test("a file that is no database of ours is left alone and named", () => {
  writeFileSync(join(home, "lm-server.db"), "not a database, but of some length".repeat(50));
  expect(openRecords(home)).toEqual({
    ok: false,
    problem: expect.stringMatching(/lm-server\.db \(.*not a database.*move the file away\.$/u),
  });
  expect(statSync(join(home, "lm-server.db")).size).toBe(1_700);
});
