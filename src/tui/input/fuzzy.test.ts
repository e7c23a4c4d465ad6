/** Tests which names a few letters mean. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { processorMs } from "../../testing/processor-time.ts";
import { scale } from "../../testing/scale.ts";
import { fuzzyMatch, fuzzyRanked } from "./fuzzy.ts";

const ranked = (query: string, ...names: string[]): string[] =>
  fuzzyRanked(query, names, (name) => name).map(({ candidate }) => candidate);

test("all letters must occur in their order", () => {
  expect(ranked("tot", "src/total.ts", "otto", "src/cart.ts")).toEqual(["src/total.ts"]);
  expect(fuzzyMatch("ab", "b a")).toBeUndefined();
});

test("the letters that belong together are marked", () => {
  expect(fuzzyMatch("test", "src/t/total.test.ts")?.at).toEqual([12, 13, 14, 15]);
  expect(fuzzyMatch("stt", "src/total.test.ts")?.at).toEqual([0, 4, 10]);
});

test("a file's own name counts more than its directories, and a whole name most", () => {
  expect(ranked("cart", "cart/other/index.ts", "src/shopping/cart.ts")).toEqual([
    "src/shopping/cart.ts",
    "cart/other/index.ts",
  ]);
  expect(ranked("total", "src/total-price.ts", "src/total.ts", "src/total.test.ts")[0]).toBe("src/total.ts");
});

test("starts of words count, of words within words too", () => {
  expect(ranked("gb", "src/gabble.ts", "src/getBack.ts", "src/rigb.ts")[0]).toBe("src/getBack.ts");
});

test("a capital means a capital, a small letter both", () => {
  expect(ranked("R", "readme", "README")).toEqual(["README"]);
  expect(ranked("r", "README", "other")).toHaveLength(2);
});

test("among equals the order of the candidates stays, and nothing typed leaves it alone", () => {
  expect(ranked("x", "ax", "bx", "cx")).toEqual(["ax", "bx", "cx"]);
  expect(ranked("", "b", "a")).toEqual(["b", "a"]);
});

test("letters that change their length in lower case shift nothing", () => {
  expect(fuzzyMatch("t", "İt")?.at).toEqual([1]);
});

test("20,000 long paths are ranked without delay, and a hostile name costs no more", () => {
  const paths = Array.from(
    { length: 20_000 },
    (_, at) => `packages/part-${at % 100}/src/module/file-${at}.test.ts`,
  );
  const spent = processorMs(() => {
    expect(ranked("p42mf4242", ...paths).length).toBeGreaterThan(0);
    expect(fuzzyMatch("a".repeat(64), "a".repeat(1_000_000))?.at).toHaveLength(64);
  });
  expect(spent).toBeLessThan(5_000);
});

test("whatever is typed, the marked places hold it", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-c]{1,4}$/), fc.stringMatching(/^[a-c/.]{0,20}$/), (query, name) => {
      const match = fuzzyMatch(query, name);
      const pattern = new RegExp(query.split("").join(".*"));
      expect(match !== undefined).toBe(pattern.test(name));
      if (match) {
        expect(match.at.map((place) => name[place]).join("")).toBe(query);
        expect(match.at).toEqual([...new Set(match.at)].toSorted((one, other) => one - other));
      }
    }),
    { numRuns: 300 * scale },
  );
});
