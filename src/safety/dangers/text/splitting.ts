/** Splits text into words by a program's own rules instead of the shell's. */

import { unknown, type Word, withText } from "../../command-line/word.ts";

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
export const splitAsXargs = (line: Word): Word[] =>
  [...line.text.matchAll(/(?:'[^']*'|"[^"]*"|\\[^]|[^\s'"\\])+/gu)].map(([part]) =>
    withText(line, unquotedAsXargs(part)),
  );

export const unquotedAsXargs = (text: string): string =>
  text.replace(/'([^']*)'|"([^"]*)"|\\([^])/gu, (_, single, double, escaped) => single ?? double ?? escaped);

/** A character in the notation of `xargs -d`, `tr` and `parallel`: `,`, `\n`, `\t`. */
export const characterOf = (text: string): string =>
  text.startsWith("\\") ? (characters[escapes.indexOf(text.charAt(1))] ?? text.charAt(1)) : text;

const longestText = 65_536;

/** Replaces every `mark` with the item, or with an unknown part if the result would be too long. */
export function filledIn(text: string, mark: string, item: string): string {
  const parts = text.split(mark);
  const isTooLong = text.length + (parts.length - 1) * item.length > longestText;
  return parts.join(isTooLong ? unknown : item);
}
