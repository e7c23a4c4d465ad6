import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { finding } from "./finding.ts";

/** Drops the printed list, which other tests cover. */
const withoutList = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith("prints "));

test.each([
  ["ls", "prints *"],
  ["ls -A", "prints *"],
  ["ls *.log /dev/sd*", "prints *.log\n/dev/sd*"],
  ["ls src", undefined],
  ["ls -la", undefined],
])("the file list printed by %s: %s", (line, expected) => {
  expect(told(effectsOf(finding, line))[0]?.replace(/ deep/gu, "").trim()).toBe(expected);
});

test.each<[string, string[]]>([
  ["fd -e ts", []],
  ["fd foo src -x rm {}", ["runs rm src/**/*foo*"]],
  ["fd -e log -X rm", ["runs rm ./**/*.log"]],
  ["fd -g *.ts a -x wc -l ; -x rm {/}", ["runs wc -l a/**/*.ts", "runs rm a/**/*.ts"]],
  ["fd -tx", []],
  ["ls -la /etc", []],
  ["tree -o out src", ["writes out replaces"]],
  ["grep -rn foo src", ["reads src"]],
  ["grep -f patterns -e x a b", ["reads patterns", "reads a", "reads b"]],
  ["grep foo", []],
  ["rg foo src", ["reads src"]],
  ["rg --files src", ["reads src"]],
  ["rg --pre ./evil foo", ["danger high its option --pre runs a command", "interprets shell ./evil"]],
  [
    "rg --hostname-bin=./evil foo",
    ["danger high its option --hostname-bin runs a command", "interprets shell ./evil"],
  ],
  ["ag --pager ./evil foo", ["danger high its option --pager runs a command", "interprets shell ./evil"]],
  [
    "fzf --preview cat_{} --bind enter:execute(rm_{})",
    [
      "danger high its option --preview runs a command",
      "interprets shell cat {}",
      "danger high its option --bind runs a command",
      "interprets shell enter:execute(rm {})",
    ],
  ],
  ["fzf --bind ctrl-a:select-all", []],
  ["sd a b file", ["writes file edits"]],
  ["ast-grep -p a -r b -U src", ["writes src edits"]],
  ["updatedb", ["danger high it rebuilds the system's index of files"]],
])("search tools report what they read, write and run: %s", (line, effects) => {
  expect(withoutList(told(effectsOf(finding, line)))).toEqual(effects);
});

test("a printed list of found files is reported as paths below the searched directory", () => {
  const printed = (line: string) => told(effectsOf(finding, line)).filter((one) => one.startsWith("prints "));
  expect(printed("grep -rl x src")).toEqual(["prints src/**/found"]);
  expect(printed("rg -l x")).toEqual(["prints ./**/found"]);
  expect(printed("rg --files src")).toEqual(["prints src/**/found"]);
  expect(printed("fd -e ts")).toEqual(["prints ./**/found"]);
  expect(printed("grep -rn x src")).toEqual([]);
});
