/** Expands `$name` and `${name…}`, as far as their values are known. */

import { either, elementAt, slicedList } from "./arrays.ts";
import type * as syntax from "./parse.ts";
import { doubt } from "./report.ts";
import { flowsOfVariable, setVariable, type Shell, valuesOf, variableOf } from "./shell.ts";
import { evaluate, type Walk } from "./walking.ts";
import {
  flowsOf,
  isLiteral,
  isUnknown,
  joinWords,
  literal,
  unknown,
  unknownWord,
  type Word,
  withText,
} from "./word.ts";

type Expand = (word: syntax.Word) => Word;

export function parameterValues(
  part: syntax.SimpleExpansionPart | syntax.ParameterExpansionPart,
  walk: Walk,
  expand: Expand,
): readonly Word[] {
  if (part.type === "SimpleExpansion") return plainly(part.text.slice(1), walk.shell);
  if (part.index && part.index.text !== "@" && part.index.text !== "*") evaluate(expand(part.index), walk);
  const values = elements(part, walk.shell);
  if (part.prefix === "#") return [digits];
  const plain = part.prefix === "!" ? indirect(values, part, walk) : values;
  return part.operation ? applyOperation(plain, part.operation, { walk, expand, part }) : plain;
}

/** Without a subscript, an array stands for its first element. */
export function plainly(name: string, shell: Shell): readonly Word[] {
  const values = valuesOfParameter(name, shell);
  return name === "@" || name === "*" ? values : [values[0] ?? literal("")];
}

const digits: Word = { ...unknownWord(), mayBeSeveral: false };

/** The values of a variable or special parameter by name. A variable that the line did not set is unknown. */
function valuesOfParameter(name: string, shell: Shell): readonly Word[] {
  if (/^[0-9]+$/u.test(name)) return [positional(Number(name), shell)];
  if (name === "@" || name === "*") return shell.positional ?? [unknownWord()];
  if (name === "!") return [{ ...digits, carries: new Set(["own-process"]) }];
  if (/^[#?$-]$/u.test(name)) return [digits];
  return valuesOf(shell, name) ?? [unknownWord(flowsOfVariable(variableOf(shell, name)))];
}

function positional(at: number, { positional: words, variables }: Shell): Word {
  if (at === 0) return variables.get("0")?.[0] ?? literal("bash");
  return words ? (words[at - 1] ?? literal("")) : unknownWord();
}

function elements({ parameter, index }: syntax.ParameterExpansionPart, shell: Shell): readonly Word[] {
  const values = valuesOfParameter(parameter, shell);
  if (index === undefined)
    return shell.variables.has(variableOf(shell, parameter)) ? values.slice(0, 1) : values;
  if (index.text === "@" || index.text === "*") return values;
  return [elementAt(values, index.text)];
}

/** `$@`, `${a[*]}`: whether all words are meant. */
const isList = ({ parameter, index }: syntax.ParameterExpansionPart): boolean =>
  /^[@*]$/u.test(index ? index.text : parameter);

/** `${!name}`: the value of the variable whose name is the value of `name`; `${!name*}`: names. */
function indirect(values: readonly Word[], part: syntax.ParameterExpansionPart, walk: Walk): readonly Word[] {
  if (part.operation?.type === "Names") return [unknownWord()];
  const [value] = values;
  if (value && isLiteral(value)) return valuesOfParameter(value.text, walk.shell);
  for (const one of values) evaluate(one, walk);
  if (isList(part)) return [either(values)]; // the keys of an array
  // Any variable may be meant, also one with a key.
  return [{ ...either(values), carries: new Set([...flowsOf(values), "secret", "variables"]) }];
}

type Operating = { walk: Walk; expand: Expand; part: syntax.ParameterExpansionPart };

function applyOperation(
  values: readonly Word[],
  operation: syntax.ParameterOperation,
  { walk, expand, part }: Operating,
): readonly Word[] {
  switch (operation.type) {
    case "Default": {
      const operand = expand(operation.operand);
      return withDefault(values, operand, { operation, part, shell: walk.shell });
    }
    case "Remove":
    case "CaseModification": {
      const operand = operation.operand && expand(operation.operand);
      return values.map((value) =>
        changeText(value, (text) => changeEnd(text, operation.operator, operand?.text)),
      );
    }
    case "Replace": {
      const [from, to] = [expand(operation.pattern), expand(operation.replacement)];
      return values.map((value) => replaceText(value, operation.operator, { from, to }));
    }
    case "Slice": {
      const [offset, length] = [expand(operation.offset), operation.length && expand(operation.length)];
      evaluate(offset, walk);
      if (length) evaluate(length, walk);
      if (!isList(part))
        return values.map((value) => changeText(value, (text) => sliceText(text, offset.text, length?.text)));
      // `$0` precedes the arguments, so that offset 1 is `$1`.
      return slicedList(part.index ? values : [positional(0, walk.shell), ...values], offset, length);
    }
    case "Transform": {
      const name = expand(operation.operand).text;
      if (name === "P") for (const value of values) evaluate(value, walk);
      if (name === "P" && values.some(isUnknown))
        doubt(walk.report, "high", "what a variable holds is run by how it is expanded (@P)", walk.range);
      return [either(values)];
    }
    case "Names":
      return [unknownWord()];
    case "Unknown":
      doubt(walk.report, "high", "an expansion in it is not understood", walk.range);
      return [either(values)];
    default:
      return operation satisfies never;
  }
}

type Defaulting = {
  operation: syntax.ParameterDefaultOperation;
  part: syntax.ParameterExpansionPart;
  shell: Shell;
};

/** A variable that the line did not set counts as unset: its writer expects the default. */
function withDefault(
  values: readonly Word[],
  operand: Word,
  { operation, part, shell }: Defaulting,
): readonly Word[] {
  const { operator } = operation;
  const isSet = valuesOf(shell, part.parameter) !== undefined;
  const isNull = values.length <= 1 && (values[0]?.text ?? "") === "";
  const counts = isSet && !(operator.startsWith(":") && isNull);
  if (operator.endsWith("+")) return isSet && !counts ? [literal("")] : [operand];
  if (operator.endsWith("?")) return values;
  if (operator.endsWith("=") && !counts) setVariable(shell, part.parameter, [operand]);
  return counts ? values : [operand];
}

/** The text after a change that can be computed; `undefined` where it cannot. */
function changeText(word: Word, change: (text: string) => string | undefined): Word {
  const text = isUnknown(word) ? undefined : change(word.text);
  return text === undefined ? unknownWord(word.carries) : withText(word, text);
}

function changeEnd(text: string, operator: string, operand: string | undefined): string | undefined {
  switch (operator) {
    case "^^":
      return operand === undefined ? text.toUpperCase() : undefined;
    case ",,":
      return operand === undefined ? text.toLowerCase() : undefined;
    case "^":
      return operand === undefined ? text.slice(0, 1).toUpperCase() + text.slice(1) : undefined;
    case ",":
      return operand === undefined ? text.slice(0, 1).toLowerCase() + text.slice(1) : undefined;
    case "#":
    case "##":
    case "%":
    case "%%":
      return withoutEnd(text, operator, operand ?? "");
    default:
      return undefined;
  }
}

/** `${x%.*}` and the like: tries every possible cut, the shortest or the longest first. */
function withoutEnd(text: string, operator: string, wanted: string): string | undefined {
  if (text.length > 1_024 || wanted.includes(unknown)) return undefined;
  const fits = globTest(wanted);
  if (!fits) return undefined;
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => at);
  const tried = operator.length === 2 ? lengths.toReversed() : lengths;
  const atStart = operator.startsWith("#");
  const found = tried.find((length) =>
    fits(atStart ? text.slice(0, length) : text.slice(text.length - length)),
  );
  if (found === undefined) return text;
  return atStart ? text.slice(found) : text.slice(0, text.length - found);
}

/** Supports only `*` and `?`, and at most two stars, so that the test stays fast. */
function globTest(glob: string): ((text: string) => boolean) | undefined {
  if (/[[\]\\()]/u.test(glob) || glob.split("*").length > 3) return undefined;
  const source = glob
    .replaceAll(/[.+^${}|/]/gu, String.raw`\$&`)
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  const expression = new RegExp(`^${source}$`, "u");
  return (text) => expression.test(text);
}

function replaceText(word: Word, operator: string, { from, to }: { from: Word; to: Word }): Word {
  const isPlain = isLiteral(from) && isLiteral(to) && !/[*?[\]\\]/u.test(from.text) && from.text !== "";
  if (!isPlain || !operator.startsWith("/") || operator.length > 2 || /[#%]/u.test(operator))
    return joinedUnknown([word, from, to]);
  return changeText(word, (text) =>
    operator === "//" ? text.replaceAll(from.text, () => to.text) : text.replace(from.text, () => to.text),
  );
}

const joinedUnknown = (words: readonly Word[]): Word => ({
  ...joinWords(words),
  text: unknown,
  mayBeSeveral: true,
});

function sliceText(text: string, offset: string, length: string | undefined): string | undefined {
  const start = /^\s*-?\d+$/u.test(offset) ? Number(offset) : undefined;
  const count = length === undefined ? text.length : /^\d+$/u.test(length) ? Number(length) : undefined;
  if (start === undefined || count === undefined) return undefined;
  const from = start < 0 ? Math.max(0, text.length + start) : start;
  return text.slice(from, from + count);
}
