import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { around } from "../testing/around.ts";
import { expandWords } from "./expand.ts";
import { parseShell } from "./parse.ts";
import { openReport } from "./report.ts";
import { openShell, setVariable } from "./shell.ts";
import { follow } from "./walk.ts";
import { openWalk } from "./walking.ts";
import { isLiteral, literal, unknown, type Word } from "./word.ts";

function words(text: string, doubts: string[] = []): Word[] {
  const shell = openShell(around);
  setVariable(shell, "two", [literal("one two")]);
  setVariable(shell, "name", [literal("a/b.tar.gz")]);
  setVariable(shell, "empty", [literal("")]);
  setVariable(shell, "list", [literal("x y"), literal("z")]);
  shell.positional = [literal("p1"), literal("p 2")];
  setVariable(shell, "code", [literal("$(y)")]);
  const report = openReport();
  const parsed = parseShell(`: ${text}`);
  const command = parsed.ok ? parsed.value.script.commands[0]?.command : undefined;
  if (command?.type !== "Command") throw new Error(`not one command: ${text}`);
  const args = command.args.filter((argument) => argument.type === "Word");
  const expanded = expandWords(args, openWalk(shell, report, follow));
  doubts.push(...report.doubts.map(({ because }) => because));
  return expanded;
}

const texts = (text: string): string[] => words(text).map((word) => word.text.replaceAll(unknown, "…"));

function bashes(list: readonly string[]): string[][] {
  const settings = `two='one two'; name=a/b.tar.gz; empty=; list=('x y' z); set -f -- p1 'p 2'; HOME=/home/dev; cd /`;
  const script = list.map((text) => `printf '%s\\1' : ${text}; printf '\\2'`).join("\n");
  const printed = execFileSync("bash", ["--noprofile", "--norc", "-c", `${settings}\n${script}`], {
    encoding: "utf8",
  });
  return printed
    .split("\u0002")
    .slice(0, -1)
    .map((one) => one.split("\u0001").slice(1, -1));
}

const samples = [
  String.raw`r''m \rm "r"m $'\x72m' a\ b "a b" 'a b' "" '' a""`,
  '$two "$two" ${two} a$two b"$two"c',
  '$empty "$empty" a$empty ${empty:-x} ${empty-x} ${none:-y z} "${none:-y z}" ${two:+set} ${empty:+set}',
  "${name%.*} ${name%%.*} ${name#*/} ${name##*.} ${name/b/c} ${name//./_} ${name:2} ${name:2:1} ${name: -2} ${name^^}",
  '${list[@]} "${list[@]}" "${list[*]}" ${list[1]} $list "$@" $* $1 ${2}',
  '~ ~/x "~" a~ ~root',
  '{a,b}$two x{1..3}"{a,b}" {$two,c}',
  "${none=set} $none",
  "a$'\\n'b $'\\e' \"\\$x \\\\ \\a\" 'a'\\''b'",
];

test.each(samples)("%s is expanded as in bash", (text) => {
  expect(texts(text)).toEqual(bashes([text])[0]);
});

test("any combination of known pieces expands to the same words as in bash", () => {
  const piece = fc.constantFrom(
    "a",
    '"b c"',
    "'d e'",
    "${two}",
    '"$two"',
    "${empty}",
    '""',
    "{x,y}",
    "\\ ",
    " ",
    "${name%.*}",
    '"${list[@]}"',
    "${1}",
    "$'\\t'",
    "${none:-q}",
    "~/",
    "-",
    "'{'",
    "\\$",
  );
  const list = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join("")),
    500,
  );
  const expected = bashes(list);
  for (const [at, text] of list.entries()) expect([text, texts(text)]).toEqual([text, expected[at]]);
});

test("parts known only at run time stay unknown, and the text around them stays known", () => {
  expect(texts('$x/a "$(y)" pre`z`post $((1 + 2)) $RANDOM')).toEqual(["…/a", "…", "pre…post", "…", "…"]);
  const [pattern, quoted] = words("*.js '*.js'");
  expect([pattern?.isPattern, quoted?.isPattern]).toEqual([true, false]);
  expect(words("a b").every(isLiteral)).toBe(true);
});

test("a word with a secret environment variable in it carries a secret", () => {
  const [token, region] = words('"x$GITHUB_TOKEN" $AWS_REGION');
  expect([...(token?.carries ?? [])]).toEqual(["secret"]);
  expect([...(region?.carries ?? [])]).toEqual([]);
});

test.each(["${code@P}", "$((code))", "${list[$code]}"])("%s is evaluated a second time", (text) => {
  const doubts: string[] = [];
  words(text, doubts);
  expect(doubts).toContain("a text in it is evaluated a second time");
});
