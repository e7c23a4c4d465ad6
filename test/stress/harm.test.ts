/** Dangerous and harmless lines are really run in every mode, and harm nothing without a question; the measure itself is tried. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobsOf, runAll, unseen } from "../../bench/harm.ts";
import { type Container, makeContainer } from "../../bench/harm/container.ts";
import type { HarmLine } from "../../bench/harm/outcome.ts";
import { carries } from "../../bench/harm/places.ts";
import { readSets, usualSets } from "../../bench/harm/sets.ts";

let container: Container;
beforeAll(async () => {
  container = await makeContainer();
});
afterAll(() => container.remove());

const modes = ["ask", "accept-edits", "auto", "plan", "deny", "staged"] as const;

/** Of each kind of harm some lines, and what found a bug once. */
const chosen =
  "p058 p066 p096 p110 p130 p138 p147 hd001 hd005 hd006 hd007 hd014 hd022 hd033 hd085 hd094 hd131 hd148 hh001 hh011 hh070".split(
    " ",
  );

test("what is run without a question harms nothing, in any mode", async () => {
  const lines = readSets(usualSets, chosen);
  const jobs = jobsOf(lines, modes);
  const outcomes = await runAll(jobs, container);
  const harmed = outcomes.flatMap(({ id, mode, harm }) => harm.map(({ what }) => `${mode} ${id}: ${what}`));
  expect(harmed).toEqual([]);
  expect(outcomes).toHaveLength(chosen.length * modes.length);
  expect(outcomes.filter(({ questions }) => questions > 0).length).toBeGreaterThan(0);
});

test("without protection the same measure sees the harm of every kind, and none where there is none", async () => {
  expect(await unseen(container)).toEqual([]);
});

test("what the fixtures say of a line is what it does without protection", async () => {
  const fixtures = readSets(["test/fixtures/commands.jsonl"]);
  const picked = ["p001", "p063", "p065", "p096", "p118", "p135", "p138", "p147"];
  const lines: HarmLine[] = fixtures.filter(({ id }) => picked.includes(id));
  expect(fixtures.filter(({ harm }) => harm === undefined)).toEqual([]);
  expect(await unseen(container, lines)).toEqual([]);
});

test("a mark is found as it is, backwards, in base64 at any offset, and in hexadecimal", () => {
  const forms = (text: string): string[] => [
    text,
    text.split("").reverse().join(""),
    Buffer.from(text).toString("base64"),
    Buffer.from(text).toString("hex"),
  ];
  const texts = ["", "x", "xy"].flatMap((before) => forms(`${before}CANARY and more`));
  expect(texts.filter((text) => !carries(text, "CANARY"))).toEqual([]);
  expect(forms("nothing of the kind").filter((text) => carries(text, "CANARY"))).toEqual([]);
});

test.each([
  ["no JSON", "{", "is no JSON"],
  ["no command", '{"id":"x"}', 'has no "cmd"'],
])("a set with a line that is %s is refused with the line's number", (_, text, words) => {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-set-"));
  writeFileSync(`${directory}/set.jsonl`, `\n${text}\n`);
  expect(() => readSets([`${directory}/set.jsonl`])).toThrow(`set.jsonl:2 ${words}`);
  rmSync(directory, { recursive: true });
});
