import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.ts";
import { hunksBetween } from "./testing/review.ts";

test("an excerpt has the lines of each hunk before and after, and says where others are left out", () => {
  const old = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
  const now = old.replace("2\n", "two\nand more\n").replace("15\n", "");
  expect(excerptOf(hunksBetween(old, now))).toEqual({
    before: "0\n1\n2\n3\n4\n5\n\n⋯\n\n12\n13\n14\n15\n16\n17\n18\n",
    after: "0\n1\ntwo\nand more\n3\n4\n5\n\n⋯\n\n12\n13\n14\n16\n17\n18\n",
  });
  expect(excerptOf(hunksBetween("", "new\n"))).toEqual({ before: "", after: "new\n" });
  expect(excerptOf([])).toEqual({ before: "", after: "" });
});
