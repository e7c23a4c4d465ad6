import { expect, test } from "vitest";
import { AnnouncedWork } from "./announced-work.ts";
import { mostWorks, silentWorkMs } from "./announced-work.ts";

const long = silentWorkMs;

test("work counts from begin to end; a report or end without a begin is ignored", () => {
  const work = new AnnouncedWork();
  work.told("a", "report");
  work.told("a", "end");
  expect([work.isUnderWay(), work.wasAny]).toEqual([false, false]);
  work.told("a", "begin");
  work.told("b", "begin");
  work.told("a", "end");
  expect(work.isUnderWay()).toBe(true);
  work.told("b", "end");
  expect([work.isUnderWay(), work.wasAny]).toEqual([false, true]);
});

test("work without an end expires after a long silence", () => {
  const clock = { ms: 0 };
  const work = new AnnouncedWork(() => clock.ms);
  work.told("a", "begin");
  clock.ms = long;
  work.told("a", "report");
  clock.ms = 2 * long;
  expect(work.isUnderWay()).toBe(true);
  clock.ms = 2 * long + 1;
  expect(work.isUnderWay()).toBe(false);
});

test("the number of tracked works is bounded", () => {
  const work = new AnnouncedWork();
  for (let at = 0; at < 100_000; at += 1) work.told(`token ${at}`, "begin");
  for (let at = 0; at < mostWorks; at += 1) work.told(`token ${at}`, "end");
  expect(work.isUnderWay()).toBe(false);
});
