/** find: which files its expression selects, and what it does with them. */

import { joinWords, literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { program, type Use } from "../program.ts";

export const find = program("find gfind", finds, { kind: "wrapper" });

const valued = new Set(
  namesIn(`-type -xtype -size -mtime -atime -ctime -Btime -mmin -amin -cmin -Bmin -anewer -cnewer -newer
    -user -group -uid -gid -perm -links -inum -samefile -fstype -regex -iregex -lname -ilname -maxdepth
    -mindepth -regextype -used -context -flags -xattrname -acl -printf -D -name -iname -path -ipath
    -wholename -iwholename -files0-from -fprint -fprint0 -fls -fprintf`),
);
const isPlace = /^-i?(?:path|wholename)$/u;
const isName = /^-i?name$/u;
const isCommand = /^-(?:exec|ok)(?:dir)?$/u;
const isOutput = /^-f(?:print[0f]?|ls)$/u;
/** Tests and options that may still match an entire tree. */
const isWide = /^-(?:x?type|maxdepth|mindepth|regextype|printf|D|files0-from)$/u;

/**
 * What is selected below a starting point: the whole tree, its contents, some files, empty ones, or those with this
 * name or path.
 */
type Selection = "all" | "contents" | "some" | "empty" | { name: Word } | { place: Word };

/** One nesting level of the expression: what the tests so far leave, and what earlier alternatives selected. */
type Level = {
  left: readonly Selection[];
  others: readonly Selection[];
  readonly start: readonly Selection[];
  readonly negates: boolean;
};

type Search = { starts: readonly Word[]; budget: number };

const onlyWhenItRuns = danger("high", "what it does with the files is only known when it runs");

function* finds({ words }: Use): Iterable<Effect> {
  const { starts, expression } = startsOf(words);
  const list = expression.find((_, at) => expression[at - 1]?.text === "-files0-from");
  const search: Search = { starts: list ? [unknownWord()] : starts, budget: 400 };
  if ([...starts.slice(1), ...expression].some(({ text, mayBeSeveral }) => mayBeSeveral && text === unknown))
    yield onlyWhenItRuns;
  if (list) yield* readsFiles([list]);
  yield* walk(expression, search);
  if (search.budget < 0) yield danger("high", "it does more than can be looked at");
}

function startsOf(words: readonly Word[]): { starts: readonly Word[]; expression: readonly Word[] } {
  let at = 0;
  while (/^-(?:[HLP]+|O\d*|D)$/u.test(words[at]?.text ?? "")) at += words[at]?.text === "-D" ? 2 : 1;
  const first = words.findIndex(({ text }, index) => index >= at && /^(?:-.|[(),!]$)/su.test(text));
  const end = first < 0 ? words.length : first;
  const starts = words.slice(at, end);
  return { starts: starts.length > 0 ? starts : [literal(".")], expression: words.slice(end) };
}

function* walk(expression: readonly Word[], search: Search): Iterable<Effect> {
  const levels: Level[] = [newLevel(["all"], false)];
  let negates = false;
  let acts = false;
  for (let at = 0; at < expression.length && search.budget >= 0; at += 1) {
    const level = levels.at(-1);
    const text = expression[at]?.text ?? "";
    if (!level) return;
    const isNegation = text === "!" || text === "-not";
    acts ||= isCommand.test(text) || isOutput.test(text) || /^-(?:delete|printf|quit|ls)$/u.test(text);
    if (text === "(") levels.push(newLevel(level.left, negates));
    else if (text === ")") close(levels);
    else if (text === "-o" || text === "-or" || text === ",") {
      level.others = together(level.others, level.left);
      level.left = level.start;
    } else if (isCommand.test(text)) {
      const command = commandAt(expression, at + 1);
      yield* executes(command, level.left, search);
      at += command.length + 1;
    } else if (text === "-delete") yield* removes(level.left, search);
    else if (!isNegation) {
      const value = valued.has(text) || text.startsWith("-newer") ? expression[at + 1] : undefined;
      if (value && isOutput.test(text)) yield* writes([value], "replaces");
      if (value) at += text === "-fprintf" ? 2 : 1;
      if (!negates) level.left = narrow(level.left, text, value);
    }
    negates = isNegation && !negates;
  }
  const [outer] = levels;
  if (outer && !acts) yield printsPaths(outer, search);
}

/** Without an action find prints the paths it selected. */
function printsPaths({ left, others }: Level, search: Search): Effect {
  const found = together(others, left).map((one) => (one === "all" ? "contents" : one));
  const paths = pathsOf(found, search, "?*").slice(0, mostAlternatives);
  return { type: "prints", text: { ...joinWords(paths, "\n"), isPattern: true } };
}

const newLevel = (start: readonly Selection[], negates: boolean): Level => ({
  left: start,
  others: [],
  start,
  negates,
});

function close(levels: Level[]): void {
  const inner = levels.length > 1 ? levels.pop() : undefined;
  const outer = levels.at(-1);
  if (inner && outer && !inner.negates) outer.left = together(inner.others, inner.left);
}

const mostAlternatives = 100;

/** Too many alternatives are treated as the entire tree. */
const together = (some: readonly Selection[], more: readonly Selection[]): readonly Selection[] =>
  some.length + more.length > mostAlternatives ? ["all"] : [...some, ...more];

function narrow(left: readonly Selection[], test: string, value: Word | undefined): readonly Selection[] {
  if (isOutput.test(test) || (isName.test(test) && /^\*+$/u.test(value?.text ?? ""))) return left;
  if (value && isPlace.test(test) && left.every((found) => typeof found === "object" && "name" in found))
    return [{ place: value }];
  if (left.every((found) => typeof found === "object")) return left;
  if (value && isName.test(test)) return [{ name: value }];
  if (value && isPlace.test(test)) return [{ place: value }];
  if (isWide.test(test))
    return left.map((found) => (found === "all" && test.endsWith("type") ? "contents" : found));
  if (test === "-empty") return ["empty"];
  return value || test === "-nouser" || test === "-nogroup" ? ["some"] : left;
}

/** The command up to `;`, or up to `+` after `{}`. */
function commandAt(expression: readonly Word[], start: number): readonly Word[] {
  const isEnd = ({ text }: Word, at: number): boolean =>
    at >= start && (text === ";" || (text === "+" && expression[at - 1]?.text === "{}"));
  const end = expression.findIndex(isEnd);
  return expression.slice(start, end < 0 ? expression.length : end);
}

function* executes(command: readonly Word[], left: readonly Selection[], search: Search): Iterable<Effect> {
  if (command.length === 0) return;
  const takesNames = command.some(({ text }) => text.includes("{}"));
  const all = left.includes("all") ? [...left, "contents" as const] : left;
  for (const path of takesNames ? pathsOf(all, search) : [literal(".")]) {
    search.budget -= command.length;
    if (search.budget < 0) return;
    yield runs(command.map((word) => fillIn(word, path)));
  }
}

/** A word that is exactly `{}` becomes the path. In code it stands for a name, and does not make the code a pattern. */
function fillIn(word: Word, path: Word): Word {
  if (word.text === "{}") return path;
  if (!word.text.includes("{}")) return word;
  const text = word.text.replaceAll("{}", path.text);
  return /\s/u.test(word.text) ? withText(word, text) : { ...path, text };
}

function* removes(left: readonly Selection[], search: Search): Iterable<Effect> {
  const full = left.filter((found) => found !== "empty");
  if (full.length < left.length) yield danger("medium", "it deletes what is empty");
  for (const path of pathsOf(full, search, "*[a-z]*")) {
    search.budget -= 1;
    yield { type: "deletes", path, deep: true };
  }
}

/** `some`: the pattern for selections that cover only part of the files. `**` matches any number of directories. */
const pathsOf = (left: readonly Selection[], { starts }: Search, some = "*"): Word[] =>
  starts.flatMap((start) =>
    left.map((found) => {
      const anywhere = below(start, literal("**"));
      if (found === "all") return start;
      if (found === "contents") return pattern(below(start, literal("*")));
      if (found === "some" || found === "empty") return pattern(below(anywhere, literal(some)));
      if ("name" in found) return pattern(below(anywhere, found.name));
      const isWhole = found.place.text.startsWith(start.text) || /^[/~]/u.test(found.place.text);
      return pattern(isWhole ? found.place : below(start, found.place));
    }),
  );

const pattern = (word: Word): Word => ({ ...word, isPattern: /[*?[]/u.test(word.text) });
