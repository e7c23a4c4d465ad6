import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../base/testing/any-character.ts";
import { scale } from "../../../testing/scale.ts";
import { type Flow, literal, noFlows, unknown, unknownWord, type Word } from "../../command-line/word.ts";
import { everyProgram } from "../index.ts";
import { useOf } from "../use.ts";

const rows = everyProgram();

const pieces = fc.constantFrom(
  "-",
  "--",
  "=",
  ":",
  "@",
  "/",
  "..",
  "~",
  "x",
  "-o",
  "-e",
  "--config",
  "rm",
  "run",
  "exec",
  "get",
  "delete",
  "\\!",
  ".shell",
  "EXEC:",
  "s3://",
  "a".repeat(5_000),
  unknown,
  " ",
  "'",
  "*",
);
const word: fc.Arbitrary<Word> = fc.oneof(
  fc.array(pieces, { maxLength: 4 }).map((parts) => literal(parts.join(""))),
  fc.string({ unit: anyCharacter }).map(literal),
  fc.constant(unknownWord(new Set<Flow>(["secret"]))),
  fc.constant({ ...literal("*"), isPattern: true }),
);

test("no program is in two rows", () => {
  const names = rows.flatMap((row) => row.names);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('N11: no row throws, whatever the arguments, and each reason can follow the word "it"', () => {
  const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: undefined };
  const input = fc.oneof(
    fc.constant({ text: undefined, flows: noFlows, isGiven: false }),
    word.map((text) => ({ text, flows: noFlows, isGiven: true })),
  );
  fc.assert(
    fc.property(fc.constantFrom(...rows), fc.array(word, { maxLength: 6 }), input, (row, words, given) => {
      const [name = ""] = row.names;
      const effects = [...row.does(useOf(row, { name, words, variables: [], input: given, around }))];
      for (const effect of effects)
        if (effect.type === "danger") expect(effect.because).toMatch(/^[a-z].*[^.]$/su);
    }),
    { numRuns: 300 * scale },
  );
});
