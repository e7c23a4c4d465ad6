/** apply_patch with patches larger than any model writes: it answers within seconds, whatever they contain. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../src/testing/workspace.ts";
import { outcomeOf } from "../../src/tools/patch/testing/patch.ts";
import { testContext, type TestToolContext } from "../../src/tools/testing/context.ts";

let workspace: TemporaryWorkspace;
let context: TestToolContext;
beforeEach(async () => {
  workspace = await temporaryWorkspace({});
  context = testContext(workspace.root);
});
afterEach(async () => {
  context.files.close();
  await workspace.remove();
});

const many = 100_000;
const lines = Array.from({ length: many }, (_, at) => `line ${at} ${"long ".repeat(8)}`);
const whole = `${lines.join("\n")}\n`;
const changed = `${lines.join("!\n")}!\n`;
const updating = (hunks: string): string => `*** Begin Patch\n*** Update File: f\n${hunks}*** End Patch\n`;
const numbered = (shift: number): string =>
  `--- a/f\n+++ b/f\n${lines.map((line, at) => `@@ -${at + shift} +${at + shift} @@\n-${line}\n+${line}!\n`).join("")}`;

/** Generous, because the machine may be busy. */
const secondsFor = 30_000;

const applied: readonly (readonly [string, () => string])[] = [
  ["found by their lines", () => updating(lines.map((line) => `@@\n-${line}\n+${line}!\n`).join(""))],
  ["with line numbers", () => numbered(1)],
  ["with wrong line numbers", () => numbered(9)],
  [
    "with headers that are nowhere",
    () => updating(lines.map((line, at) => `@@ none ${at}\n-${line}\n+${line}!\n`).join("")),
  ],
];

test.each(applied)(
  "100,000 hunks are applied within seconds: %s",
  async (_, patch) => {
    await writeFile(join(workspace.root, "f"), whole);
    expect((await outcomeOf(context, patch())).after["f"]?.text === changed).toBe(true);
  },
  secondsFor,
);

const refused: readonly (readonly [string, string, () => string])[] = [
  ["100,000 hunks that fit anywhere", "stand at 100000 places", () => updating("@@\n-x\n+y\n".repeat(many))],
  ["a run that fits nearly everywhere", "very many places", () => updating("-x\n".repeat(many / 2) + "+y\n")],
  [
    "100,000 hunks indented otherwise",
    "Nothing was changed",
    () => updating("@@\n-  x\n+  y\n".repeat(many)),
  ],
  ["10 MB of signs", "This is no patch", () => "- x\n".repeat(1_900_000)],
  ["10 MB in one line", "This is no patch", () => "x".repeat(10_000_000)],
  ["nothing but names", "says nothing of what to change", () => "--- a/f\n+++ b/f\n".repeat(600_000)],
  [
    "nothing but hunk headers",
    "says nothing of what to change",
    () => `--- a/f\n+++ b/f\n${"@@\n".repeat(1_900_000)}`,
  ],
  [
    "100,000 missing files",
    "There is no file f0",
    () => lines.map((_, at) => `*** Update File: f${at}\n-x\n+y\n`).join(""),
  ],
  ["40 million blank lines", "too long", () => `${"\n".repeat(40_000_000)}*** Begin Patch`],
];

test.each(refused)(
  "a huge unusable patch is refused within seconds: %s",
  async (_, words, patch) => {
    await writeFile(join(workspace.root, "f"), "x\n".repeat(many));
    const outcome = await outcomeOf(context, patch());
    expect(outcome.words).toContain(words);
    expect(outcome.words.length).toBeLessThan(10_000);
    expect(outcome.after).toEqual({});
  },
  secondsFor,
);
