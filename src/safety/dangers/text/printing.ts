/** Programs whose output follows exactly from their arguments: echo, printf, yes. */

import { isUnknown, joinWords, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import type { Effect } from "../effect.ts";
import type { WordsDo } from "../program.ts";
import { subscriptOf } from "../shells.ts";

/** Functions of `text.yaml`. */
export const printing: Readonly<Record<string, WordsDo>> = {
  echoes,
  formats,
  repeats: (words) => [
    {
      type: "prints",
      text: withNewline(words.length > 0 ? joinWords(words, " ") : literal("y")),
      flows: ["endless"],
    },
  ],
};

const withNewline = (word: Word): Word => withText(word, `${word.text}\n`);

function echoes(words: readonly Word[]): Effect[] {
  const first = words.findIndex(({ text }) => !/^-[neE]+$/u.test(text));
  const count = first < 0 ? words.length : first;
  const flags = words
    .slice(0, count)
    .map(({ text }) => text)
    .join("");
  const text = joinWords(words.slice(count), " ");
  const line = flags.includes("n") ? text : withNewline(text);
  if (flags.lastIndexOf("e") <= flags.lastIndexOf("E")) return [{ type: "prints", text: line }];
  return [{ type: "prints", text: unescape(line, echoEscape) }, ...letterCodes([line], echoEscape)];
}

/** Letters written as character codes are hidden from reviewers. */
const letterCodes = (words: readonly Word[], escape: RegExp): Effect[] =>
  words.some(({ text }) =>
    [...text.matchAll(escape)].some(
      ([whole]) => /^\\[x0-7uU]/u.test(whole) && /[a-zA-Z/~$`;|&]/u.test(characterOf(whole)),
    ),
  )
    ? [{ type: "prints", flows: ["decoded"] }]
    : [];

const echoEscape =
  /\\(?:x[0-9a-fA-F]{1,2}|0[0-7]{0,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[abeEfnrtv\\]|c.*)/gsu;
const formatEscape =
  /\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[abeEfnrtv\\"'?])/gu;

const unescape = (word: Word, escape: RegExp): Word =>
  withText(
    word,
    word.text.replace(escape, (whole) => characterOf(whole)),
  );

const letters = "abeEfnrtvc";
const characters = ["\u0007", "\b", "\u001B", "\u001B", "\f", "\n", "\r", "\t", "\v", ""];

/** What one escape sequence stands for. */
function characterOf(whole: string): string {
  const [, hex] = /^\\[xuU]([0-9a-fA-F]+)$/u.exec(whole) ?? [];
  if (/^\\[0-7]+$/u.test(whole)) return String.fromCodePoint(Number.parseInt(whole.slice(1), 8) & 0xff);
  if (hex === undefined) return characters[letters.indexOf(whole.charAt(1))] ?? whole.slice(1);
  const code = Number.parseInt(hex, 16);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : "\uFFFD";
}

/** `printf -v name` prints into a variable, whose subscript is evaluated. */
function* formats(words: readonly Word[]): Iterable<Effect> {
  const isNamed = words[0]?.text === "-v";
  if (isNamed && words[1]) yield* subscriptOf(words[1]);
  const given = isNamed ? words.slice(2) : words;
  const own = given[0]?.text === "--" ? given.slice(1) : given;
  const [format, ...values] = own;
  if (!format) return;
  yield { type: "prints", text: fillFormat(format, values) ?? withText(joinWords(own), unknown) };
  yield* letterCodes(own, formatEscape);
}

const directive = /%(?:%|[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[sbqdiouxXcfFeEgGaA]|\([^)]*\)T))/gu;

/** The format is reused until no value is left; undefined if the output would be too long. */
function fillFormat(format: Word, values: readonly Word[]): Word | undefined {
  if (isUnknown(format) || format.isPattern) return undefined;
  if (format.text.length * (values.length + 1) > 20_000) return undefined;
  const directives = format.text.match(directive) ?? [];
  const texts = format.text.split(directive).map((text) => unescape(withText(format, text), formatEscape));
  const rest = [...values];
  const parts: Word[] = [];
  let before: number;
  do {
    before = rest.length;
    for (const [at, text] of texts.entries()) {
      const found = directives[at];
      parts.push(text, ...(found === undefined ? [] : [valueOf(found, rest)]));
    }
  } while (rest.length > 0 && rest.length < before);
  return joinWords(parts);
}

/** Only plain text and numbers are told, not those that are padded or cut. */
function valueOf(found: string, rest: Word[]): Word {
  if (found === "%%") return literal("%");
  const value = rest.shift() ?? literal("");
  if (found.endsWith("b")) return unescape(value, echoEscape);
  const isTold = /^%[sq]$/u.test(found) || (/^%[di]$/u.test(found) && /^-?\d+$/u.test(value.text));
  return isTold ? value : withText(value, unknown);
}
