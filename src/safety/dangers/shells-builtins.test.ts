import { expect, test } from "vitest";
import { effectsOf, effectLines } from "../testing/effects.ts";

const tells = (line: string): string[] => effectLines(effectsOf([], line)).map((words) => words.trim());
const evaluated = (text: string): string => `interprets shell : <<END_OF_TEXT\n${text}\nEND_OF_TEXT`;

test.each([
  ["eval rm -rf x", "interprets shell rm -rf x"],
  ["eval -- id", "interprets shell id"],
  ["source x.sh a", "loads x.sh shell bash a"],
  [". ./x.sh", "loads ./x.sh shell"],
  ["source /dev/stdin", "loads /dev/stdin shell"],
  ["trap id EXIT", "interprets shell id"],
  ["trap -- id 0", "interprets shell id"],
  ["alias x=rm_-rf_y", "interprets shell rm -rf y"],
  ["mapfile -c 1 -C id a", "interprets shell id"],
  ["complete -C id x", "interprets shell id"],
  ["compgen -C id", "interprets shell id"],
  ["history -w out", "writes out edits"],
  ['bind "z:ls"', "danger high it changes what keys mean to the shell"],
  ["bindkey ^X x", "danger high it changes what keys mean to the shell"],
])("code that a builtin runs, loads or writes is reported: %s", (line, effect) => {
  expect(tells(line)).toEqual([effect]);
});

test.each([
  ["declare a[$(id)]=1", "a[$(id)]=1"],
  ["typeset a[`id`]=1", "a[`id`]=1"],
  ["export a[$(id)]=1", "a[$(id)]=1"],
  ["declare a=($(id))", "a=($(id))"],
  ["declare -i x=a[$(id)]", "a[$(id)]"],
  ["unset a[$(id)]", "a[$(id)]"],
  ["read -r a[$(id)]", "a[$(id)]"],
  ["mapfile a[$(id)]", "a[$(id)]"],
  ["let a[$(id)]=1", "a[$(id)]=1"],
  ["test -v a[$(id)]", "a[$(id)]"],
  ["[ -v a[$(id)] ]", "a[$(id)]"],
  ["compgen -W $(id)", "$(id)"],
])("bash evaluates a subscript and runs what it substitutes: %s", (line, text) => {
  expect(tells(line)).toEqual([evaluated(text)]);
});

test.each([
  ["export PATH=/tmp/x", "danger high its variable PATH has programs come from another directory"],
  ["declare -x PATH=/tmp/x", "danger high its variable PATH has programs come from another directory"],
  ["hash -p /tmp/x ls", "danger high it lets a name stand for another program"],
])("a builtin that affects later commands is reported: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});

test("the command of a key binding is code", () => {
  expect(tells('bind -x "\\C-t":_id')).toContain("interprets shell  id");
});

test.each(["set", "export", "export -p", "declare -x", "typeset", "declare -p"])(
  "%s shows every variable with its value",
  (line) => {
    expect(tells(line)).toEqual(["prints secret variables"]);
  },
);

test("cd is known to print nothing", () => {
  expect(tells("cd src")).toEqual(["prints"]);
});

test.each([
  ":",
  "true",
  "cd -",
  "set -euo pipefail",
  "shopt -s globstar",
  "trap - EXIT",
  "trap",
  "alias",
  "alias x",
  "export A=b",
  "declare -A m",
  "declare -f",
  "declare -p x",
  "declare -i x=1+2",
  "local x=1",
  "readonly A=3",
  "read -r line",
  "unset A",
  "let x=1+2",
  "[ -f x ]",
  "test a = b",
  "hash -r",
  "history",
  "type node",
  "wait",
  "compgen -c",
])("has no effect: %s", (line) => {
  expect(tells(line)).toEqual([]);
});
