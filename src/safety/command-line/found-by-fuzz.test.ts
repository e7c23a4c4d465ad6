import { expect, test } from "vitest";
import type { Risk } from "../../protocol/facts.ts";
import { processorMs } from "../../testing/processor-time.ts";
import { judgeCommand } from "../judge.ts";
import { isAtLeast } from "../judgement.ts";
import { around } from "../testing/around.ts";

/** Each of these ran in a real bash although it had been judged harmless. */
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
  ["x=~; false && x=dist; rm -rf $x", "critical"],
  ["x=~; test -d a && test -d b && x=dist; rm -rf $x", "critical"],
  ["x=dist; x=~ && true || x=dist; rm -rf $x", "critical"],
  ["x=dist; test -d a || x=~; rm -rf $x", "critical"],
  ['x=~; false && x=dist; eval "rm -rf $x"', "critical"],
  ["x=~; false && x=dist; echo $(rm -rf $x) >a", "critical"],
  [`${"test -d a || x=1 || ".repeat(40)}ls`, "high"],
  ["mv a b || kept='rm -rf ~'; eval \"$kept\"", "critical"],
  ["[ -d dist ] && x=dist; rm -rf $x/sub", "high"],
  ["echo $(($(echo 'a[$(rm -rf ~)]')))", "critical"],
  ["eval a=('`rm -rf ~`')", "critical"],
  ["eval a+=(x '$(rm -rf ~)' y)", "critical"],
  ['eval a=("$(rm -rf ~)")', "critical"],
  ['eval a=("$(cat names)")', "high"],
  ...[
    "a=([$(case x in x)cat<<<'`rm -rf ~`';esac)]=1)",
    "a=([$(echo '$(rm -rf ~)'; :)]=1)",
    "x=$(echo '$(rm -rf ~)'; :); a=([$x]=1)",
    "[[ $(echo 'a[$(rm -rf ~)]'; :) -eq 1 ]]",
    "[[ -v $(cat <<'E'; :\na[$(rm -rf ~)]\nE\n) ]]",
    "echo $(($(echo 'a[$(rm -rf ~)]'; :)))",
    'let "$(printf \'%s[$(rm -rf ~)]\' "$y")"',
    "x=$(echo 'a[$(rm -rf ~)]'; :); echo $((x))",
    "x=$(echo 'a[$(rm -rf ~)]'; :); a[x]=1",
    "x=$(echo 'a[$(rm -rf ~)]'; :); echo ${!x}",
    "x=$(echo 'a[$(rm -rf ~)]'; :); echo ${PATH:x}",
    "printf -v \"$(echo 'a[$(rm -rf ~)]'; :)\" 1",
    "declare -i y=$(echo 'a[$(rm -rf ~)]'; :)",
    "read \"$(echo 'a[$(rm -rf ~)]'; :)\" <<< 1",
    "for i in $(echo 'a[$(rm -rf ~)]'; :); do echo $((i)); done",
    "f() { echo $(($1)); }; f $(echo 'a[$(rm -rf ~)]'; :)",
    "{ echo 'a[$(rm -rf ~)]'; :; } | while read l; do echo $((l)); done",
  ].map((line): [string, Risk] => [line, "high"]),
])("%s is judged at least %s", (line, least) => {
  const { severity } = judgeCommand(line, around);
  expect([severity, isAtLeast(severity, least)]).toEqual([severity, true]);
});

test.each([
  'count=$(grep -c "\\`" README.md); echo $((count + 1))',
  "last=$(awk '{print $(NF-1)}' sizes.txt); echo $((last * 2))",
  "body=$(cat <<E\nUse `ls` at $HOME\nE\n)",
  'text=$(printf "Run `date` in %s" "$HOME"); echo "$text"',
  "eval a=('x' \"y\" z)",
  'a=([0]=x [1]=y); for i in "${!a[@]}"; do echo "$((i + 1)) ${a[i]}"; done',
  "n=$(wc -l < a.txt); [[ $n -gt $(echo 3; :) ]]",
])("%s is judged none despite its backticks, dollars or brackets", (line) => {
  expect(judgeCommand(line, around).severity).toBe("none");
});

test.each([
  "diff <(sort a) <(sort b)",
  "body='- [ ] see `ls` and [this](x)'",
  "cp a{,.$(date +%F)}",
  "x=a-b; echo ${x%-*} ${x#*/}",
  "x=(a b); y=z",
  "x=$(cat <<E\na; b\nE\n); y=z",
])("%s is judged none although it resembles a bypass", (line) => {
  expect(judgeCommand(line, around).severity).toBe("none");
});

test.each([
  "a=$a$a; ",
  "a=(${a[@]} ${a[@]}); ",
  "{a,b}",
  "{a..z}",
  "f() { f; }; f; ",
  "echo aa >> f; cat f > g; cat g >> f; ",
  "exec < f; exec < g; ",
  "alias a='b; b' b='a; a'\na\n",
  "a[1]=$a; a=(${a[@]:0}); ",
  'read -ra a <<< "$a $a"; ',
  "<<A ",
  "*?[a] ",
  "[$(",
])("%j repeated thousands of times neither throws nor takes long", (piece) => {
  const line = `a=x; ${piece.repeat(20_000 / piece.length)}`;
  const cost = processorMs(() =>
    expect(judgeCommand(line, around).severity).toMatch(/^(?:none|medium|high|critical)$/u),
  );
  expect(cost).toBeLessThan(1_200);
});

test("a later iteration of a loop sees variables set in an earlier one", () => {
  const tier = (line: string) => judgeCommand(line, around).severity;
  expect(tier("x=dist; while read y; do rm -rf $x; x=~; done")).toBe("critical");
  expect(tier("x=a.txt; for f in *; do rm -rf $x; x=~; done")).toBe("critical");
  expect(tier("until ! read x; do :; done <<< 1; rm -rf ${x:=~}")).not.toBe("medium");
});

test("braces inside nested quotes are expanded as in bash", () => {
  expect(judgeCommand('a=("`rm -rf "{~,b}"`")', around).severity).toBe("critical");
  expect(judgeCommand('rm -rf "${x-"{/,~}"}"', around).severity).toBe("critical");
  expect(judgeCommand('echo "a $(eval "{rm,-rf,~}") b"', around).severity).toBe("critical");
});

test("a substitution written with escapes is not mistaken for plain text", () => {
  const line = "echo \"${a-$'\\x24(rm x)'}\"";
  expect(judgeCommand(line, around).severity).toBe("high");
});

test.each([
  "x=dist && rm -rf $x",
  "test -d dist && x=dist && rm -rf $x",
  "x=dist && y=sub; rm -rf $x/$y",
  "test -d dist && x=dist || exit 1; rm -rf $x",
  "mkdir -p dist && cd dist; rm -rf sub",
])("%s deletes only inside the workspace", (line) => {
  expect(judgeCommand(line, around).severity).toBe("medium");
});
