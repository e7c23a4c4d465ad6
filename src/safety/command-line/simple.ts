/** Traces a simple command: assignments in front, words, redirections. */

import type { Variable } from "../dangers/effect.ts";
import { withElement } from "./arrays.ts";
import { expandWhole, expandWord } from "./expand.ts";
import { invoke, tellStreams, tellVariables } from "./meaning.ts";
import { parseShell } from "./parse.ts";
import type * as syntax from "./parse.ts";
import { redirect, type Streams } from "./redirections.ts";
import { doubt, mostWords } from "./report.ts";
import {
  mergeOthers,
  type Output,
  setVariable,
  type Shell,
  silent,
  subshell,
  valuesOf,
  variableOf,
} from "./shell.ts";
import { evaluate, tellLoaded, type Walk } from "./walking.ts";
import { flowsOf, joinWords, literal, unknownWord, type Word, withText } from "./word.ts";

export function simpleCommand(command: syntax.Command, walk: Walk): Output {
  const { name, args, prefix, redirects } = command;
  const given = redirects.map((one) => (one.type === "HereDoc" ? one.body : one.target));
  const others = otherShells([name, ...args, ...prefix, ...given], walk.shell);
  const output = asItStands(command, walk);
  if (others.length === 0) return output;
  const outputs = others.map((shell) => asItStands(command, { ...walk, shell }));
  mergeOthers(walk.shell, others);
  const isSame = outputs.every(({ text }) => text?.text === output.text?.text);
  return {
    text: isSame ? output.text : undefined,
    flows: new Set([output, ...outputs].flatMap(({ flows }) => [...flows])),
  };
}

/** Shells in which the variables that these name have the other values that conditions before may have left them. */
export function otherShells(items: readonly (object | undefined)[], shell: Shell): Shell[] {
  if (shell.otherwise.size === 0) return [];
  const texts = items.map((item) => (item && "text" in item ? String(item.text) : ""));
  const named = new Set(texts.join(" ").match(/[A-Za-z_]\w*/gu));
  const others = [...named].filter((variable) => shell.otherwise.has(variable));
  let shells = [{ ...subshell(shell), otherwise: new Map() }];
  for (const variable of others) {
    const values = [shell.variables.get(variable), ...(shell.otherwise.get(variable) ?? [])];
    const isTraced = shells.length * values.length <= mostTogether;
    shells = shells.flatMap((one) =>
      (isTraced ? values : [[unknownWord(flowsOf(values.flatMap((words) => words ?? [])))]]).map((words) =>
        withVariable(one, variable, words),
      ),
    );
  }
  return shells.slice(1);
}

function withVariable(shell: Shell, name: string, words: readonly Word[] | undefined): Shell {
  const other = subshell(shell);
  if (words) other.variables.set(name, words);
  else other.variables.delete(name);
  return other;
}

/** The most values of several such variables together that are traced; beyond, the further variables are unknown. */
const mostTogether = 16;

function asItStands(command: syntax.Command, walk: Walk): Output {
  if (command.suffix.length + command.prefix.length > mostWords) {
    doubt(walk.report, "critical", "it has more words than can be looked at");
    return silent;
  }
  const words = command.name ? expandWord(command.name, walk) : [];
  for (const argument of command.args) words.push(...argumentWords(argument, walk));
  const assigned = command.prefix.filter((item) => item.type === "Assignment");
  const variables = assigned.flatMap((item) => assignment(item, walk));
  const streams = redirect(command.redirects, walk);
  if (words.length === 0) {
    for (const { name, values } of variables) setVariable(walk.shell, name, values);
    tellVariables(variables, walk);
    tellStreams(streams, walk);
    return streams.finish(variables.length > 0 ? silent : givenTo(streams, walk));
  }
  if (words.every(({ text }) => /^(?:command|builtin|exec)$/u.test(text))) keepOpen(streams, walk);
  const output = invoke(words, { variables, streams, isPlain: walk.isPlain }, walk);
  return streams.finish(output);
}

/** `$(< file)` prints the content of the file. */
const givenTo = ({ input }: Streams, walk: Walk): Output => (input === walk.input ? silent : input);

/** `exec < file`: from here on the shell itself reads from that file. */
function keepOpen({ input, sinks, held }: Streams, { shell, input: before }: Walk): void {
  for (const path of held) shell.held.add(path);
  for (const [path, sink] of sinks) shell.sinks.set(path, sink);
  if (input !== before) shell.inputs.set(before, input);
}

/** Assignments among the arguments are passed as words, to `declare` and similar builtins as to any other program. */
function argumentWords(argument: syntax.CommandArgument, walk: Walk): Word[] {
  if (argument.type === "Word") return compoundWord(argument, walk) ?? expandWord(argument, walk);
  const isList = argument.value.type !== "Word";
  return assignment(argument, walk).map(({ value, values }) => ({
    ...joinWords([literal(`${argument.name}=`), value]),
    ...(isList ? { elements: values } : {}),
  }));
}

/** `eval a=(…)`: the parser does not parse the text, but bash expands it like an assignment. */
function compoundWord(word: syntax.Word, walk: Walk): Word[] | undefined {
  if (word.parts || !/^[A-Za-z_]\w*\+?=\(/u.test(word.text)) return undefined;
  const parsed = parseShell(word.text);
  const command = parsed.ok ? parsed.value.script.commands[0]?.command : undefined;
  const item = command?.type === "Command" ? command.prefix[0] : undefined;
  if (item?.type !== "Assignment") return undefined;
  return assignment(item, walk).map(({ name, value }) =>
    joinWords([literal(`${name}=(`), value, literal(")")]),
  );
}

type AssignedVariable = Variable & { values: readonly Word[] };

function assignment(item: syntax.Assignment, walk: Walk): AssignedVariable[] {
  const index = item.index && expandWhole(item.index, walk);
  if (index) evaluate(index, walk);
  const values =
    item.value.type === "Word" ? [expandWhole(item.value, walk)] : elements(item.value.elements, walk);
  tellLoaded(values, walk);
  const before = item.append || index ? (valuesOf(walk.shell, item.name) ?? []) : [];
  const all = index ? elementSet(before, { index, values, item }) : appendValues(before, { values, item });
  return [{ name: variableOf(walk.shell, item.name), value: joinWords(all, " "), values: all }];
}

type ArrayAssignment = { values: readonly Word[]; item: syntax.Assignment };

function elementSet(
  before: readonly Word[],
  { index, values, item }: ArrayAssignment & { index: Word },
): readonly Word[] {
  const value = joinWords(values);
  return withElement(before, index, item.append ? unknownWord(flowsOf([...before, value])) : value);
}

const appendValues = (before: readonly Word[], { values, item }: ArrayAssignment): readonly Word[] =>
  item.append && item.value.type === "Word" ? [joinWords([...before, ...values])] : [...before, ...values];

/** `a=([…]=x)`: bash evaluates the expanded text in the brackets. */
function elements(written: readonly syntax.Word[], walk: Walk): readonly Word[] {
  let all: readonly Word[] = [];
  for (const element of written) {
    const values = expandWord(element, walk);
    for (const value of values) if (value.text.startsWith("[")) evaluate(value, walk);
    const [first] = values;
    const at = /^\[(\d*)[^=]*\]=/u.exec(element.text);
    all = at && first ? withElement(all, literal(at[1] ?? ""), withoutIndex(first)) : [...all, ...values];
  }
  return all;
}

const withoutIndex = (word: Word): Word => withText(word, word.text.replace(/^\[[^=]*\]=/u, ""));
