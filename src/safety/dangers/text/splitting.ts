/** Splits text into words by a program's own rules instead of the shell's. */

import { unknown, type Word, withText } from "../../command-line/word.ts";

/** Splits as `env -S` does: quotes, escapes, comments; `${NAME}` is unknown. */
export function splitAsEnv(text: Word): Word[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  const source = text.text.replace(/\$\{\w+\}/gu, unknown);
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === "\\") {
      at += 1;
      const escaped = source.charAt(at);
      if (escaped === "c") break;
      if (escaped === "_" && quote === "") {
        if (word !== undefined) words.push(word);
        word = undefined;
      } else word = (word ?? "") + (escapes.get(escaped) ?? escaped);
    } else if (quote === "" ? sign === "'" || sign === '"' : sign === quote) {
      quote = quote === "" ? sign : "";
      word ??= "";
    } else if (quote === "" && /\s/u.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === "" && sign === "#" && word === undefined) break;
    else word = (word ?? "") + sign;
  }
  if (word !== undefined) words.push(word);
  return words.map((part) => withText(text, part));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["_", " "],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Splits a line as `xargs` does: blanks, quotes without escapes, and backslashes. */
export const splitAsXargs = (line: Word): Word[] =>
  [...line.text.matchAll(/(?:'[^']*'|"[^"]*"|\\[^]|[^\s'"\\])+/gu)].map(([part]) =>
    withText(line, unquotedAsXargs(part)),
  );

export const unquotedAsXargs = (text: string): string =>
  text.replace(/'([^']*)'|"([^"]*)"|\\([^])/gu, (_, single, double, escaped) => single ?? double ?? escaped);

/** A character in the notation of `xargs -d`, `tr` and `parallel`: `,`, `\n`, `\t`. */
export const characterOf = (text: string): string =>
  text.startsWith("\\") ? (escapes.get(text.charAt(1)) ?? text.charAt(1)) : text;

const longestText = 65_536;

/** Replaces every `mark` with the item, or with an unknown part if the result would be too long. */
export function filledIn(text: string, mark: string, item: string): string {
  const parts = text.split(mark);
  const isTooLong = text.length + (parts.length - 1) * item.length > longestText;
  return parts.join(isTooLong ? unknown : item);
}
