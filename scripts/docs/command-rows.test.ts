import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { compiledRows } from "./command-rows.ts";

const made: string[] = [];

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "rows-"));
  made.push(root);
  mkdirSync(join(root, "src/safety/commands"), { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(root, "src/safety/commands", name), text);
  return root;
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true });
});

test("a row is compiled with the place where it stands", () => {
  expect(compiledRows(rootWith({ "a.yaml": "# one\n- { programs: tac rev, does: reads }\n" }))).toContain(
    "a.yaml:2",
  );
});

test.each([
  ["- { programs: tac, dose: reads }", "a.yaml:1"],
  ["- { programs: tac }\n- { programs: rev, does: raeds }", 'a.yaml:2: "raeds" is not understood'],
  ["- { programs: tac rev }\n- { programs: rev }", "a.yaml:2: rev has a row already: a.yaml:1"],
  ["- { programs: tac", "a.yaml:"],
  ["programs: tac", "a.yaml:1: it must be a list of rows"],
  ["", "a.yaml:1: it must be a list of rows"],
  ["- 7", "a.yaml:1"],
  ["- { programs: tac, checks: '(' }", 'a.yaml:1: "(" is no pattern'],
  ["- { programs: tac, looks: { tac: { operands: '(' } } }", 'a.yaml:1: "(" is no pattern'],
  ["- { programs: tac, looks: { tac rev: -s } }", 'a.yaml:1: "looks" names rev, which is none'],
])("a mistake is told with its file and line: %s", (text, problem) => {
  expect(() => compiledRows(rootWith({ "a.yaml": text }))).toThrow(`src/safety/commands/${problem}`);
});
