/** Programs that run a command for each of many inputs. */

import {
  type Flow,
  type Word,
  isUnknown,
  joinWords,
  literal,
  noFlows,
  unknown,
  unknownWord,
  withText,
} from "../../command-line/word.ts";
import { interprets, loads, reads, runs } from "../effect-makers.ts";
import type { Effect, Input } from "../effect.ts";
import { wordsIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

/** The maximum number of commands per line judged individually; all remaining inputs go to one more. */
const mostRuns = 100;
const mostWords = 4_000;

const runsOf = (template: readonly Word[]): number =>
  Math.min(mostRuns, Math.max(1, Math.floor(mostWords / (template.length + 1))));

const nothingIn: Input = { text: literal(""), flows: noFlows, isGiven: true };

function* eachInput(use: Use): Iterable<Effect> {
  const files = use.values("a", "arg-file");
  yield* reads(files);
  const template = use.operands.length > 0 ? use.operands : [literal("echo")];
  const own = files.length > 0 || use.has("o", "open-tty") ? use.input : nothingIn;
  const run = (words: readonly Word[]): Effect => runs(words, { input: own });
  const text = files.length > 0 ? undefined : use.input.text;
  const mark = replaceMark(use);
  if (text === undefined || isUnknown(text)) {
    const item = unknownItem(use.input.flows);
    yield run(mark === undefined ? [...template, item] : template.map((word) => fillMark(word, mark, item)));
    if (text === undefined) return;
  }
  const groups = groupsOf(text, use);
  const count = runsOf(template);
  // Without any input it runs once, unchanged.
  if (groups.length === 0 && mark === undefined && !use.has("r", "no-run-if-empty")) yield run(template);
  for (const group of groups.slice(0, count)) yield run(fillTemplate(template, group, mark));
  const left = groups.slice(count).flat();
  if (left.length > 0) yield run([...template, ...left]);
}

/** File names from a program's output are not taken for options; text from elsewhere may be anything. */
function unknownItem(flows: ReadonlySet<Flow>): Word {
  const carries = flows.size > 0 ? flows : new Set<Flow>(["input"]);
  const mayBeSeveral = ["network", "decoded", "random"].some((flow) =>
    [...carries].some((each) => each === flow),
  );
  return { ...unknownWord(carries), mayBeSeveral };
}

function replaceMark(use: Use): string | undefined {
  const given = use.value("I", "J", "replace")?.text;
  if (given !== undefined) return given;
  return use.has("i", "replace") ? "{}" : undefined;
}

function fillTemplate(template: readonly Word[], group: readonly Word[], mark: string | undefined): Word[] {
  if (mark === undefined) return [...template, ...group];
  return template.map((word) => fillMark(word, mark, joinWords(group, " ")));
}

function fillMark(word: Word, mark: string, item: Word): Word {
  if (mark === "" || !word.text.includes(mark)) return word;
  const whole = word.text === mark;
  const filling = joinWords([word, item]);
  return {
    ...filling,
    text: filledIn(word.text, mark, item.text),
    mayBeSeveral: whole && item.mayBeSeveral,
  };
}

/** The inputs of each single command; how many a command takes is not counted, only whether it takes all. */
function groupsOf(text: Word, use: Use): Word[][] {
  const delimiter = use.value("d", "delimiter")?.text;
  const isWhole = delimiter !== undefined || use.has("0", "null");
  const sign = delimiter === undefined ? "\0" : characterOf(delimiter);
  const lines = linesOf(text, isWhole ? sign : "\n");
  if (replaceMark(use) !== undefined)
    return lines.map((line) => [isWhole ? line : withText(line, unquotedAsXargs(line.text.trimStart()))]);
  const inLines = isWhole ? lines.map((line) => [line]) : lines.map(splitAsXargs);
  if (use.has("L", "max-lines")) return inLines;
  const words = inLines.flat();
  return use.has("n", "max-args") || words.length === 0 ? words.map((word) => [word]) : [words];
}

const linesOf = (text: Word, sign: string): Word[] =>
  text.text
    .split(sign)
    .filter((line) => line !== "" && line.trim() !== "")
    .map((line) => withText(text, line));

/** `parallel [options] command ::: inputs :::: files`; without a command each input is a command line. */
function* inParallel(operands: readonly Word[], use: Use): Iterable<Effect> {
  const start = operands.findIndex(isMark);
  const template = start < 0 ? operands : operands.slice(0, start);
  const items: Word[] = [];
  const lists = [...use.values("a", "arg-file", "i", "infile")];
  let isList = false;
  for (const word of start < 0 ? [] : operands.slice(start))
    if (isMark(word)) isList = word.text.startsWith("::::");
    else (isList ? lists : items).push(word);
  yield* reads(lists);
  if (template.length === 0) {
    for (const item of items) yield interprets("shell", item);
    for (const list of lists) yield loads(list, "shell");
    if (items.length + lists.length === 0) yield { type: "interprets-input", language: "shell" };
  } else if (use.has("pipe", "pipe-part")) yield interprets("shell", joinWords(template, " "));
  else
    yield* eachOf(
      template,
      items.length > 0 ? items : lists.length > 0 ? [unknownItem(noFlows)] : itemsOf(use),
    );
}

const isMark = ({ text }: Word): boolean => /^(?:::::?\+?|--)$/u.test(text);

/** One item per input line, if the input is known. */
function itemsOf(use: Use): Word[] {
  const { text, flows } = use.input;
  const lines = text ? linesOf(text, use.has("0", "null") && !text.text.includes("\n") ? "\0" : "\n") : [];
  return lines.length > 0 ? lines : [unknownItem(flows)];
}

/** Inputs are quoted for the shell, so a command without shell syntax is run directly. */
function* eachOf(template: readonly Word[], items: readonly Word[]): Iterable<Effect> {
  const joined = joinWords(template, " ");
  const plain = joined.text.replaceAll(/\{[\d./]*\}/gu, "{}");
  const line = withText(joined, plain.includes("{}") ? plain : `${plain} {}`);
  const isPlain = /^[\w\s./{}=:,@%+#-]*$/u.test(line.text);
  const count = runsOf(template);
  for (const item of items.slice(0, count))
    yield isPlain
      ? runs(wordsIn(line).map((word) => fillMark(word, "{}", item)))
      : interprets("shell", fillMark(line, "{}", withText(item, `'${item.text.replaceAll("'", "'\\''")}'`)));
  const left = items.slice(count);
  if (left.length > 0) yield runs([...template, ...left]);
}

export const manyFunctions: Readonly<Record<string, WordsDo>> = {
  "each input": (_, use) => eachInput(use),
  "in parallel": inParallel,
  /** Of two programs with one name, the one that runs a line for each input is given inputs, or a line. */
  "in parallel, if given": (words, use) =>
    use.input.isGiven || use.has("i", "infile") || words.some(({ text }) => /[\s{}]/u.test(text))
      ? inParallel(words, use)
      : [],
};

const escapes = "_fnrtv";
const characters = " \f\n\r\t\v";

/** Splits as `env -S` does: quotes, escapes, comments; `${NAME}` is unknown, and `\c` ends it. */
export function splitAsEnv({ text, ...word }: Word): Word[] {
  const source = text.replace(/\\c.*/su, "").replace(/\$\{\w+\}/gu, unknown);
  const parts = [...source.matchAll(/(?:'(?:\\.|[^'])*'?|"(?:\\.|[^"])*"?|\\[^_]|[^\s'"\\])+/gsu)].map(
    String,
  );
  const end = parts.findIndex((part) => part.startsWith("#"));
  return (end < 0 ? parts : parts.slice(0, end)).map((part) => ({
    ...word,
    text: part.replace(/\\(.)|["']/gsu, (_, sign?: string) => (sign ? characterOf(`\\${sign}`) : "")),
  }));
}

/** Splits a line as `xargs` does: blanks, quotes without escapes, and backslashes. */
const splitAsXargs = (line: Word): Word[] =>
  [...line.text.matchAll(/(?:'[^']*'|"[^"]*"|\\[^]|[^\s'"\\])+/gu)].map(([part]) =>
    withText(line, unquotedAsXargs(part)),
  );

const unquotedAsXargs = (text: string): string =>
  text.replace(/'([^']*)'|"([^"]*)"|\\([^])/gu, (_, single, double, escaped) => single ?? double ?? escaped);

/** A character in the notation of `xargs -d`, `tr` and `parallel`: `,`, `\n`, `\t`. */
const characterOf = (text: string): string =>
  text.startsWith("\\") ? (characters[escapes.indexOf(text.charAt(1))] ?? text.charAt(1)) : text;

const longestText = 65_536;

/** Replaces every `mark` with the item, or with an unknown part if the result would be too long. */
function filledIn(text: string, mark: string, item: string): string {
  const parts = text.split(mark);
  const isTooLong = text.length + (parts.length - 1) * item.length > longestText;
  return parts.join(isTooLong ? unknown : item);
}
