/** Test helper for the program tables: rows must cope with any words. */

import * as fc from "fast-check";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { literal, noFlows, unknown, unknownWord, type Word } from "../command-line/word.ts";
import type { Program } from "../dangers/program.ts";
import { useOf } from "../dangers/use.ts";
import { around } from "./around.ts";

const signs =
  "- -- + +e -c -s -S -I -n -a -e -o -x -i -p -d -u -ex --args -1 -9 -X -L -V --command --exec=x --null {} ::: :::: ; a=b a[$(x)]=1 '\"\\ ~ / . .. * x y exec run list set show -F -t --on-calendar /c #( %1 0 1 : -name -exec ( ) ! cf of=";

const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...signs.split(" "), "").map(literal) },
  { weight: 3, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }).map(literal) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Word>(
      unknownWord(new Set(["network"])),
      literal(`-${unknown}`),
      { ...literal("*.ts"), isPattern: true },
      literal("x".repeat(60_000)),
    ),
  },
);

/** Fails if a row throws or takes more than a second. */
export function holdUp(rows: readonly Program[]): void {
  const uses = fc.tuple(
    fc.constantFrom(...rows),
    fc.array(word, { maxLength: 9 }),
    fc.option(word),
    fc.nat(),
  );
  fc.assert(
    fc.property(uses, ([row, words, given, at]) => {
      const name = row.names[at % row.names.length] ?? "";
      const input = { text: given ?? undefined, flows: given?.carries ?? noFlows, isGiven: given !== null };
      const began = performance.now();
      const effects = [...row.does(useOf(row, { name, words, variables: [], input, around }))];
      return effects.length < 10_000 && performance.now() - began < 1_000;
    }),
    { numRuns: 2_000 },
  );
}
