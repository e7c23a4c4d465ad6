/** A simple command: assignments in front, words, redirections. */
import type { Variable } from "../dangers/effect.ts";
import { expandWhole, expandWord } from "./expand.ts";
import type { Expansion } from "./expansion.ts";
import { invoke, tellStreams, tellVariables } from "./meaning.ts";
import type * as syntax from "./parse.ts";
import { redirect } from "./redirections.ts";
import { doubt, mostWords } from "./report.ts";
import { type Output, setVariable, silent, valuesOf } from "./shell.ts";
import { evaluate, expansionOf, tellLoaded, type Walk } from "./walking.ts";
import { joined, literal, type Word } from "./word.ts";

export function simpleCommand(command: syntax.Command, walk: Walk): Output {
  if (command.suffix.length + command.prefix.length > mostWords) {
    doubt(walk.report, "critical", "it has more words than can be looked at");
    return silent;
  }
  const expansion = expansionOf(walk);
  const words = command.name ? expandWord(command.name, expansion) : [];
  for (const argument of command.args) words.push(...argumentWords(argument, expansion, walk));
  const assigned = command.prefix.filter((item) => item.type === "Assignment");
  const variables = assigned.flatMap((item) => assignment(item, expansion, walk));
  const streams = redirect(command.redirects, expansion, walk);
  if (words.length === 0) {
    for (const { name, values } of variables) setVariable(walk.shell, name, values);
    tellVariables(variables, walk);
    tellStreams(streams, walk);
    return streams.finish(silent);
  }
  if (words.length === 1 && words[0]?.text === "exec")
    for (const descriptor of streams.connections) walk.shell.connections.add(descriptor);
  const output = invoke(words, { variables, streams, isPlain: walk.isPlain }, walk);
  return streams.finish(output);
}

/** An assignment among the arguments is a word of `declare` and its like, and of any other program. */
function argumentWords(argument: syntax.CommandArgument, expansion: Expansion, walk: Walk): Word[] {
  if (argument.type === "Word") return expandWord(argument, expansion);
  return assignment(argument, expansion, walk).map(({ name, value }) => joined([literal(`${name}=`), value]));
}

export type Assigned = Variable & { values: readonly Word[] };

function assignment(item: syntax.Assignment, expansion: Expansion, walk: Walk): Assigned[] {
  if (item.index) evaluate(expandWhole(item.index, expansion), walk);
  const values =
    item.value.type === "Word"
      ? [expandWhole(item.value, expansion)]
      : item.value.elements.flatMap((element) => expandWord(element, expansion));
  tellLoaded(values, walk);
  const before = item.append ? (valuesOf(walk.shell, item.name) ?? []) : [];
  const all =
    item.value.type === "Word" && item.append ? [joined([...before, ...values])] : [...before, ...values];
  return [{ name: item.name, value: joined(all, " "), values: all }];
}
