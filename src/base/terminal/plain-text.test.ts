import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ansiStripper, plainOutput, stripAnsi } from "./plain-text.ts";

test("A33: colours, cursor movements, titles and ]633; markers are stripped, the text between them stays", () => {
  const text =
    "\x1b[1;31mred\x1b[0m \x1b]0;title\x07a\x1b]633;A\x07b\x1b]633;D;0\x1b\\c\x1b(B\x1b[?25l\x1b7d ]633;C\x07e\x9b2Kf\x1bP1$r\x1b\\g";
  expect(stripAnsi(text)).toBe("red abcd efg");
});

test("A33: escapes split across chunks are stripped all the same", () => {
  const text = "a\x1b[1;31mred\x1b[0m\n\x1b]633;D;0\x07b\x1b]0;some title\x1b\\c";
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (places) => {
      const strip = ansiStripper();
      const cuts = [0, ...places.toSorted((a, b) => a - b), text.length];
      const pieces = cuts.slice(1).map((to, at) => strip(text.slice(cuts[at], to)));
      expect(pieces.join("")).toBe("ared\nbc");
    }),
  );
});

test("stripping hostile escapes is linear", () => {
  const text = "\x1b]".repeat(200_000) + "\x1b[" + "0".repeat(500_000) + "\x1b[".repeat(200_000);
  expect(stripAnsi(text)).toBe("");
});

test("an overwritten progress line keeps its last text, and other control characters are removed", () => {
  expect(plainOutput("10%\r50%\r100%\r\nok\r\r\n\x00b\x07\x08\tc\r")).toBe("100%\nok\nb\tc");
  expect(plainOutput("x".repeat(1_000_000) + "\r")).toHaveLength(1_000_000);
});
