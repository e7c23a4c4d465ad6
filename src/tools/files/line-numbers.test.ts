import { expect, test } from "vitest";
import { withLineNumbers, withoutCopiedNumbers, withoutLineNumbers } from "./line-numbers.ts";

test("each line is shown after its number", () => {
  expect(withLineNumbers(["a", "", "b"], 9)).toBe("9\ta\n10\t\n11\tb");
});

test("line numbers are stripped only if every line has one and they increase by one", () => {
  expect(withoutLineNumbers("9\ta\n10\t\n11\tb\n")).toBe("a\n\nb\n");
  expect(withoutLineNumbers("  9| a\n 10|   b")).toBe("a\n  b");
  expect(withoutLineNumbers("9→a\n10\n11→b")).toBe("a\n\nb");
  expect(withoutLineNumbers("  9 | a\n 10 |   b")).toBe("a\n  b");
  expect(withoutLineNumbers("9: a\n10: b")).toBe("a\nb");
  expect(withoutLineNumbers("9: a\n10\tb")).toBeUndefined();
  expect(withoutLineNumbers("9\ta\n11\tb")).toBeUndefined();
  expect(withoutLineNumbers("9\ta\nb")).toBeUndefined();
  expect(withoutLineNumbers("a")).toBeUndefined();
});

test("only the line numbers copied into a replacement are stripped", () => {
  const from = "9\ta\n10\tb";
  expect(withoutCopiedNumbers("9\ta\n10\tx\n11\tb", from)).toBe("a\nx\nb");
  expect(withoutCopiedNumbers("9\ta\nnew\n10\tb", from)).toBe("a\nnew\nb");
  expect(withoutCopiedNumbers("x\ny", from)).toBe("x\ny");
  expect(withoutCopiedNumbers("42", from)).toBe("42");
  expect(withoutCopiedNumbers("9\ta\n42", from)).toBe("a\n42");
  expect(withoutCopiedNumbers("9\ta\n7\tother\nx", from)).toBeUndefined();
});

test("a new line between numbered ones that starts with the number separator is ambiguous", () => {
  expect(withoutCopiedNumbers("9\ta\n\tnew\n10\tb", "9\ta\n10\tb")).toBeUndefined();
  expect(withoutCopiedNumbers("9→a\n  →new\n10→b", "9→a\n10→b")).toBeUndefined();
  expect(withoutCopiedNumbers("9| a\n+| new\n10| b", "9| a\n10| b")).toBeUndefined();
  expect(withoutCopiedNumbers("9\ta\n9.5\tnew\n10\tb", "9\ta\n10\tb")).toBeUndefined();
  expect(withoutCopiedNumbers("9| a\nb | c\n10| b", "9| a\n10| b")).toBe("a\nb | c\nb");
  expect(withoutCopiedNumbers("9\ta\n\nnew\n10\tb", "9\ta\n10\tb")).toBe("a\n\nnew\nb");
});
