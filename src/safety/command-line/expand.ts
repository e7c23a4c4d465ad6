/**
 * Written words → the words a program gets, as bash expands them: braces, tilde, variables, substitutions, splitting.
 */

import { expandBraces } from "./braces.ts";
import { type Fields, openFields } from "./fields.ts";
import { parameterValues, plainly } from "./parameters.ts";
import { parseShell, scriptsIn, standIn } from "./parse.ts";
import type * as syntax from "./parse.ts";
import { doubt } from "./report.ts";
import { descriptorPath, freeDescriptor, homeOf as ownHome, type Shell, variableOf } from "./shell.ts";
import { evaluate, feed, substitute, type Walk } from "./walking.ts";
import { isLiteral, joinWords, literal, unknown, unknownWord, type Word } from "./word.ts";

/** All words that these expand to, in order. */
export const expandWords = (words: readonly syntax.Word[], walk: Walk): Word[] =>
  words.flatMap((word) => expandWord(word, walk));

export function expandWord(word: syntax.Word, walk: Walk): Word[] {
  const isMarked = word.parts?.some(({ type }) => type === "BraceExpansion") === true;
  if (!isMarked && (!word.text.includes("{") || word.text.includes("$("))) return fieldsOf(word, walk);
  // On the text, as bash does it: for its brace expansion, a quote in a substitution ends the quotes around it.
  const texts = expandBraces(word.text);
  if (texts?.length === 1 && texts[0] === word.text) return fieldsOf(word, walk);
  const words = texts?.filter((text) => text !== "").map(singleWord);
  if (!words || words.includes(undefined)) return doubtful(word, walk);
  for (const script of scriptsIn(word)) walk.report.entered.add(script); // its words are parsed again
  return words.flatMap((again) => (again ? fieldsOf(again, walk) : []));
}

/** The substitutions in it run in any case. */
function doubtful(word: syntax.Word, walk: Walk): Word[] {
  doubt(walk.report, "high", "the braces in it cannot be followed", walk.range);
  return [...fieldsOf(word, walk), unknownWord()];
}

function singleWord(text: string): syntax.Word | undefined {
  const parsed = parseShell(`: ${text}`);
  const command = parsed.ok ? parsed.value.script.commands[0]?.command : undefined;
  const argument = command?.type === "Command" ? command.args[0] : undefined;
  return argument?.type === "Word" && argument.text === text ? argument : undefined;
}

/** Expands to one word, without splitting: an assigned value, the target of a redirection. */
export function expandWhole(word: syntax.Word, walk: Walk): Word {
  const fields = openFields();
  addParts(partsOf(word), { fields, walk, isQuoted: true, isAssigned: true });
  const [first, ...more] = fields.done();
  return first ? joinWords([first, ...more], " ") : literal("");
}

/** Expands the text of a heredoc, or anything else that is made of parts. */
export function expandParts(parts: readonly syntax.WordPart[], walk: Walk): Word {
  const fields = openFields();
  fields.quote();
  addParts(parts, { fields, walk, isQuoted: true });
  return joinWords(fields.done());
}

function fieldsOf(word: syntax.Word, walk: Walk): Word[] {
  const [separators] = walk.shell.variables.get("IFS") ?? [];
  const fields = openFields(separators && isLiteral(separators) ? separators.text : undefined);
  addParts(partsOf(word), { fields, walk, isQuoted: false });
  return fields.done();
}

/** A word without parts is a single literal. */
const partsOf = (word: syntax.Word): readonly syntax.WordPart[] =>
  word.parts ?? [{ type: "Literal", pos: word.pos, end: word.end, value: word.value, text: word.text }];

type Adding = {
  fields: Fields;
  walk: Walk;
  isQuoted: boolean;
  /** A `~` is also expanded after ":". */
  isAssigned?: boolean;
};

function addParts(parts: readonly syntax.WordPart[], adding: Adding): void {
  for (const [at, part] of parts.entries()) {
    const isFirst = at === 0 && (!adding.isQuoted || adding.isAssigned === true);
    if (part.type === "Literal" && isFirst && hasTilde(part.text, parts.length))
      adding.fields.add(withTilde(part, adding));
    else addPart(part, adding);
  }
}

/** Nothing before the first slash may be quoted, or come from an expansion. */
const hasTilde = (text: string, parts: number): boolean =>
  !/^[^/]*\\/u.test(text) && (parts === 1 || text.includes("/") || text.includes(":"));

function addPart(part: syntax.WordPart, adding: Adding): void {
  const { fields, walk, isQuoted } = adding;
  switch (part.type) {
    case "Literal":
      return addLiteral(part.value, adding);
    case "SingleQuoted":
    case "AnsiCQuoted":
      // Within "${…}" bash parses the decoded text again.
      if (hidesSubstitution(part))
        doubt(walk.report, "high", "escapes in it hide a substitution", walk.range);
      fields.quote();
      return addLiteral(part.value, { ...adding, isQuoted: true });
    case "DoubleQuoted":
    case "LocaleString":
      fields.quote();
      for (const child of part.parts) addPart(child, { ...adding, isQuoted: true });
      return undefined;
    case "Glob":
      if (part.parts) expandParts(part.parts, walk);
      return fields.add(part.text, true);
    case "ExtendedGlob":
      if (part.parts) expandParts(part.parts, walk);
      return fields.add("*", true);
    case "BraceExpansion": // not expanded here: a value, a target, a pattern
      if (!part.parts?.some(({ type }) => type !== "Literal")) return fields.add(part.text);
      return fields.addValue({ ...expandParts(part.parts, walk), text: unknown }, isQuoted);
    case "SimpleExpansion":
    case "ParameterExpansion": {
      const values = parameterValues(part, walk, (word) => expandWhole(word, walk));
      // "$*" is one word, whatever it holds.
      return isQuoted && /\*\]?\}?$/u.test(part.text) && values.length !== 1
        ? fields.addValue(joinWords(values, separatorOf(walk.shell)), true)
        : fields.addValues(values, isQuoted);
    }
    case "CommandExpansion": {
      const { text, flows } = substitute(part.script, walk);
      const known = text && { ...text, text: text.text.replace(/\n+$/u, ""), carries: flows };
      return fields.addValue(known ?? unknownWord(flows), isQuoted);
    }
    case "ProcessSubstitution":
      return fields.addValue(literal(substitutedFile(part, walk)), true);
    case "ArithmeticExpansion":
      if (part.expression) arithmetic(part.expression, walk);
      return fields.addValue({ ...unknownWord(), text: unknown }, true);
    default:
      return part satisfies never;
  }
}

/** The separator between the words of "$*": the first character that other words are split at. */
function separatorOf({ variables }: Shell): string {
  const [separators] = variables.get("IFS") ?? [];
  return separators ? separators.text.slice(0, 1) : " ";
}

/** The path from which a program reads the script's output, or to which it writes the script's input. */
function substitutedFile({ operator, script }: syntax.ProcessSubstitutionPart, walk: Walk): string {
  const path = descriptorPath(freeDescriptor(walk.shell));
  if (operator === "<") walk.shell.files.set(path, substitute(script, walk));
  else feed(script, path, walk);
  return path;
}

const substitution = /\$\(|`/u;

const hidesSubstitution = ({ text, value }: syntax.SingleQuotedPart | syntax.AnsiCQuotedPart): boolean =>
  substitution.test(value) && !substitution.test(text);

/** Turns the stand-ins for unknown parts back into unknown parts. */
function addLiteral(value: string, { fields }: Adding): void {
  if (!value.includes(standIn)) return fields.add(value);
  const word = { ...unknownWord(), text: value.replaceAll(standIn, unknown) };
  return fields.addValue(word, true);
}

function withTilde({ text, value }: syntax.LiteralPart, { walk, isAssigned }: Adding): string {
  const { shell } = walk;
  const home = (before: string, name: string): string => `${before}${homeOf(name, shell)}`;
  const plain = value.replaceAll(standIn, unknown);
  if (isAssigned && /(?:^|:)~/u.test(text))
    return plain.replaceAll(/(^|:)~([^/:]*)/gu, (_, before: string, name: string) => home(before, name));
  return text.startsWith("~") ? plain.replace(/^~([^/]*)/u, (_, name: string) => home("", name)) : plain;
}

function homeOf(name: string, shell: Shell): string {
  if (name === "") return ownHome(shell);
  if (name === "+") return shell.directory ?? unknown;
  if (name === "-") return shell.previousDirectory ?? unknown;
  return name === "root" ? "/root" : `/home/${name}`;
}

/** The values of `name`, and of `$name` or `$1`, for which the parser returns no parts. */
const namedIn = (text: string, shell: Shell): readonly Word[] =>
  text.startsWith("$") ? plainly(text.slice(1), shell) : (shell.variables.get(variableOf(shell, text)) ?? []);

/** Traces the substitutions in it; a variable in arithmetic is evaluated, whatever its text is. */
export function arithmetic(expression: syntax.ArithmeticExpression, walk: Walk): void {
  switch (expression.type) {
    case "ArithmeticBinary":
      arithmetic(expression.left, walk);
      return arithmetic(expression.right, walk);
    case "ArithmeticUnary":
      return arithmetic(expression.operand, walk);
    case "ArithmeticTernary":
      arithmetic(expression.test, walk);
      arithmetic(expression.consequent, walk);
      return arithmetic(expression.alternate, walk);
    case "ArithmeticGroup":
      return arithmetic(expression.expression, walk);
    case "ArithmeticCommandExpansion": {
      const { text, flows } = substitute(expression.script, walk);
      return evaluate(text ?? unknownWord(flows), walk);
    }
    case "ArithmeticWord": {
      const { parts, value: text } = expression;
      if (parts) evaluate(expandParts(parts, walk), walk);
      for (const value of namedIn(text, walk.shell)) evaluate(value, walk);
      return undefined;
    }
    default:
      return expression satisfies never;
  }
}
