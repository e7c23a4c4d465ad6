/** Programs whose output follows exactly from their arguments: echo, printf, yes. */

import { isUnknown, joinWords, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import { subscriptOf } from "../builtins.ts";
import type { Effect } from "../effect.ts";
import { program, type Program, type Use } from "../program.ts";

export const printing: readonly Program[] = [
  program("echo gecho", echoes),
  program("print", echoes),
  program("printf gprintf", formats),
  program("yes gyes", ({ words }) => [
    {
      type: "prints",
      text: withNewline(words.length > 0 ? joinWords(words, " ") : literal("y")),
      flows: ["endless"],
    },
  ]),
];

const withNewline = (word: Word): Word => withText(word, `${word.text}\n`);

function echoes({ words }: Use): Effect[] {
  const first = words.findIndex(({ text }) => !/^-[neE]+$/u.test(text));
  const count = first < 0 ? words.length : first;
  const flags = words
    .slice(0, count)
    .map(({ text }) => text)
    .join("");
  const text = joinWords(words.slice(count), " ");
  const isPlain = flags.lastIndexOf("e") <= flags.lastIndexOf("E");
  const line = flags.includes("n") ? text : withNewline(text);
  return isPlain ? [{ type: "prints", text: line }] : prints(line, line.text, echoEscape);
}

/** Letters written as character codes are hidden from reviewers. */
function prints(word: Word, text: string, escape: RegExp): Effect[] {
  const shown = withText(word, text.replace(escape, decodeEscape));
  return hidesLetters([withText(word, text)], escape)
    ? [{ type: "prints", text: shown, flows: ["decoded"] }]
    : [{ type: "prints", text: shown }];
}

const hidesLetters = (words: readonly Word[], escape: RegExp): boolean =>
  words.some(({ text }) =>
    [...text.matchAll(escape)].some(
      ([whole]) => /^\\[x0-7uU]/u.test(whole) && /[a-zA-Z/~$`;|&]/u.test(decodeEscape(whole)),
    ),
  );

const echoEscape =
  /\\(?:x[0-9a-fA-F]{1,2}|0[0-7]{0,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[abeEfnrtv\\]|c.*)/gsu;
const formatEscape =
  /\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[abeEfnrtv\\"'?])/gu;

const letters: ReadonlyMap<string, string> = new Map(
  ["a\u0007", "b\b", "e\u001B", "E\u001B", "f\f", "n\n", "r\r", "t\t", "v\v", "c"].map(
    (pair) => [pair.charAt(0), pair.slice(1)] as const,
  ),
);

/** Decodes one escape sequence. */
function decodeEscape(whole: string): string {
  const [, kind = ""] = whole;
  const digits = /^\\[xuU]([0-9a-fA-F]+)$/u.exec(whole)?.[1];
  if (digits !== undefined) return letterOf(Number.parseInt(digits, 16));
  if (/^\\[0-7]+$/u.test(whole)) return letterOf(Number.parseInt(whole.slice(1), 8) & 0xff);
  return letters.get(kind) ?? whole.slice(1);
}

const letterOf = (code: number): string => (code <= 0x10_ffff ? String.fromCodePoint(code) : "\uFFFD");

/** `printf -v name` prints into a variable, whose subscript is evaluated. */
function* formats({ words }: Use): Iterable<Effect> {
  const isNamed = words[0]?.text === "-v";
  if (isNamed && words[1]) yield* subscriptOf(words[1]);
  const given = isNamed ? words.slice(2) : words;
  const own = given[0]?.text === "--" ? given.slice(1) : given;
  const [format, ...values] = own;
  if (!format) return;
  const text = fillFormat(format, values);
  yield text === undefined ? { type: "prints", text: unknownOf(own) } : { type: "prints", text };
  if (hidesLetters(own, formatEscape)) yield { type: "prints", flows: ["decoded"] };
}

const unknownOf = (words: readonly Word[]): Word => withText(joinWords(words), unknown);

const directive = /%(?:%|[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[sbqdiouxXcfFeEgGaA]|\([^)]*\)T))/gu;

/** The format is reused until no value is left; undefined if the output would be too long. */
function fillFormat(format: Word, values: readonly Word[]): Word | undefined {
  if (isUnknown(format) || format.isPattern) return undefined;
  if (format.text.length * (values.length + 1) > 20_000) return undefined;
  const rest = [...values];
  const parts: Word[] = [];
  do {
    const before = rest.length;
    let at = 0;
    for (const found of format.text.matchAll(directive)) {
      parts.push(withText(format, decodeFormat(format.text.slice(at, found.index))));
      parts.push(valueOf(found[0], rest));
      at = found.index + found[0].length;
    }
    parts.push(withText(format, decodeFormat(format.text.slice(at))));
    if (rest.length === before) break;
  } while (rest.length > 0);
  return joinWords(parts);
}

const decodeFormat = (text: string): string => text.replace(formatEscape, decodeEscape);

/** Only plain text and numbers are told, not those that are padded or cut. */
function valueOf(found: string, rest: Word[]): Word {
  if (found === "%%") return literal("%");
  const value = rest.shift() ?? literal("");
  if (found.endsWith("b")) return withText(value, value.text.replace(echoEscape, decodeEscape));
  const isTold = /^%[sq]$/u.test(found) || (/^%[di]$/u.test(found) && /^-?\d+$/u.test(value.text));
  return isTold ? value : withText(value, unknown);
}
