import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
import { literalsOf } from "./glob-literals.ts";
import { sensitiveDefaults } from "./sensitive-files.ts";

const runs = scale * 3_000;
const piece = fc.constantFrom(
  ..."a b . .env KEY key id_ rsa / ** * ? { } , !( @( +( ) | [ab] [!a] [[:alpha:]] ! {a,b} {.env,*.pem} {1..3} {a,{b,c}} \\ \\* é ς Σ K x-".split(
    " ",
  ),
);
const name = fc.array(
  fc.constantFrom(..."a A b . .env .ENV key Key id_rsa / 1 2 é É ς Σ σ x- { } , ! ( ) |".split(" ")),
  {
    minLength: 1,
    maxLength: 8,
  },
);

test("every path that a glob matches contains one of its literals", () => {
  const globs = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join("")),
    fc.constantFrom(...sensitiveDefaults.map(({ pattern }) => pattern)),
  );
  fc.assert(
    fc.property(globs, name, (glob, parts) => {
      const path = parts.join("");
      const literals = literalsOf(glob);
      if (literals === undefined || !picomatch(glob, { dot: true, nocase: true })(path)) return;
      expect(literals.some((literal) => path.toLowerCase().includes(literal))).toBe(true);
    }),
    { numRuns: runs },
  );
});

test.each([
  ["**/{.env,.env.*,*.env}", [".env", ".env.", ".env"]],
  ["**/*.{PEM,key}", [".pem", ".key"]],
  ["**/.github/{workflows,actions}/**", ["workflows", ".github"]],
  ["src/**", ["src"]],
  ["**", undefined],
  ["{a,*}", undefined],
  ["@(a|b)", undefined],
  ["{1..3}x", undefined],
  ["größe", undefined],
])("the literals of %s", (glob, literals) => {
  expect(literalsOf(glob)).toEqual(literals);
});
