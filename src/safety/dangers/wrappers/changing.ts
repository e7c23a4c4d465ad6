/** Functions of `wrappers.yaml`: programs that run another command with other variables or with other rights. */

import { isUnknown, literal, unknown, unknownWord, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, printsVariables, replaces, runs } from "../effect-makers.ts";
import type { Effect, Variable } from "../effect.ts";
import { cutAt } from "../parts.ts";
import type { Use } from "../program.ts";
import { splitAsEnv } from "../text/splitting.ts";
import { variableEffects } from "../variables.ts";
import { command, readAgain } from "./wrapping.ts";

const envForm = { stopAtOperand: true, short: "uCSa", long: ["unset", "chdir", "split-string", "argv0"] };
const deepestSplit = 8;

/** Without a command it prints the environment, including keys and tokens. */
function* environment(use: Use, depth = 0): Iterable<Effect> {
  const split = use.value("S", "split-string");
  if (split) {
    if (isUnknown(split) || depth > deepestSplit) yield runs([unknownWord(split.carries)]);
    else yield* environment(readAgain(use, [...splitAsEnv(split), ...use.operands], envForm), depth + 1);
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
const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

const onlyAsks = ({ operands, has }: Use): boolean =>
  operands.length === 0 && has("help", "version", "V", "K", "k", "remove-timestamp", "reset-timestamp");

function* elevatesCommand(operands: readonly Word[], use: Use): Iterable<Effect> {
  if (onlyAsks(use)) return;
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

export const changing: Readonly<Record<string, WordsDo>> = {
  environment: (_, use) => environment(use),
  assigned: (words) => assigns(words),
  elevated: elevatesCommand,
  "group shell": groupShell,
};
