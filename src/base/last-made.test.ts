import { expect, test } from "vitest";
import { lastMade, madeOnce } from "./last-made.ts";

test("equal inputs one after the other are made once, and another one is made anew", () => {
  const inputs: object[] = [];
  const made = lastMade((input: { a: number }) => ({ at: inputs.push(input) }));
  const first = made({ a: 1 });
  expect(made({ a: 1 })).toBe(first);
  expect(made({ a: 2 })).not.toBe(first);
  expect(made({ a: 1 })).not.toBe(first);
  expect(inputs).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
});

test("the same names are made once, whatever is asked for between, until there are too many", () => {
  const names: string[][] = [];
  const made = madeOnce(2, (...given: [string, string]) => ({ at: names.push(given) }));
  const first = made("a", "b");
  made("ab", "");
  expect(made("a", "b")).toBe(first);
  made("c", "d");
  expect(made("a", "b")).not.toBe(first);
  expect(names).toEqual([
    ["a", "b"],
    ["ab", ""],
    ["c", "d"],
    ["a", "b"],
  ]);
});

test("what is made may be undefined", () => {
  let count = 0;
  const made = madeOnce(2, () => void (count += 1));
  made();
  made();
  expect(count).toBe(1);
});
