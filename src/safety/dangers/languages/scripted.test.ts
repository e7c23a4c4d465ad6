import { expect, test } from "vitest";
import { literal, noFlows } from "../../command-line/word.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { scripted } from "./scripted.ts";

test.each<[string, string[]]>([
  ["sed s/a/b/ file", ["interprets sed s/a/b/", "reads file"]],
  ["sed -n -e s/a/b/ -e p file", ["interprets sed s/a/b/\np", "reads file"]],
  ["sed -i.save s/a/b/ file", ["interprets sed s/a/b/", "writes file edits"]],
  ["sed -i  s/a/b/ file", ["interprets sed s/a/b/", "writes file edits"]],
  ["sed --in-place -f script file", ["loads script sed", "writes file edits"]],
  ["sed -ie s/a/b/ file", ["interprets sed s/a/b/", "writes file edits"]],
  ["awk {print} a n=1 b", ["interprets awk {print}", "reads a", "reads b"]],
  ["awk -f - a", ["interprets-input awk", "reads a"]],
  ["sed -f /dev/stdin a", ["interprets-input sed", "reads a"]],
  ["awk -F : -f prog a", ["loads prog awk", "reads a"]],
  ["gawk -i inplace {print} a", ["interprets awk {print}", "writes a edits"]],
  ["gawk -l evil {print} a", ["interprets awk {print}", "loads evil awk", "reads a"]],
  ["gawk -oout {print} a", ["interprets awk {print}", "reads a", "writes out replaces"]],
  ["jq .a file", ["reads file"]],
  ["jq .env file", ["reads file"]],
  ["jq env", ["prints secret"]],
  ["jq -n $ENV.TOKEN", ["prints secret"]],
  ["jq --arg a b .x file", ["reads file"]],
  ["jq --slurpfile a data .x", ["reads data"]],
  ["jq -f prog file", ["reads prog", "reads file"]],
  ["jq .a|@base64d file", ["reads file", "prints decoded"]],
  ["yq .a file", ["reads file"]],
  ["yq -i .a=1 file", ["writes file edits"]],
  ["yq file.yml", ["reads file.yml"]],
  ["yq eval .a file", ["reads file"]],
  ['yq load("other.yml") file', ["reads file", "reads other.yml"]],
  ["dc -e !id", ["danger high its option -e runs a command", "interprets shell id"]],
  ['mlr --icsv put system("id") a.csv', ["danger high its expression runs a command", "reads a.csv"]],
  ["m4 a.m4", ["loads a.m4 other"]],
])("the code of a filter is reported with its language: %s", (line, effects) => {
  expect(told(effectsOf(scripted, line))).toEqual(effects);
});

test("m4 macros on standard input are treated as code, and known text is analysed", () => {
  const given = (code: string | undefined): string[] => {
    const text = code === undefined ? undefined : literal(code);
    return told(effectsOf(scripted, "m4", { text, flows: noFlows, isGiven: true }));
  };
  expect(given(undefined)).toEqual(["interprets-input other"]);
  expect(given("define(`a', `b')a")).toEqual([]);
  expect(given("syscmd(`id')")).toEqual([
    "danger high its macros run commands or read files",
    "interprets shell id",
  ]);
});
