import { expect, test } from "vitest";
import { wordIn } from "./word-place.ts";

const text = "const summary = 1;\nconst sum = summary + $sum;\nexport { sum };\n";

test("a symbol is found where it stands as a whole word", () => {
  expect(wordIn(text, "sum")).toEqual({ line: 1, character: 6 });
  expect(wordIn(text, "sum", 3)).toEqual({ line: 2, character: 9 });
});

test("a symbol that is only part of other words is not there", () => {
  expect(wordIn(text, "su")).toBeUndefined();
  expect(wordIn(text, "sum", 1)).toBeUndefined();
  expect(wordIn(text, "sum", 99)).toBeUndefined();
  expect(wordIn(text, "")).toBeUndefined();
});
