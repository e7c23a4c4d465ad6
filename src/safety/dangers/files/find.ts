/** What searches for files, and for text in files: which ones find selects, and what it does with them. */

import { joinWords, literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, onlyWhenItRuns, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, printsFound, readsFiles, writes } from "../file-effect-makers.ts";
import { namesIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

const narrowing = new Set(
  namesIn(`-size -mtime -atime -ctime -Btime -mmin -amin -cmin -Bmin -anewer -cnewer -user -group -uid -gid -perm
    -links -inum -samefile -fstype -regex -iregex -lname -ilname -used -context -flags -xattrname -acl`),
);
/** They have a value too, but may still match an entire tree. */
const isWide = /^-(?:x?type|maxdepth|mindepth|regextype|printf|D|files0-from)$/u;
const isPlace = /^-i?(?:path|wholename)$/u;
const isName = /^-i?name$/u;
const isCommand = /^-(?:exec|ok)(?:dir)?$/u;
const isOutput = /^-f(?:print[0f]?|ls)$/u;

/** What is selected below a starting point, as a pattern: the starting point itself, and what is in it. */
const everything: readonly Word[] = [literal(""), literal("*")];
const some = "**/*";

type Search = { starts: readonly Word[]; budget: number; acts: boolean };

function* finds(words: readonly Word[]): Iterable<Effect> {
  const first = words.findIndex(({ text }) => /^(?:-(?!(?:[HLP]+|O\d*|D)$).|[(),!]$)/su.test(text));
  const end = first < 0 ? words.length : first;
  const given = words.slice(0, end).filter(({ text }) => !text.startsWith("-"));
  const expression = words.slice(end);
  const list = expression.find((_, at) => expression[at - 1]?.text === "-files0-from");
  const starts = list ? [unknownWord()] : given.length > 0 ? given : [literal(".")];
  const search: Search = { starts, budget: 1_000, acts: false };
  if ([...given.slice(1), ...expression].some(({ text, mayBeSeveral }) => mayBeSeveral && text === unknown))
    yield onlyWhenItRuns;
  if (list) yield* readsFiles([list]);
  const found = yield* walk(expression, everything, search);
  if (expression.length > 0 || starts.length > search.budget)
    yield danger("critical", "it does more than can be looked at");
  // Without an action it prints the paths it selected.
  else if (!search.acts) {
    const names = found.filter(({ text }) => text !== "");
    yield { type: "prints", text: pattern(joinWords(pathsOf(names, search), "\n")) };
  }
}

/** Takes the words of an expression up to its closing parenthesis, and returns what they select. */
function* walk(
  words: Word[],
  start: readonly Word[],
  search: Search,
): Generator<Effect, readonly Word[], undefined> {
  let left = start;
  let others: readonly Word[] = [];
  let negates = false;
  while (words.length > 0 && search.budget > 0) {
    search.budget -= 1;
    const text = words.shift()?.text ?? "";
    if (text === ")") break;
    const isNegation = text === "!" || text === "-not";
    search.acts ||= isCommand.test(text) || isOutput.test(text) || /^-(?:delete|printf|quit|ls)$/u.test(text);
    if (/^(?:-or?|,)$/u.test(text)) {
      others = others.length > 100 ? everything : [...others, ...left];
      left = start;
    } else if (isCommand.test(text)) yield* executes(commandIn(words), left, search);
    else if (text === "-delete") yield* removes(left, search);
    else if (!isNegation) {
      const rest = text === "(" ? yield* walk(words, left, search) : yield* narrow(left, text, words);
      if (!negates) left = rest;
    }
    negates = isNegation && !negates;
  }
  return others.length + left.length > 100 ? everything : [...others, ...left];
}

/** What a test or option, whose value is taken from the words, leaves. */
function* narrow(
  left: readonly Word[],
  test: string,
  words: Word[],
): Generator<Effect, readonly Word[], undefined> {
  if (isOutput.test(test)) {
    yield* writes(words.splice(0, test === "-fprintf" ? 2 : 1).slice(0, 1), "replaces");
    return left;
  }
  const isNarrowing = narrowing.has(test) || test.startsWith("-newer");
  const isNamed = isName.test(test) || isPlace.test(test);
  const value = isNarrowing || isNamed || isWide.test(test) ? words.shift() : undefined;
  const isAll = left.some(({ text }) => /^(?:|\*|\*\*\/\*)$/u.test(text));
  if (value && isPlace.test(test)) return [value];
  if (value && isName.test(test) && isAll && !/^\*+$/u.test(value.text)) return [below(literal("**"), value)];
  if (test === "-empty" && isAll) return [literal("**/?*")];
  if (/^-x?type$/u.test(test)) return left.filter(({ text }) => text !== "");
  return isAll && (isNarrowing || /^-no(?:user|group)$/u.test(test)) ? [literal(some)] : left;
}

/** The command up to `;`, or up to `+` after `{}`. */
function commandIn(words: Word[]): readonly Word[] {
  const end = words.findIndex(
    ({ text }, at) => text === ";" || (text === "+" && words[at - 1]?.text === "{}"),
  );
  const command = words.splice(0, end < 0 ? words.length : end);
  words.shift();
  return command;
}

function* executes(command: readonly Word[], left: readonly Word[], search: Search): Iterable<Effect> {
  if (command.length === 0) return;
  const takesNames = command.some(({ text }) => text.search(foundMark) >= 0);
  for (const path of takesNames ? pathsOf(left, search) : [literal(".")]) {
    search.budget -= command.length;
    if (search.budget < 0) return;
    yield runs(command.map((word) => fillIn(word, path)));
  }
}

/** The path that was found, or a part of it: `{}`, and for fd `{/}`, `{//}`, `{.}` and `{/.}`. */
const foundMark = /\{(?:\/{0,2}|\/?\.)\}/gu;

/** A word that is exactly `{}` becomes the path. In code it stands for a name, and does not make the code a pattern. */
function fillIn(word: Word, path: Word): Word {
  const text = word.text.replace(foundMark, () => path.text);
  if (text === word.text) return word;
  return /\s/u.test(word.text) ? withText(word, text) : { ...path, text };
}

/** Of which files only the run tells may be all of them. */
function* removes(left: readonly Word[], search: Search): Iterable<Effect> {
  for (const path of pathsOf(left.some(({ text }) => text === some) ? everything : left, search)) {
    search.budget -= 1;
    if (search.budget < 0) return;
    yield { type: "deletes", path, deep: true };
  }
}

const pathsOf = (left: readonly Word[], { starts, budget }: Search): Word[] =>
  starts.slice(0, budget + 1).flatMap((start) =>
    left.map((found) => {
      if (found.text === "") return start;
      const isWhole = found.text.startsWith(start.text) || /^[/~]/u.test(found.text);
      return pattern(isWhole ? found : below(start, found));
    }),
  );

const pattern = (word: Word): Word => ({ ...word, isPattern: /[*?[]/u.test(word.text) });

/** Functions of `files.yaml`. */
export const finding: Readonly<Record<string, WordsDo>> = {
  finds,
  /** The first operand is the pattern, unless an option supplies it. */
  searched(operands, { has }) {
    const searched = has("e", "f", "regexp", "file", "files", "match") ? operands : operands.slice(1);
    const isList = has("l", "L", "files", "files-with-matches", "files-without-match");
    return [...readsFiles(searched), ...(isList ? [printsFound(orHere(searched))] : [])];
  },
  /** Prints the given names, or those in the current directory; of other directories without their path. */
  listed(operands, { has }) {
    if (has("l", "long", "R", "recursive", "T", "tree")) return [];
    const names = operands.length === 0 ? [{ ...literal("*"), isPattern: true }] : operands;
    return operands.every(({ isPattern }) => isPattern)
      ? [{ type: "prints", text: { ...joinWords(names, "\n"), isPattern: true } }]
      : [];
  },
  "found by name": (_, use) => findsByName(use),
};

const orHere = (starts: readonly Word[]): readonly Word[] => (starts.length > 0 ? starts : [literal(".")]);

const commandOption = /^(?:-[HILalsgipuq0Fv1]*[xX]|--exec(?:-batch)?)$/u;

/** `fd pattern directory -x command {}`: everything behind `-x` is the command, up to `;`. */
function* findsByName({ words, operands, value, values, has }: Use): Iterable<Effect> {
  const at = words.findIndex(({ text }) => commandOption.test(text));
  const behind = at < 0 ? [] : words.slice(at + 1);
  const [name, ...places] = operands.filter((word) => !behind.includes(word));
  const starts = orHere([...values("search-path", "base-directory", "C"), ...places]);
  if (at < 0) yield printsFound(starts);
  const text = name?.text ?? "";
  const ending = value("e", "extension");
  const alike = has("g", "glob") ? text : /^[\w-]+$/u.test(text) ? `*${text}*` : "?*";
  const found = literal(ending ? `*.${ending.text}` : alike);
  const paths = starts.map((start) => ({ ...below(below(start, literal("**")), found), isPattern: true }));
  while (behind.length > 0) {
    const command = commandIn(behind).filter((word) => !commandOption.test(word.text));
    const isFilled = command.some((word) => word.text.search(foundMark) >= 0);
    for (const path of command.length > 0 ? paths : [])
      yield runs(isFilled ? command.map((word) => fillIn(word, path)) : [...command, path]);
  }
}
