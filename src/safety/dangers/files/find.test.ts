import { expect, test } from "vitest";
import { processorMs } from "../../../testing/processor-time.ts";
import { effectsOf, effectLines } from "../../testing/effects.ts";

/** Drops the printed list, which other tests cover. */
const withoutList = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith("prints "));

test.each<[string, string[]]>([
  ["find", []],
  ["find . -name *.ts", []],
  ["find . -delete", ["deletes . deep", "deletes ./* deep"]],
  ["find . -type f -delete", ["deletes ./* deep"]],
  ["find a b -name *.log -delete", ["deletes a/**/*.log deep", "deletes b/**/*.log deep"]],
  ["find . -maxdepth 1 -name *.log -delete", ["deletes ./**/*.log deep"]],
  ["find . -mtime +7 -delete", ["deletes . deep", "deletes ./* deep"]],
  ["find . -empty -delete", ["deletes ./**/?* deep"]],
  ["find . -path ./dist/* -delete", ["deletes ./dist/* deep"]],
  ["find . -name * -delete", ["deletes . deep", "deletes ./* deep"]],
  ["find . -name a -path */.git/* -delete", ["deletes ./*/.git/* deep"]],
  ["find . ( -name a -o -name b ) -delete", ["deletes ./**/a deep", "deletes ./**/b deep"]],
  ["find . ( -name a -o -type d ) -delete", ["deletes ./**/a deep", "deletes ./* deep"]],
  ["find . -name .git -prune -o -name *.ts -delete", ["deletes ./**/*.ts deep"]],
  ["find . ! -name keep -delete", ["deletes . deep", "deletes ./* deep"]],
  ["find . -not ( -name keep ) -delete", ["deletes . deep", "deletes ./* deep"]],
  ["find . -name *.ts -exec rm {} ;", ["runs rm ./**/*.ts"]],
  ["find . -exec sh -c wc_-l_{} ;", ["runs sh -c wc -l .", "runs sh -c wc -l ./*"]],
  ["find . -name a -execdir cp {} {}.bak ; -delete", ["runs cp ./**/a ./**/a.bak", "deletes ./**/a deep"]],
  ["find . -exec id +", ["runs id +"]],
  ["find -L a -ok rm {} ;", ["runs rm a", "runs rm a/*"]],
  ["find . -fprintf out %p", ["writes out replaces"]],
  ["find . -fls out -fprint0 other", ["writes out replaces", "writes other replaces"]],
  ["find -files0-from list -delete", ["reads list", "deletes … deep", "deletes …/* deep"]],
  ["find ?dir -name a", []],
  ["find . ?rest", ["danger high what it does is only known when it runs"]],
  ["find . -name a ?rest", ["danger high what it does is only known when it runs"]],
  ["find . -exec rm", ["runs rm"]],
  ["find ) ) -delete", ["danger critical it does more than can be looked at"]],
  ["find . -name", []],
])("find reports its actions on the files it finds: %s", (line, effects) => {
  expect(withoutList(effectLines(effectsOf([], line)))).toEqual(effects);
});

test("a find line too long to analyse is critical, and the analysis stays fast", () => {
  const many = (part: string): string => Array.from({ length: 4_000 }, () => part).join(" ");
  const lines = [
    `find ${many("a")} -delete`,
    `find . ${many("(")}`,
    `find . ${many("( -name a -o")} -delete`,
  ];
  let last: readonly (string | undefined)[] = [];
  const cost = processorMs(() => {
    last = lines.map((line) => withoutList(effectLines(effectsOf([], line))).at(-1));
  });
  expect(last).toEqual(lines.map(() => "danger critical it does more than can be looked at"));
  expect(cost).toBeLessThan(5_000);
});

test("find prints paths below its starting points, unless it has another action", () => {
  const printed = (line: string) =>
    effectLines(effectsOf([], line)).filter((one) => one.startsWith("prints "));
  expect(printed("find")).toEqual(["prints ./*"]);
  expect(printed("find src -name *.ts -type f")).toEqual(["prints src/**/*.ts"]);
  expect(printed("find . -name *.pyc -delete")).toEqual([]);
});
