/** Arguments filled into placeholders. */

import { expect, test } from "vitest";
import { expandCommand } from "./expand.ts";

const expand = (body: string, typed = "") => expandCommand({ body }, typed);

test("placeholders of every supported syntax are filled", () => {
  expect(expand("Fix $ARGUMENTS now", "issue 12")).toBe("Fix issue 12 now");
  expect(expand("$1 then $2 then $3.", `one "two words"`)).toBe("one then two words then .");
  expect(expand("${1:-main} and ${2:-dev}", "x")).toBe("x and dev");
  expect(expand("Look at {{args}}!", "it")).toBe("Look at it!");
  expect(expand("$ARGUMENTS[1] before $ARGUMENTS[0]", "a b")).toBe("b before a");
  expect(expand("${input:what:a thing}", "")).toBe("a thing");
  expect(expand("$FILE in $HOME", `FILE="my file.ts"`)).toBe("my file.ts in $HOME");
});

test("an apostrophe within a word is a letter, and quotes hold together whole words", () => {
  const first = (typed: string) => expand("$1|$2", typed);
  expect(first("don't or can't now")).toBe("don't|or");
  expect(first("'tis the season's")).toBe("'tis|the");
  expect(first("'two words' three")).toBe("two words|three");
  expect(first(`it's "two words"`)).toBe("it's|two words");
  expect(first(`--to="a b" c`)).toBe("--to=a b|c");
  expect(first(`""`)).toBe("|");
  expect(first(`5" wide`)).toBe(`5"|wide`);
});

test("arguments are appended to a text without placeholders", () => {
  expect(expand("Review it.", "carefully")).toBe("Review it.\n\nArguments: carefully");
  expect(expand("Review it.")).toBe("Review it.");
});

test("typed arguments are inserted literally, without further expansion", () => {
  expect(expand("A $ARGUMENTS B", "$1 !`rm x` $& $ARGUMENTS")).toBe("A $1 !`rm x` $& $ARGUMENTS B");
});

test("an inline command becomes an instruction to the model; nothing is run", () => {
  expect(expand("- Status: !`git show $1`\n", "HEAD")).toBe(
    "- Status: (First run `git show HEAD`, and take what it prints for this.)\n",
  );
  expect(expand("wow!`x`")).toBe("wow!`x`");
});

test("positional arguments count from 0 if the text contains $0, and from 1 otherwise", () => {
  expect(expand("Move $0 from $1 to $2.", "Bar React Vue")).toBe("Move Bar from React to Vue.");
  expect(expand("Move it from $1 to $2.", "React Vue")).toBe("Move it from React to Vue.");
  expect(expand("It costs $0.50, $1.", "x")).toBe("It costs $0.50, x.");
});

test("arguments are assigned in order to the names declared in the front matter", () => {
  const body = "Fix $issue on $branch of $HOME, not $issues.";
  const argumentNames = ["issue", "branch"];
  expect(expandCommand({ body, argumentNames }, '42 "hot fix"')).toBe(
    "Fix 42 on hot fix of $HOME, not $issues.",
  );
  expect(expandCommand({ body, argumentNames }, "")).toBe("Fix  on  of $HOME, not $issues.");
});

test("a block of commands becomes an instruction, too", () => {
  expect(expand("State:\n```!\nnode --version\ngit log $1\n```\nGo on.\n```sh\nls\n```", "HEAD")).toBe(
    "State:\n(First run this, and take what it prints for this.)\n```sh\nnode --version\ngit log HEAD\n```\nGo on.\n```sh\nls\n```",
  );
});

test("a price of $10 is not a placeholder", () => {
  expect(expand("It costs $10 and $100.", "x")).toBe("It costs $10 and $100.\n\nArguments: x");
});

test("a dollar escaped by a backslash or a second dollar is literal", () => {
  expect(expand("It costs \\$1.00 or $$5, \\$ARGUMENTS: $1", "x")).toBe(
    "It costs $1.00 or $5, $ARGUMENTS: x",
  );
  expect(expand("echo $$ and \\$", "x")).toBe("echo $$ and \\$\n\nArguments: x");
});

test("a text of nothing but opening delimiters is expanded without excessive backtracking", () => {
  const body = `${"${1:-".repeat(8_000)}${"!`".repeat(8_000)}${"{{".repeat(8_000)}${"${input:".repeat(2_000)}${"\n```!\n".repeat(8_000)}`;
  expect(expand(body)).toBe(body);
});
