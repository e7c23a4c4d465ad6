/** Shared by language interpreters: code among the arguments, a script, a library, or code on standard input. */

import { isUnknown, joinWords, unknown, type Word, withText } from "../command-line/word.ts";
import { isTold } from "./code/notes.ts";
import { danger, doesMore, interprets, loads } from "./effect-makers.ts";
import type { Effect, Language } from "./effect.ts";
import { mayBeOption } from "./use.ts";

export const interpretsInput = (language: Language): Effect => ({ type: "interprets-input", language });

/** Runs a script with its arguments, or standard input. */
export function* scriptOrInput(operands: readonly Word[], language: Language): Iterable<Effect> {
  const [script, ...rest] = operands;
  yield script ? loads(script, language) : interpretsInput(language);
  if (!script || !mayBeOption(script)) return;
  yield danger("high", "only the run will tell whether it is given code");
  for (const word of rest) yield interprets(language, word);
}

/** Joins several pieces of code into one program, as the interpreter does. */
export const interpretsAll = (language: Language, codes: readonly Word[]): Effect[] =>
  codes.length === 0 ? [] : [interprets(language, joinWords(codes, "\n"))];

/** The values of options by which interpreters that have no row of their own take code: `-x`, `--eval`. */
export const evaluatedIn = (words: readonly Word[]): Word[] =>
  words.flatMap((word, at) => {
    const [, attached] =
      /^--?(?:e|x|eval|evaluate|execute?|expr|expression|code|batch-string)(?:=(.*))?$/su.exec(word.text) ?? [
        "",
        null,
      ];
    if (attached === null) return [];
    const next = words[at + 1];
    return attached === undefined ? (next ? [next] : []) : [withText(word, attached)];
  });

const instead =
  /^--?(?:[\w-]*-)?(?:python|interpreter|shell|node|ruby|perl|php|executable|binary|compiler|linker|editor|pager|askpass|browser)(?:-(?:path|bin|binary|executable|program))?$/u;
const interpreter = /\/(?:python|pypy|node|deno|bun|ruby|perl|php|java|bash|zsh|dash|sh)[\d.]*$/u;

/** The programs that options name to be used in place of its own: `--python /x/python`. `all`: also without an option. */
export const programsNamed = (words: readonly Word[], all: boolean): Word[] =>
  words.flatMap((word, at) => {
    const [, option, attached] = /^(?:(--?[\w-]+)=)?(.*)$/su.exec(word.text) ?? [];
    const value = withText(word, attached ?? word.text);
    const isGiven = instead.test(option ?? words[at - 1]?.text ?? "") && value.text.includes("/");
    return isGiven || (all && interpreter.test(value.text)) ? [value] : [];
  });

const isPath = ({ text }: Word): boolean =>
  /^(?:[./~]|file:|[A-Za-z]:[\\/])/u.test(text) || text.includes(unknown);

/** A library given by path is a file; one given by name is an installed package. */
export function* loadsLibraries(libraries: readonly Word[], language: Language): Iterable<Effect> {
  for (const library of libraries) {
    if (/^https?:/u.test(library.text)) yield danger("critical", "it runs code from the network");
    else if (library.text.startsWith("data:")) yield interprets(language, afterComma(library));
    else if (isPath(library)) yield loads(library, language);
    else if (!isTold(language, library.text.replace(/[=,].*$/su, ""))) yield doesMore;
  }
}

/** The code of `data:text/javascript,code`. */
const afterComma = (word: Word): Word =>
  /^[^,]*;base64,/u.test(word.text)
    ? { ...word, text: unknown, carries: new Set(["decoded"]) }
    : withText(word, word.text.slice(word.text.indexOf(",") + 1));

/** A command that an option substitutes for one of the tool's own programs: `-wrapper`, a linker, a preprocessor. */
export const runsInstead = (option: string, command: Word): Effect[] => [
  danger("high", `its option ${option} runs a command`),
  ...(isUnknown(command) ? [] : [interprets("shell", command)]),
];
