import { expect, test } from "vitest";
import type { Risk } from "../../protocol/facts.ts";
import { judgeCommand } from "../judge.ts";
import { isAtLeast } from "../judgement.ts";

const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj" };

/** Each of these ran in a real bash, and was judged harmless. */
test.each<[string, Risk]>([
  ["echo [$(rm -rf ~)]", "critical"],
  ["[[ x == [$(rm -rf ~)] ]]", "critical"],
  ['echo "${x#[$(rm -rf ~)]}"', "critical"],
  ["x={a,$(rm -rf ~)}", "critical"],
  ["declare x={a,$(rm -rf ~)}", "critical"],
  ["cat <<< {a,$(rm -rf ~)}", "critical"],
  ["echo >{a,$(rm -rf ~)}", "critical"],
  ["f() { f() { rm -rf ~; }; f; }; f", "critical"],
  ["echo | xargs rm -rf ~", "critical"],
  ["rm -rf $(cat <<< a; cat <<< /)", "critical"],
  ["bash <<E\nrm -rf \\\\\n~\nE", "critical"],
  ["echo $(cat <<E\nE\nrm -rf build; ls ~)", "high"],
  ["x=>(ls) rm -rf ~", "high"],
  ["env x=<(ls) rm -rf ~", "high"],
  ["bash -c 'x=>(ls) rm -rf ~'", "high"],
  ["bash -c 'echo \"${x-$'\\''\\x24(rm -rf ~)'\\''}\"'", "high"],
  ['a=(["\\$(rm -rf ~)"]=1)', "high"],
  ["x='a[$(rm -rf ~)]'; let x", "high"],
  ["x='a[$(rm -rf ~)]' let x", "high"],
  ["x='a[$(rm -rf ~)]'; y=x; echo $((y))", "high"],
  ["x='a[$(rm -rf ~)]'; [[ x -eq 1 ]]", "high"],
  ["x='a[$(rm -rf ~)]'; echo ${!x} ${PATH:x}", "high"],
  ["for x in 'a[$(rm -rf ~)]'; do ((x)); done", "high"],
  ["f() { (($1)); }; f 'a[$(rm -rf ~)]'", "high"],
])("%s is at least %s", (line, least) => {
  const { severity } = judgeCommand(line, around);
  expect([severity, isAtLeast(severity, least)]).toEqual([severity, true]);
});

test.each([
  "diff <(sort a) <(sort b)",
  "body='- [ ] see `ls` and [this](x)'",
  "cp a{,.$(date +%F)}",
  "x=a-b; echo ${x%-*} ${x#*/}",
  "x=(a b); y=z",
  "x=$(cat <<E\na; b\nE\n); y=z",
])("%s only looks like one of them", (line) => {
  expect(judgeCommand(line, around).severity).toBe("none");
});

test.each([
  "a=$a$a; ",
  "a=(${a[@]} ${a[@]}); ",
  "{a,b}",
  "{a..z}",
  "f() { f; }; f; ",
  "<<A ",
  "*?[a] ",
  "[$(",
])("%j over and over makes it neither throw nor wait", (piece) => {
  const line = `a=x; ${piece.repeat(60_000 / piece.length)}`;
  const started = performance.now();
  expect(judgeCommand(line, around).severity).toMatch(/^(?:none|medium|high|critical)$/u);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("a later round of a loop sees what an earlier one has set", () => {
  const tier = (line: string) => judgeCommand(line, around).severity;
  expect(tier("x=dist; while read y; do rm -rf $x; x=~; done")).toBe("high");
  expect(tier("x=a.txt; for f in *; do rm -rf $x; x=~; done")).toBe("critical");
  expect(tier("until ! read x; do :; done <<< 1; rm -rf ${x:=~}")).not.toBe("medium");
});

test("braces are found in the text, as bash does it", () => {
  expect(judgeCommand('a=("`rm -rf "{~,b}"`")', around).severity).toBe("critical");
  expect(judgeCommand('rm -rf "${x-"{/,~}"}"', around).severity).toBe("critical");
  expect(judgeCommand('echo "a $(eval "{rm,-rf,~}") b"', around).severity).toBe("critical");
});

test("a substitution that is written in escapes is not taken for text", () => {
  const line = "echo \"${a-$'\\x24(rm x)'}\"";
  expect(judgeCommand(line, around).severity).toBe("high");
});
