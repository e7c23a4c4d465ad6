import { expect, test } from "vitest";
import { type Flow, literal, noFlows, unknown } from "../../command-line/word.ts";
import { effectsOf, effectLines } from "../../testing/effects.ts";

const tells = (line: string, text?: string, flows: ReadonlySet<Flow> = noFlows): string[] => {
  const input = { text: text === undefined ? undefined : literal(text), flows, isGiven: true };
  return effectLines(effectsOf([], line, input)).map((words) => words.trim());
};

test.each([
  ["xargs rm -rf", "a b\n/ c", ["runs rm -rf a b / c"]],
  ["xargs -n1 rm", "a b", ["runs rm a", "runs rm b"]],
  ["xargs -n 2 rm", "a b c", ["runs rm a", "runs rm b", "runs rm c"]],
  ["xargs -L1 rm", "a b\nc", ["runs rm a b", "runs rm c"]],
  ["xargs -I{} rm -rf {}/x", "a b\n c", ["runs rm -rf a b/x", "runs rm -rf c/x"]],
  ["xargs -i rm {}", "a", ["runs rm a"]],
  ["xargs --replace=% rm %", "a", ["runs rm a"]],
  ["xargs -d , rm", "a b,c", ["runs rm a b c"]],
  ["xargs -d \\n sh -c", "rm -rf x\n", ["runs sh -c rm -rf x"]],
  ["xargs rm", `'a b' "c d" e\\ f`, ["runs rm a b c d e f"]],
  ["xargs", "a", ["runs echo a"]],
  ["xargs rm -rf x", "", ["runs rm -rf x"]],
  ["xargs -r rm -rf x", "", []],
  ["xargs -I{} rm {}", "", []],
  ["xargs -t -P4 -r --max-args=1 rm", "a", ["runs rm a"]],
])("known input becomes the arguments of commands: %s with %j", (line, text, effects) => {
  expect(tells(line, text)).toEqual(effects);
});

test.each([
  ["xargs rm -rf", ["runs rm -rf …"]],
  ["xargs -I{} sh -c {}", ["runs sh -c …"]],
  ["xargs -a names rm", ["reads names", "runs rm …"]],
])("unknown input becomes an unknown argument that carries its data flows: %s", (line, effects) => {
  expect(tells(line)).toEqual(effects);
  const given = { text: undefined, flows: new Set<Flow>(["network"]), isGiven: true };
  const run = effectsOf([], line, given).find(({ type }) => type === "runs");
  const last = run?.type === "runs" ? run.words.at(-1) : undefined;
  expect(last?.text).toBe(unknown);
  expect(last?.carries.has("network")).toBe(true);
});

test("input from the network may contain options, other unknown input does not", () => {
  const optional = (flows: ReadonlySet<Flow>): boolean[] =>
    effectsOf([], "xargs rm", { text: undefined, flows, isGiven: true }).flatMap((effect) =>
      effect.type === "runs" ? effect.words.map(({ mayBeSeveral }) => mayBeSeveral) : [],
    );
  expect(optional(noFlows)).toEqual([false, false]);
  expect(optional(new Set(["network"]))).toEqual([false, true]);
});

test.each([
  ["parallel rm -rf ::: a b", ["runs rm -rf a", "runs rm -rf b"]],
  ["parallel -j 4 rm_-rf_{}/x ::: a", ["runs rm -rf a/x"]],
  ["parallel rm_{};id ::: a", ["interprets shell rm 'a';id"]],
  ["parallel ::: id ls", ["interprets shell id", "interprets shell ls"]],
  ["parallel", ["interprets-input shell"]],
  ["parallel :::: cmds", ["reads cmds", "loads cmds shell"]],
  ["parallel -j 4 -a cmds", ["reads cmds", "loads cmds shell"]],
  ["parallel cat :::: names", ["reads names", "runs cat …"]],
  ["parallel -S host id ::: a", ["danger high it runs commands on other machines", "runs id a"]],
  ["parallel --dry-run rm ::: a", []],
])("parallel runs one command per input: %s", (line, effects) => {
  expect(tells(line)).toEqual(effects);
});

test("no input is dropped, even among thousands", () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `f${at}`);
  for (const effects of [
    tells("xargs -n1 rm", names.join("\n")),
    tells(`parallel rm ::: ${names.join(" ")}`),
  ]) {
    const words = new Set(effects.flatMap((each) => each.split(" ")));
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  }
});
