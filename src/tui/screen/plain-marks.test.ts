import { expect, test } from "vitest";
import { plainMarks } from "./plain-marks.ts";

test("marks are plain ASCII of the same width, and words stay", () => {
  const row = "  ● Read a.ts · ⠋ 12 s … 日本 naïve −1 ─│❯";
  expect(plainMarks(row)).toBe("  * Read a.ts - * 12 s ~ 日本 naïve -1 -|>");
  expect(plainMarks(row)).toHaveLength(row.length);
});
