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

test("where the system tells who runs, the lease does not count", () => {
  expect(alive({})).toEqual([true, true, true, true]);
  expect(alive(identityOf(process.ppid))).toEqual([true, true, true, true]);
  expect(alive({ started: "1" })).toEqual([false, false, false, false]);
  expect(alive({ boot: "an earlier one" })).toEqual([false, false, false, false]);
});

test("where nobody here can look, the lease tells; a clock that was set back gives no longer one", () => {
  for (const elsewhere of [{ boot: "another", host: "far-away" }, { space: "another" }]) {
    expect(alive(elsewhere)).toEqual([true, true, false, false]);
    expect(isAlive(holder(elsewhere), said - 2 * leaseMs)).toBe(false);
  }
});

test("where the system does not tell start times, a number in use and the lease tell together", () => {
  expect(alive({ started: "" })).toEqual([true, true, false, false]);
  expect(alive({ started: "", pid: 2 ** 30 })).toEqual([false, false, false, false]);
});

test("nobody is in their own way", () => {
  expect(isInTheWay(holder({}), own, said)).toBe(false);
  expect(isInTheWay(holder(identityOf(process.ppid)), own, said)).toBe(true);
  expect(isInTheWay(holder({ started: "1" }), own, said)).toBe(false);
});

test("the words name the holder and say what to do, and how long a silent one is waited for", () => {
  expect(heldWords("s1", holder({}), said)).toBe("Session s1 is open in this program. Close it first.");
  const other = holder({ ...identityOf(process.ppid), host: "workshop" });
  expect(heldWords("s1", { ...other, program: "gateway" }, said)).toBe(
    `Session s1 is open in another program: gateway (process ${process.ppid} on workshop, since 2026-09-21 14:13 UTC). Go on there, or close it first. If it hangs, take the session over with --take-over: it can write nothing more then.`,
  );
  const far = heldWords("s1", holder({ boot: "another", host: "far-away" }), said + 20_500);
  expect(far).toContain("on far-away");
  expect(far).toContain(" If that process is gone, the session is free in 40 s. ");
});
