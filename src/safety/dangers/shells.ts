/** Functions of `shell.yaml`: shells, and their builtins that run code, or change what later words mean. */

import { isUnknown, joinWords, literal, unknownWord, type Word, withText } from "../command-line/word.ts";
import { isSecretVariable } from "../secret-variables.ts";
import { danger, interprets, loads, printsVariables, reads } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";
import { interpretsInput } from "./interpreting.ts";
import { cutAt } from "./parts.ts";
import type { Use, WordsDo } from "./program.ts";
import { mayBeOption, reread } from "./use.ts";
import { variableEffects } from "./variables.ts";

export const builtins: Readonly<Record<string, WordsDo>> = {
  shell: (_, use) => shell(use),
  prompt: (_, use) => prompt(use),
  "prints processes": () => [{ type: "prints", flows: ["own-process"] }],
  "changes directory": ([place]) =>
    place && (place.text === "-" || isUnknown(place)) ? [] : [{ type: "prints", text: literal("") }],
  /** Without arguments the sourced file sees those of the calling shell. */
  sourced([file, ...rest]) {
    const given = rest.length > 0 ? { arguments: [literal("bash"), ...rest] } : {};
    return file ? [{ ...loads(file, "shell"), ...given }] : [];
  },
  /** `trap 'code' EXIT`; `trap - EXIT`, `trap EXIT` and `trap '' EXIT` register no code. */
  trapped: ([code, signal], { has }) =>
    code === undefined || signal === undefined || has("l", "p", "P") || /^-?$/u.test(code.text)
      ? []
      : [interprets("shell", code)],
  /** An alias is judged by its expansion where it is defined. */
  aliases: (words) =>
    words.flatMap((word) => {
      const parts = cutAt(word, "=");
      return parts && parts.after.text.trim() !== "" ? [interprets("shell", parts.after)] : [];
    }),
  /** `bind -x '"\C-t": command'` */
  binds: (lines) => lines.map((line) => interprets("shell", cutAt(line, ":")?.after ?? line)),
  exports: (words, { has }) => [
    ...(words.length === 0 && !has("f") ? [printsVariables] : []),
    ...(has("n") ? [] : words.flatMap((word) => [...subscriptOf(word), ...exportedVariable(word)])),
  ],
  declares: declaresVariables,
  subscripts: (words) => words.flatMap(subscriptOf),
  calculates: (words) => words.flatMap(arithmetic),
  /** `test -v 'a[$(id)]'` evaluates the subscript. */
  tests: (_, { words }) =>
    words.flatMap((word, at) => (/^-[vR]$/u.test(words[at - 1]?.text ?? "") ? subscriptOf(word) : [])),
};

function* declaresVariables(words: readonly Word[], { name, has }: Use): Iterable<Effect> {
  const isOfAll = words.length === 0 && !has("f", "F", "a", "A", "i", "n", "r");
  if (isOfAll && (name === "declare" || name === "typeset")) yield printsVariables;
  if (has("p") && words.some(({ text }) => isSecretVariable(text)))
    yield { type: "prints", flows: ["secret"] };
  for (const word of words) {
    yield* subscriptOf(word);
    // PATH is exported already.
    if (has("x") || word.text.startsWith("PATH=")) yield* exportedVariable(word);
    const value = cutAt(word, "=")?.after;
    // Assigning to the reference assigns to the variable it names.
    if (has("n"))
      yield* value && /^[A-Za-z_]\w*$/u.test(value.text)
        ? variableEffects({ name: value.text, value: unknownWord() })
        : [danger("high", "a name in it stands for a variable that only the run tells")];
    if (has("i") && value) yield* arithmetic(value);
  }
}

function exportedVariable(word: Word): Effect[] {
  const parts = cutAt(word, "=");
  if (!parts) return [];
  if (isUnknown(parts.before)) return [danger("high", "it sets a variable whose name only the run tells")];
  return variableEffects({ name: parts.before.text, value: parts.after });
}

/** A subscript in a variable name is evaluated, including command substitutions: `read 'a[$(id)]'`. */
export const subscriptOf = (word: Word): Effect[] =>
  /^[A-Za-z_]\w*(?:\[|\+?=\()/u.test(word.text) || (isUnknown(word) && word.carries.has("loaded"))
    ? arithmetic(word)
    : [];

/** Arithmetic is expanded like a here-document: only the substitutions in it run. */
function arithmetic(word: Word): Effect[] {
  const isCode = /\$\(|`|\$\{/u.test(word.text) || (isUnknown(word) && word.carries.size > 0);
  return isCode ? [interprets("shell", withText(word, `: <<END_OF_TEXT\n${word.text}\nEND_OF_TEXT\n`))] : [];
}

/** `sh [options] -c code name words …`, `sh file words …`, `sh -s words …`. */
function* shell(use: Use): Iterable<Effect> {
  const { has, operands: words } = signedOptionsAway(use);
  if (has("dump-strings", "dump-po-strings")) return;
  const onlyChecks = has("n", "D");
  const [first, ...others] = words;
  if (has("c")) {
    if (first && !onlyChecks)
      yield interprets("shell", first, others.length > 0 ? others : [literal(use.name)]);
    if (first && mayBeOption(first) && others[0]) yield interprets("shell", others[0], others.slice(1));
  } else if (first === undefined || has("s")) {
    if (!onlyChecks) yield interpretsInput("shell");
  } else if (onlyChecks) yield* reads([first]);
  else yield loads(first, "shell");
}

/** `+` turns options off, except for `c` and `s`, and a single `-` ends the options: `sh +e -o pipefail -c code`. */
function signedOptionsAway(use: Use): Use {
  const signed = use.words.map((word) =>
    /^\+[A-Za-z]+$/u.test(word.text) ? withText(word, unset(word.text)) : word,
  );
  const read = reread(use, signed);
  const [first, ...rest] = read.operands;
  return first?.text === "-" && rest.length > 0 ? { ...read, operands: rest } : read;
}

const unset = (text: string): string => `-x${text.slice(1).replaceAll(/[nD]/gu, "")}`;

const unread = danger("high", "it runs code that is not looked into");

/**
 * PowerShell and the command prompt, with options behind a dash or a slash, abbreviated in any way. Their code is not
 * parsed, but commands in it that also read as shell commands are.
 */
function* prompt({ words, input }: Use): Iterable<Effect> {
  const at = words.findIndex(({ text }) => /^[-/](?:c(?:om\w*|wa)?|k)$/iu.test(text));
  const code = at < 0 ? words.filter(({ text }) => !/^[-/]\w+$/u.test(text)) : words.slice(at + 1);
  if (words.some(({ text }) => /^[-/]e(?:c|nc\w*)?$/iu.test(text)))
    yield danger("critical", "it runs code that is hidden by an encoding");
  else if (code.length === 0 || code[0]?.text === "-") {
    if (input.text !== undefined) yield unread;
    yield interpretsInput("other");
  } else {
    yield unread;
    for (const word of code) if (/\.ps[md]?1$/iu.test(word.text)) yield loads(word);
    yield interprets("shell", joinWords(code, " "));
  }
}
