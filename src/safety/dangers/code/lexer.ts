/** Splits code into names, strings, numbers and signs, dropping comments. */

import { unknown } from "../../command-line/word.ts";
import { namesIn } from "../listed.ts";
import { type Cursor, readQuoted } from "./cursor.ts";
import { readOwnQuote } from "./own-quotes.ts";
import type { Lexis, Token } from "./token.ts";

/** `isBroken`: some quote is unterminated, so the code may not be what it appears. Never throws. */
export function tokensOf(text: string, lexis: Lexis): { tokens: readonly Token[]; isBroken: boolean } {
  const cursor: Cursor = { text, lexis, at: 0, depth: 0, isBroken: false, vain: 0 };
  const tokens = lexUntil(cursor, "");
  return { tokens, isBroken: cursor.isBroken };
}

const openers: Readonly<Record<string, string>> = { "}": "{", "]": "[", ")": "(" };

/** Lexes up to and including the closing bracket, or to the end of the text for "". */
function lexUntil(cursor: Cursor, close: string): Token[] {
  const tokens: Token[] = [];
  let open = 0;
  while (cursor.at < cursor.text.length) {
    if (skipBlank(cursor)) continue;
    const char = cursor.text[cursor.at] ?? "";
    if (close !== "" && char === close) {
      if (open === 0) {
        cursor.at += 1;
        return tokens;
      }
      open -= 1;
    }
    if (close !== "" && char === openers[close]) open += 1;
    tokens.push(nextToken(cursor, tokens.at(-1)));
  }
  return tokens;
}

/**
 * Skips blanks and comments, and returns whether there were any. Line ends are signs: in some languages they end a
 * statement.
 */
function skipBlank(cursor: Cursor): boolean {
  const { text, lexis } = cursor;
  const char = text[cursor.at] ?? "";
  if (char !== "\n" && /\s/u.test(char)) cursor.at += 1;
  else if (char === "\\" && text[cursor.at + 1] === "\n") cursor.at += 2;
  else if (lexis.blockComments && text.startsWith("/*", cursor.at)) {
    const end = text.indexOf("*/", cursor.at + 2);
    cursor.isBroken ||= end < 0;
    cursor.at = end < 0 ? text.length : end + 2;
  } else if (lexis.lineComments.some((begin) => text.startsWith(begin, cursor.at))) {
    const end = text.indexOf("\n", cursor.at);
    cursor.at = end < 0 ? text.length : end;
  } else return false;
  return true;
}

const number = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?)n?/iuy;
const name = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*/uy;
const nameWithDollar = /[\p{L}\p{Nl}_$][\p{L}\p{N}\p{M}_$]*/uy;
const sigilled = /[$@%&]{1,2}(?:\{\^?\w+\}|\^?[\p{L}_][\p{L}\p{N}_]*(?:::\w+)*|\d+|[!&0_/\\,;.](?!\w))/uy;
const sign =
  /===|!==|\*\*=|\|\|=|&&=|\.\.\.|\.\.|=>|->|::|\?\.|:=|\+=|-=|\.=|==|!=|=~|<=|>=|<<|>>|&&|\|\||\*\*|\/\//uy;

function nextToken(cursor: Cursor, before: Token | undefined): Token {
  const char = cursor.text[cursor.at] ?? "";
  if (char === unknown) return take(cursor, "name", char);
  const quoted = readString(cursor, { char, before });
  if (quoted) return quoted;
  const found = match(cursor, number);
  if (found !== undefined) return take(cursor, "number", found);
  const named =
    (cursor.lexis.sigils.includes(char) && isOperandPlace(cursor, before)
      ? match(cursor, sigilled)
      : undefined) ?? nameAt(cursor);
  if (named !== undefined) {
    cursor.at += named.length;
    return { type: "name", text: named.replace(/[{}^]/gu, "") };
  }
  return take(cursor, "sign", match(cursor, sign) ?? char);
}

/** `%x` is a hash where an operand is expected, and a modulo after one. */
function isOperandPlace({ text, at }: Cursor, before: Token | undefined): boolean {
  if (text[at] !== "%" || !endsValue(before)) return true;
  return /\s/u.test(text[at - 1] ?? "") && /[A-Za-z_]/u.test(text[at + 1] ?? "");
}

function nameAt(cursor: Cursor): string | undefined {
  const { lexis } = cursor;
  const found = match(cursor, lexis.backticks === "text" ? nameWithDollar : name);
  const next = cursor.text[cursor.at + (found?.length ?? 0)] ?? "";
  const isOther = lexis.own === "none" && lexis.lineComments.length === 0;
  const mayEnd = lexis.own === "ruby" ? "?!" : isOther ? "!" : "";
  const belongs = found !== undefined && next !== "" && mayEnd.includes(next);
  return belongs ? found + next : found;
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text)?.[0];
}

function take(cursor: Cursor, type: "name" | "number" | "sign", text: string): Token {
  cursor.at += text.length;
  return { type, text };
}

function readString(
  cursor: Cursor,
  { char, before }: { char: string; before: Token | undefined },
): Token | undefined {
  const own = readOwnQuote(cursor, { before, code: lexUntil });
  if (own === "unclosed") return unclosed(cursor, char);
  if (own) return own;
  if (char === '"' || char === "'" || (char === "`" && cursor.lexis.backticks !== "none"))
    return readPlainString(cursor, char);
  if (char === "/" && cursor.lexis.slashPatterns && !endsValue(before)) return readPattern(cursor);
  return undefined;
}

function readPlainString(cursor: Cursor, close: string): Token {
  const { lexis } = cursor;
  const isOther = lexis.own === "none" && lexis.lineComments.length === 0;
  cursor.at += 1;
  const parts = readQuoted(cursor, {
    close,
    escapes: lexis.plainQuotes.includes(close) ? "few" : "all",
    interpolation: lexis.interpolates[close],
    // Where apostrophes have other uses, a string must end on its own line.
    isOneLine: isOther && close === "'",
    code: lexUntil,
  });
  if (parts) return { type: "text", parts, command: close === "`" && lexis.backticks === "command" };
  cursor.at -= 1;
  if (!(isOther && close === "'")) return unclosed(cursor, close);
  return take(cursor, "sign", close);
}

/** Skips the first unterminated quote, so that the code after it is still analysed; a second one consumes the rest. */
function unclosed(cursor: Cursor, char: string): Token {
  if (cursor.isBroken) cursor.at = cursor.text.length;
  else cursor.at += 1;
  cursor.isBroken = true;
  return { type: "sign", text: char };
}

const wordsBeforeValues = new Set(
  namesIn(`return typeof case in of if elsif unless and or not when while until split grep map puts
    print yield await`),
);

/** Whether a slash after this token is a division. */
function endsValue(before: Token | undefined): boolean {
  if (before === undefined) return false;
  if (before.type === "sign") return [")", "]", "}"].includes(before.text);
  return before.type !== "name" || !wordsBeforeValues.has(before.text);
}

const flags = /[a-z]*/uy;

/** Skips a regular expression: nothing inside it matters. */
function readPattern(cursor: Cursor): Token | undefined {
  let inSet = false;
  for (let at = cursor.at + 1; at < cursor.text.length && cursor.vain < cursor.text.length; at += 1) {
    const char = cursor.text[at];
    if (char === "\n") break;
    cursor.vain += 1;
    if (char === "\\") at += 1;
    else if (char === "[") inSet = true;
    else if (char === "]") inSet = false;
    else if (char === "/" && !inSet) {
      cursor.vain -= at - cursor.at;
      cursor.at = at + 1;
      cursor.at += match(cursor, flags)?.length ?? 0;
      return { type: "text", parts: [], command: false };
    }
  }
  cursor.isBroken ||= cursor.vain >= cursor.text.length;
  return undefined;
}
