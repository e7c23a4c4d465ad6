import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../base/testing/any-character.ts";
import { processorMs } from "../../../testing/processor-time.ts";
import { literal } from "../../command-line/word.ts";
import { type SqlKind, sqlEffects, statementsIn } from "./sql.ts";

const words = (text: string, kind: SqlKind = "postgres"): string[] =>
  statementsIn(text, kind).map((statement) => statement.map((token) => token.text).join(" "));

test.each([
  ["select 1; drop table t", "postgres", ["SELECT 1", "DROP TABLE T"]],
  ["select ';' as a -- ; drop\n;b", "postgres", ["SELECT ; AS A", "B"]],
  ["select 'it''s; x'", "postgres", ["SELECT it's; x".replace("'s", "''s")]],
  ["select 'a\\'; drop table t; --'", "postgres", ["SELECT a\\", "DROP TABLE T"]],
  ["select 'a\\'; drop table t; --'", "mysql", ["SELECT a\\'; drop table t; --"]],
  ["select e'a\\'; drop'", "postgres", ["SELECT a\\'; drop"]],
  ["do $x$ begin; end $x$; b", "postgres", ["DO  begin; end ", "B"]],
  ["/* a; */ b /* c", "postgres", ["B"]],
  ["/*!40000 drop */ table t", "mysql", ["DROP TABLE T"]],
  [".tables\nselect 1;", "sqlite", [".tables", "SELECT 1"]],
  ["select 'open; b", "sqlite", ["SELECT open; b"]],
] as const)("statements are split as by the database: %s", (text, kind, statements) => {
  expect(words(text, kind)).toEqual(statements);
});

const kinds = fc.constantFrom<SqlKind>("postgres", "mysql", "sqlite", "other");

test("no text makes it throw or take long", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), kinds, (text, kind) => {
      expect(Array.isArray(sqlEffects(literal(text), kind))).toBe(true);
    }),
  );
  for (const part of ["(", "'", "/*", "\\", "$a$", "with ", "\0", ";", "explain analyze delete "]) {
    const cost = processorMs(() => void sqlEffects(literal(part.repeat(20_000)), "postgres"));
    expect(cost, part).toBeLessThan(5_000);
  }
});

test("a DROP is found at any position among other statements", () => {
  const others = fc.array(
    fc.constantFrom(
      "select 1",
      "insert into t values ('a;b')",
      "-- c\nselect 2",
      'select "x;y"',
      "/* ; */ select 3",
    ),
  );
  fc.assert(
    fc.property(others, others, kinds, (before, behind, kind) => {
      const text = [...before, "drop table t", ...behind].join(";\n");
      expect(sqlEffects(literal(text), kind)).toContainEqual(
        expect.objectContaining({ type: "danger", severity: "high" }),
      );
    }),
  );
});
