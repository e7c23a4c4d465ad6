import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stashEntriesIn, usedUp } from "./stash-entries.ts";

const directory = mkdtempSync(join(tmpdir(), "toolwright-stash-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const hash = (digit: string): string => digit.repeat(40);

test("an entry that is gone is named with the command that brings it back; a damaged or absent log has none", () => {
  mkdirSync(join(directory, "logs/refs"), { recursive: true });
  const log = join(directory, "logs/refs/stash");
  writeFileSync(
    log,
    `${hash("0")} ${hash("a")} A <a@b> 1 +0000\tWIP on main\n${hash("a")} ${hash("b")} A <a@b> 2 +0000\tOn main: x\n`,
  );
  const before = stashEntriesIn([directory, "/nowhere"]);
  expect([...before.values()]).toEqual(["WIP on main", "On main: x"]);
  writeFileSync(log, `${hash("0")} ${hash("a")} A <a@b> 1 +0000\tWIP on main\nnonsense\n`);
  expect(usedUp(before, stashEntriesIn([directory]))).toEqual([
    `a stash entry (On main: x): "git stash store ${hash("b")}" brings it back`,
  ]);
  expect(usedUp(before, before)).toEqual([]);
});
