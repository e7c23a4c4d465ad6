import { expect, test } from "vitest";
import { identityOf, type ProcessIdentity } from "../base/process-identity.ts";
import { heldWords, isAlive, isInTheWay, leaseMs, ownOwner, type Holder } from "./owner.ts";

const said = 1_790_000_000_000;
const own = ownOwner();

const holder = (process: Partial<ProcessIdentity>): Holder => ({
  program: "toolwright",
  process: { ...own.process, ...process },
  since: said,
  renewedAt: said,
});

/** Whether the process counts as alive: at once, shortly before its lease ends, and after it. */
const alive = (process: Partial<ProcessIdentity>): boolean[] =>
  [0, leaseMs - 1, leaseMs, 100 * leaseMs].map((later) => isAlive(holder(process), said + later));

test("where the system knows the process, the lease does not count", () => {
  expect(alive({})).toEqual([true, true, true, true]);
  expect(alive(identityOf(process.ppid))).toEqual([true, true, true, true]);
  expect(alive({ started: "1" })).toEqual([false, false, false, false]);
  expect(alive({ boot: "an earlier one" })).toEqual([false, false, false, false]);
});

test("for a process elsewhere the lease decides, and a clock set back does not extend it", () => {
  for (const elsewhere of [{ boot: "another", host: "far-away" }, { space: "another" }]) {
    expect(alive(elsewhere)).toEqual([true, true, false, false]);
    expect(isAlive(holder(elsewhere), said - 2 * leaseMs)).toBe(false);
  }
});

test("without process start times, both a running pid and a valid lease are required", () => {
  expect(alive({ started: "" })).toEqual([true, true, false, false]);
  expect(alive({ started: "", pid: 2 ** 30 })).toEqual([false, false, false, false]);
});

test("an owner is blocked only by another living process", () => {
  expect(isInTheWay(holder({}), own, said)).toBe(false);
  expect(isInTheWay(holder(identityOf(process.ppid)), own, said)).toBe(true);
  expect(isInTheWay(holder({ started: "1" }), own, said)).toBe(false);
});

test("the message names the holder, says what to do, and when an unreachable holder's session is free", () => {
  expect(heldWords("s1", holder({}), said)).toBe("Session s1 is open in this program. Close it first.");
  const other = holder({ ...identityOf(process.ppid), host: "workshop" });
  expect(heldWords("s1", { ...other, program: "gateway" }, said)).toBe(
    `Session s1 is open in another program: gateway (process ${process.ppid} on workshop, since 2026-09-21 14:13 UTC). Go on there, or close it first. If it hangs, take the session over with the option "takeOver": it can write nothing more then.`,
  );
  const far = heldWords("s1", holder({ boot: "another", host: "far-away" }), said + 20_500);
  expect(far).toContain("on far-away");
  expect(far).toContain(" If that process is gone, the session is free in 40 s. ");
});
