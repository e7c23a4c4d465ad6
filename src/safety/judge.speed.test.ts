/** What judging a long line costs, counted in steps: lines that repeat one thing as often as 64 KiB hold. */

import { describe, expect, it } from "vitest";
import { openReport, type Report } from "./command-line/report.ts";
import { openShell } from "./command-line/shell.ts";
import { testFile } from "./dangers/program.ts";
import { judgeCommand, traceLine } from "./judge.ts";
import { placeOf } from "./judge/place.ts";
import { around } from "./testing/around.ts";

const filled = (line: (at: number) => string): string => {
  let all = "";
  for (let at = 0; all.length < 65_000; at += 1) all += line(at);
  return all;
};

const left = (line: string): Pick<Report, "steps" | "guesses"> => traceLine(line, openShell(around));

describe("the steps of a line", () => {
  it.each([
    ["files that each build may run", (at: number) => `echo x > a${at}; npm test; `],
    ["tests that are written and run", (at: number) => `echo 'import os' > a${at}.py; pytest; `],
    ["settings that may be run", () => "npm pkg set scripts.test='rm x y'; "],
    ["unknown programs with commands behind them", () => "zzz rm rm rm rm rm rm rm rm rm; "],
    ["words that are split again and again", () => "set -- $@ a; "],
  ])("a line of %s ends as not understood", (_, line) => {
    expect(judgeCommand(filled(line), around).severity).toBe("critical");
  });

  it("a text that was written costs once, however many programs may run it", () => {
    const written = "printf 'a: b c\\nd: e f\\n' > settings.yml; ";
    const [once, often] = [1, 20].map((times) => left(written + "npm test; ".repeat(times)).guesses);
    expect(often).toBe(once);
  });

  it("a text whose meaning variables may change is looked at each time", () => {
    const written = "printf 'a: b $c\\n' > settings.yml; ";
    const [once = 0, often = 0] = [1, 20].map((times) => left(written + "npm test; ".repeat(times)).guesses);
    expect(often).toBeLessThan(once);
  });

  it("what a container may run is looked at again for this machine", () => {
    const written = "printf 'a: rm -rf /\\nd: e f\\n' > settings.yml; ";
    expect(judgeCommand(`${written}docker run -it image npm test; npm test`, around).severity).toBe(
      judgeCommand(`${written}npm test`, around).severity,
    );
  });

  it("what only may run has an end of its own, which is critical", () => {
    const line = `zzz ${"rm ".repeat(16)}; `.repeat(130);
    const { steps, guesses } = left(line);
    expect(steps).toBeGreaterThan(0);
    expect(guesses).toBeLessThanOrEqual(0);
    expect(judgeCommand(line, around).severity).toBe("critical");
  });

  it("commands with many words are several steps", () => {
    const spent = (words: number): number => openReport().steps - left(`echo ${"a ".repeat(words)}`).steps;
    expect(spent(640) - spent(1)).toBe(20);
  });
});

it("a path of thousands of names is found as a short one is", () => {
  const deep = `${"a/".repeat(20_000)}.env`;
  expect(placeOf(deep, around).secret).toBe(placeOf("a/.env", around).secret);
});

it("a name of a million letters is known as a file of tests or not, as a short one is", () => {
  const names = [
    "cart.test.ts",
    "run_tests.py",
    "test-a.mjs",
    "tests.ts",
    "a.tests",
    "contest.ts",
    "a.test_ts",
  ];
  const is = names.map((name) => testFile.test(`node src/${name}`));
  expect(is).toEqual([true, true, true, true, false, false, false]);
  expect(testFile.test(`node ${"test.".repeat(200_000)}`)).toBe(false);
  expect(testFile.test(`node a.${"test_".repeat(200_000)}`)).toBe(false);
  expect(testFile.test(`node ${"test.".repeat(200_000)}ts`)).toBe(true);
});
