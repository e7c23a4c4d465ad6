/** Shell builtins, taken one by one from bash's manual, and a few of zsh's. */

import { isUnknown, joined, literal, unknownWord, type Word, withText } from "../command-line/word.ts";
import { isSecretVariable } from "../secret-variables.ts";
import { danger, interprets, loads, printsVariables, reads, replaces, runs } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";
import { cutAt } from "./parts.ts";
import { type Program, program, type Use } from "./program.ts";
import { variableEffects } from "./variables.ts";

const stop = { stopAtOperand: true } as const;

const none = (): Effect[] => [];

export const builtins: readonly Program[] = [
  program(
    `: true false break continue return exit logout shift getopts times fg bg disown suspend dirs caller
      type`,
    none,
  ),
  program("wait", ({ values }) => values("p").flatMap(subscriptOf), { options: { short: "p" } }),
  program("jobs", ({ has }) => (has("p") ? [{ type: "prints", flows: ["own-process"] }] : [])),
  program("set", ({ words }) => (words.length === 0 ? [printsVariables] : [])),
  program("shopt", ({ operands, has }) =>
    has("s") && operands.some(({ text }) => /^(?:lastpipe|cdable_vars)$/u.test(text))
      ? [danger("high", "it changes what the commands after it mean")]
      : [],
  ),
  program("pushd popd ulimit help whence setopt unsetopt rehash zle autoload deactivate", none),
  program("cd chdir", ({ operands: [place] }) =>
    place && (place.text === "-" || isUnknown(place)) ? [] : [{ type: "prints", text: literal("") }],
  ),
  program("eval", evaluated, { kind: "interpreter" }),
  program("source .", sourced, { kind: "interpreter", options: { ...stop, short: "p" } }),
  program("emulate", ({ values }) => values("c").map((code) => interprets("shell", code)), {
    options: { short: "c" },
  }),
  program("trap", trapped, { options: stop }),
  program("alias", aliased),
  program("unalias", none),
  program("bindkey", ({ operands }) => keysFor(operands)),
  program("export", exported, { options: stop }),
  program("declare typeset local readonly integer float", declared, { options: stop }),
  program("unset", ({ operands }) => operands.flatMap(subscriptOf), { options: stop }),
  program("read", ({ operands, values }) => [...operands, ...values("a")].flatMap(subscriptOf), {
    options: { short: "adinNptu" },
  }),
  program("mapfile readarray", filled, { options: { short: "dnOsuCc" } }),
  program("let", ({ words }) => words.flatMap(arithmetic)),
  program("test [ [[", tested),
  program("hash", hashed, { options: { short: "p" } }),
  program("enable", enabled, { options: { short: "f" } }),
  program("complete compgen compopt compdef compctl", completed, { options: { short: "oAGWFCXPS" } }),
  program("bind", bound, { options: { short: "mfqurx" } }),
  program("history", kept, { options: { short: "d" } }),
  program("fc", repeated, { options: { ...stop, short: "e" } }),
  program("zmodload", ({ operands, has }) =>
    operands.length > 0 && !has("u", "L") ? [danger("high", "it loads a module into the shell")] : [],
  ),
];

function evaluated({ words }: Use): Effect[] {
  const own = words[0]?.text === "--" ? words.slice(1) : words;
  return own.length === 0 ? [] : [interprets("shell", joined(own, " "))];
}

function sourced({ operands }: Use): Effect[] {
  const [file, ...rest] = operands;
  if (file === undefined) return [];
  if (/^\/dev\/(?:stdin|fd\/0)$/u.test(file.text)) return [{ type: "interprets-input", language: "shell" }];
  // Without arguments the sourced file sees those of the calling shell.
  return [{ ...loads(file, "shell"), ...(rest.length > 0 ? { arguments: [literal("bash"), ...rest] } : {}) }];
}

/** `trap 'code' EXIT`; `trap - EXIT`, `trap EXIT` and `trap '' EXIT` register no code. */
function trapped({ operands, has }: Use): Effect[] {
  const [code, signal] = operands;
  if (code === undefined || signal === undefined || has("l", "p", "P")) return [];
  return code.text === "-" || code.text === "" ? [] : [interprets("shell", code)];
}

/** An alias is judged by its expansion where it is defined. */
function aliased({ operands }: Use): Effect[] {
  return operands.flatMap((word) => {
    const parts = cutAt(word, "=");
    return parts && parts.after.text.trim() !== "" ? [interprets("shell", parts.after)] : [];
  });
}

/** Without a name it prints every variable with its value. */
function* exported({ operands, has }: Use): Iterable<Effect> {
  if (operands.length === 0 && !has("f")) yield printsVariables;
  if (has("n")) return;
  for (const word of operands) {
    yield* subscriptOf(word);
    yield* exportedVariable(word);
  }
}

function* declared({ name, operands, has }: Use): Iterable<Effect> {
  const isOfAll = operands.length === 0 && !has("f", "F", "a", "A", "i", "n", "r");
  if (isOfAll && (name === "declare" || name === "typeset")) yield printsVariables;
  if (has("p") && operands.some(({ text }) => isSecretVariable(text)))
    yield { type: "prints", flows: ["secret"] };
  for (const word of operands) {
    yield* subscriptOf(word);
    // PATH is exported already.
    if (has("x") || word.text.startsWith("PATH=")) yield* exportedVariable(word);
    if (has("n")) yield* referenceTo(cutAt(word, "=")?.after);
    const value = has("i") ? cutAt(word, "=") : undefined;
    if (value) yield* arithmetic(value.after);
  }
}

/** `declare -n`: assigning to the reference assigns to the variable it names. */
function* referenceTo(variable: Word | undefined): Iterable<Effect> {
  const isName = variable !== undefined && /^[A-Za-z_]\w*$/u.test(variable.text);
  if (isName) yield* variableEffects({ name: variable.text, value: unknownWord() });
  else yield danger("high", "a name in it stands for a variable that only the run tells");
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

/** `mapfile -C callback`: the callback is shell code, run repeatedly. */
function filled({ operands, values }: Use): Effect[] {
  return [...operands.flatMap(subscriptOf), ...values("C").map((code) => interprets("shell", code))];
}

/** `test -v 'a[$(id)]'` evaluates the subscript. */
function tested({ words }: Use): Effect[] {
  return words.flatMap((word, at) => (/^-[vR]$/u.test(words[at - 1]?.text ?? "") ? subscriptOf(word) : []));
}

function* hashed({ operands, values }: Use): Iterable<Effect> {
  if (operands.length === 0) return;
  for (const file of values("p")) {
    yield danger("high", "it lets a name stand for another program");
    yield loads(file);
  }
}

function* enabled({ values }: Use): Iterable<Effect> {
  for (const file of values("f")) {
    yield danger("high", "it loads a library into the shell");
    yield loads(file);
  }
}

/** Completion words are expanded (`-W`), and a command may generate them (`-C`). */
function completed({ values }: Use): Effect[] {
  return [...values("C").map((code) => interprets("shell", code)), ...values("W").flatMap(arithmetic)];
}

/** A key binding may insert a different command from the one typed. */
const keysFor = (operands: readonly Word[]): Effect[] =>
  operands.length > 0 ? [danger("high", "it changes what keys mean to the shell")] : [];

/** `bind -x '"\C-t": command'`. */
function bound({ operands, values }: Use): Effect[] {
  return [
    ...keysFor([...operands, ...values("f")]),
    ...reads(values("f")),
    ...values("x").map((line) => interprets("shell", cutAt(line, ":")?.after ?? line)),
  ];
}

function* kept({ operands, has }: Use): Iterable<Effect> {
  if (has("w", "a")) yield* replaces(operands);
  if (has("r", "n")) yield* reads(operands);
  if (has("c")) yield danger("medium", "it forgets which commands were typed");
}

/** Without `-l`, `fc` re-executes an earlier command after editing it. */
function* repeated({ value, has }: Use): Iterable<Effect> {
  if (has("l")) return;
  yield danger("high", "it runs an earlier command again");
  const editor = value("e");
  if (editor && editor.text !== "-") yield runs([editor]);
}
