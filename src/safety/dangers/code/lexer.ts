/** Takes code apart into names, strings, numbers and signs, without its comments. */

import { unknown } from "../../command-line/word.ts";
import { namesIn } from "../listed.ts";
import { type Cursor, readQuoted } from "./cursor.ts";
import { readOwnQuote } from "./own-quotes.ts";
import type { Lexis, Token } from "./token.ts";

/** `isBroken`: some quote never ends, so that the code may be other than it looks. Never throws. */
export function tokensOf(text: string, lexis: Lexis): { tokens: readonly Token[]; isBroken: boolean } {
  const cursor: Cursor = { text, lexis, at: 0, depth: 0, isBroken: false, vain: 0 };
  const tokens = lexUntil(cursor, "");
  return { tokens, isBroken: cursor.isBroken };
}

const openers: Readonly<Record<string, string>> = { "}": "{", "]": "[", ")": "(" };

/** Up to the bracket that closes, which is taken too; to the end for "". */
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

/** Whether blanks or a comment stood here. Ends of lines are signs: in some languages they end what is said. */
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

/** `%x` is a hash where a value is looked for, and a remainder behind one. */
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
    // In languages where an apostrophe has other uses, a string stays on its line.
    isOneLine: isOther && close === "'",
    code: lexUntil,
  });
  if (parts) return { type: "text", parts, command: close === "`" && lexis.backticks === "command" };
  cursor.at -= 1;
  if (!(isOther && close === "'")) return unclosed(cursor, close);
  return take(cursor, "sign", close);
}

/** The first quote that never ends is passed over, to see what stands behind it; the second takes all the rest. */
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

/** Whether a slash behind this divides. */
function endsValue(before: Token | undefined): boolean {
  if (before === undefined) return false;
  if (before.type === "sign") return [")", "]", "}"].includes(before.text);
  return before.type !== "name" || !wordsBeforeValues.has(before.text);
}

const flags = /[a-z]*/uy;

/** A regular expression: nothing in it is of interest. */
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
