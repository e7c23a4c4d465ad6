import { expect, test } from "vitest";
import { saidWords } from "./server-words.ts";

test("server output is reduced to one line of bounded length without terminal escapes", () => {
  expect(saidWords("\u001B]0;title\u0007one\n  \u001B[31mtwo\u001B[0m\r\n\u0000three\n")).toBe(
    "one; two; three",
  );
  expect(saidWords("x".repeat(1_000_000), 10)).toBe("xxxxxxxxxx…");
  expect(saidWords("x".repeat(10), 10)).toBe("xxxxxxxxxx");
});
