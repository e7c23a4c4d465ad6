/** Test helper for the program tables: rows must cope with any words. */

import * as fc from "fast-check";
import { literal, noFlows, unknown, unknownWord, type Word } from "../command-line/word.ts";
import { around } from "../testing-around.ts";
import type { Program } from "./program.ts";
import { useOf } from "./use.ts";

const signs =
  "- -- + +e -c -s -S -I -n -a -e -o -x -i -p -d -u -ex --args -1 -9 -X -L -V --command --exec=x --null {} ::: :::: ; a=b a[$(x)]=1 '\"\\ ~ / . .. * x y exec run list set show -F -t --on-calendar /c #( %1 0 1 :".split(
    " ",
  );

const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...signs).map(literal) },
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }).map((text) => literal(text.replaceAll(unknown, ""))) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(unknownWord(new Set(["network"])), unknownWord(), literal(`-${unknown}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { ...literal("*"), isPattern: true },
      literal("x".repeat(60_000)),
      literal(""),
    ),
  },
);

const input = fc.option(word, { nil: undefined }).map((text) => ({
  text,
  flows: text?.carries ?? noFlows,
  isGiven: text !== undefined,
}));

/** Fails if a row throws or takes more than a second. */
export function holdUp(rows: readonly Program[]): void {
  const uses = fc.tuple(fc.constantFrom(...rows), fc.array(word, { maxLength: 9 }), input, fc.nat());
  fc.assert(
    fc.property(uses, ([row, words, given, at]) => {
      const name = row.names[at % row.names.length] ?? "";
      const began = performance.now();
      const effects = [...row.does(useOf(row, { name, words, variables: [], input: given, around }))];
      return effects.length < 10_000 && performance.now() - began < 1_000;
    }),
    { numRuns: 2_000 },
  );
}
