import { expect, test } from "vitest";
import { lastMade } from "./last-made.ts";

test("equal inputs one after the other are made once, and another one is made anew", () => {
  const inputs: object[] = [];
  const made = lastMade((input: { a: number }) => ({ at: inputs.push(input) }));
  const first = made({ a: 1 });
  expect(made({ a: 1 })).toBe(first);
  expect(made({ a: 2 })).not.toBe(first);
  expect(made({ a: 1 })).not.toBe(first);
  expect(inputs).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
});
