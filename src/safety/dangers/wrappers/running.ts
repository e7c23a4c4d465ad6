/** Functions of `wrappers.yaml`: where the command stands, and with which variables or rights it runs. */

import {
  joinWords,
  literal,
  unknownWord,
  type Word,
  withText,
  isUnknown,
  unknown,
} from "../../command-line/word.ts";
import { danger, interprets, loads, replaces, runs, printsVariables } from "../effect-makers.ts";
import type { Effect, Variable } from "../effect.ts";
import { runsByOption } from "../file-effect-makers.ts";
import { cutAt } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";
import { command, reread } from "../use.ts";
import { variableEffects } from "../variables.ts";
import { splitAsEnv } from "./wrappers-many.ts";

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

const debuggerCommands =
  /^\s*((?:shell|make|pipe|platform shell|python|py|pi|script|source|command source)(?![\w-])|[!|])\s*\|?([^]*)$/u;

function debuggerLine(line: Word): Effect[] {
  const [, name, behind = ""] = debuggerCommands.exec(line.text) ?? [];
  if (name === undefined) return line.text.includes("(") ? [interprets("other", line)] : [];
  const code = withText(line, behind);
  const language = /^(?:py|pi|script)/u.test(name) ? "python" : "shell";
  return [runsCode, name.endsWith("source") ? loads(code) : interprets(language, code)];
}

const runsCode = danger("high", "its own command line runs code");

const deepestSplit = 8;

/** Without a command it prints the environment, including keys and tokens. */
function* environment(use: Use, depth = 0): Iterable<Effect> {
  const split = use.value("S", "split-string");
  if (split) {
    if (isUnknown(split) || depth > deepestSplit) yield runs([unknownWord(split.carries)]);
    else yield* environment(reread(use, [...splitAsEnv(split), ...use.operands]), depth + 1);
    return;
  }
  yield* assigns(use.operands, use.value("C", "chdir"));
  const isCommand = use.operands.some(({ text }) => !text.includes("="));
  if (!isCommand && !use.has("i", "ignore-environment", "help", "version")) yield printsVariables;
}

/** `NAME=value … command`. */
function* assigns(words: readonly Word[], directory?: Word): Iterable<Effect> {
  const end = words.findIndex(({ text }) => !text.includes("="));
  const variables = (end < 0 ? words : words.slice(0, end)).flatMap(variableOf);
  if (variables.some(({ name }) => name.includes(unknown)))
    yield danger("high", "it sets a variable whose name only the run tells");
  for (const variable of variables) yield* variableEffects(variable);
  yield* command(end < 0 ? [] : words.slice(end), directory ? { variables, directory } : { variables });
}

function variableOf(assignment: Word): Variable[] {
  const parts = cutAt(assignment, "=");
  return parts ? [{ name: parts.before.text, value: parts.after }] : [];
}

const elevates = danger("high", "it runs with the rights of another user");
const onlyRequests = ({ operands, has }: Use): boolean =>
  operands.length === 0 && has("help", "version", "V", "K", "k", "remove-timestamp", "reset-timestamp");

function* elevatesCommand(operands: readonly Word[], use: Use): Iterable<Effect> {
  if (onlyRequests(use)) return;
  yield elevates;
  if (use.has("e", "edit") || use.name === "sudoedit") yield* replaces(operands);
  else if (!use.has("l", "list")) yield* assigns(operands, use.value("D", "chdir"));
  if (operands.length === 0 && use.has("s", "shell", "i", "login", "h", "S")) yield shellOfInput;
}

/** ast-grep has the same short name: an option or one of its verbs comes first, where `sg` would have a group. */
const isAstGrep = ({ name, words: [first, second] }: Use): boolean =>
  name === "sg" &&
  (/^--?\w/u.test(first?.text ?? "") ||
    (/^(?:run|scan)$/u.test(first?.text ?? "") && /^(?:$|-(?!c$))/u.test(second?.text ?? "")));

/** `sg group -c 'shell code'`, `newgrp group`. */
function* groupShell(operands: readonly Word[], use: Use): Iterable<Effect> {
  if (isAstGrep(use)) {
    yield runs([literal("ast-grep"), ...use.words]);
    return;
  }
  yield elevates;
  const [flag, code] = operands.filter(({ text }) => text !== "-").slice(1);
  if (flag === undefined) yield shellOfInput;
  else yield interprets("shell", flag.text === "-c" && code ? code : flag);
}

export const running: Readonly<Record<string, WordsDo>> = {
  /** It stands somewhere among the words; which of them belong to options need not be known. */
  "runs among": ([first], { words }) => [
    runs(first ? words.slice(words.indexOf(first)) : [], { isAmong: true }),
  ],
  /** `--exec /bin/x -- arguments`. */
  "runs with operands": ([first], { operands }) => (first ? [runs([first, ...operands])] : []),
  "debugger lines": (lines) => lines.flatMap(debuggerLine),
  /** What `-L name values` gives stands for `{name}`, and is looked at as a command, too. */
  measured: (lines) =>
    lines.map((line) => interprets("shell", withText(line, line.text.replaceAll(/\{\w+\}/gu, unknown)))),
  "code or command": ([flag, ...rest]) =>
    flag && /^(?:-c|--command)$/u.test(flag.text)
      ? rest.map((code) => interprets("shell", code))
      : command(flag ? [flag, ...rest] : []),
  watched: (words, { has }) =>
    words.length === 0 || has("x", "exec") ? command(words) : [interprets("shell", joinWords(words, " "))],
  "on change": (words, { has }) => {
    const changed = words.map((word) =>
      word.text === "/_" ? { ...unknownWord(), mayBeSeveral: false } : word,
    );
    const [first, ...others] = changed;
    return first && has("s") ? [interprets("shell", first, [literal("sh"), ...others])] : command(changed);
  },
  "program by path": (words) =>
    words
      .filter(({ text }) => /[/\0]/u.test(text))
      .flatMap((path) => [danger("high", "its option loads a program by its path"), loads(path)]),
  "traced to": (files) =>
    files.flatMap((file) =>
      /^[|!]/u.test(file.text) ? runsByOption("-o", withText(file, file.text.slice(1))) : replaces([file]),
    ),
  environment: (_, use) => environment(use),
  assigned: (words) => assigns(words),
  elevated: elevatesCommand,
  "group shell": groupShell,
};
