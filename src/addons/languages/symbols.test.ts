import { expect, test } from "vitest";
import { findSymbol } from "./symbols.ts";

const text =
  "import { price } from './shop';\nconst prices = 1;\nexport const total = shop.price(😀, price);\n";
const context = { path: "a.ts", unit: "utf-16" } as const;

test("a symbol is found by its name, as a whole word, on its line", () => {
  const places = [
    { line: 2, character: 26 },
    { line: 2, character: 36 },
  ];
  expect(findSymbol(text, { symbol: "price" }, context)).toEqual({
    ok: true,
    value: { places: [{ line: 0, character: 9 }, ...places] },
  });
  for (const symbol of ["price", "Shop#price()"])
    expect(findSymbol(text, { symbol, line: 3 }, context)).toEqual({ ok: true, value: { places } });
});

test("a slightly wrong line is corrected with a note; a far-off one is refused with the actual lines", () => {
  expect(findSymbol(text, { symbol: "total", line: 1 }, context)).toEqual({
    ok: true,
    value: { places: [{ line: 2, character: 13 }], note: "[total stands on line 3, not 1.]" },
  });
  expect(findSymbol(text, { symbol: "price", line: 40 }, context)).toEqual({
    ok: false,
    problem: "price does not stand on line 40 of a.ts; it stands on 1, 3.",
  });
});

test("an invalid name and an absent symbol are reported", () => {
  expect(findSymbol(text, { symbol: "()" }, context)).toEqual({
    ok: false,
    problem: '"()" is no name of a symbol.',
  });
  expect(findSymbol(text, { symbol: "cost" }, context)).toEqual({
    ok: false,
    problem: "cost does not stand in a.ts.",
  });
});

test("an occurrence within quotes is tried last", () => {
  const includes = '#include "price.h"\n// what the price is\ndouble price(double net) {';
  expect(findSymbol(includes, { symbol: "price" }, context)).toEqual({
    ok: true,
    value: {
      places: [
        { line: 1, character: 12 },
        { line: 2, character: 7 },
        { line: 0, character: 10 },
      ],
    },
  });
});
