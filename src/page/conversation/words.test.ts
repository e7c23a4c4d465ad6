import { expect, test } from "vitest";
import { countOf } from "../../base/amounts.ts";
import { size } from "../../view/status.ts";
import { ago, duration, withoutColours } from "./words.ts";

test("durations, sizes and counts are written in readable units", () => {
  expect([-5, 0, 400, 9_999, 12_000, 59_400, 125_000].map(duration)).toEqual([
    "0.0 s", "0.0 s", "0.4 s", "10.0 s", "12 s", "59 s", "2 min 5 s",
  ]); // prettier-ignore
  expect([0, 1_500, 123_456].map(size)).toEqual(["0.0 KB", "1.5 KB", "123 KB"]);
  expect([countOf(1, "file"), countOf(0, "file"), countOf(1234, "entry", "entries")]).toEqual([
    "1 file", "0 files", "1,234 entries",
  ]); // prettier-ignore
});

test("relative times get coarser with age", () => {
  const now = Date.UTC(2026, 5, 20, 12);
  const minute = 60_000;
  expect([0, 5, 59, 60, 60 * 23, 60 * 24, 60 * 24 * 6].map((minutes) => ago(now - minutes * minute, now))).toEqual([
    "just now", "5 min ago", "59 min ago", "1 h ago", "23 h ago", "1 d ago", "6 d ago",
  ]); // prettier-ignore
  expect(ago(now - 60 * 24 * 30 * minute, now)).toBe("May 21, 2026");
});

test("colour escapes are removed, other escapes are kept", () => {
  expect(withoutColours("\u001B[1;31mred\u001B[0m \u001B[2J")).toBe("red \u001B[2J");
  expect(withoutColours("\u001B[38:2::1:2:3mx")).toBe("x");
});
