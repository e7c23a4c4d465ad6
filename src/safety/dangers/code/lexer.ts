/** Splits code into names, numbers, signs and texts, dropping comments. */

import { unknown } from "../../command-line/word.ts";
import {
  type CodeLanguage,
  type CodeToken,
  type Cursor,
  endsValue,
  lexes,
  readString,
  take,
} from "./strings.ts";

/** `isBroken`: a quote was not closed, so the code may not be what it appears to be. Never throws. */
export function tokensOf(
  text: string,
  language: CodeLanguage,
): { tokens: readonly CodeToken[]; isBroken: boolean } {
  const cursor: Cursor = {
    text,
    language,
    at: 0,
    depth: 0,
    isBroken: false,
    brackets: [],
    isAfterHead: false,
  };
  const tokens = lexUntil(cursor, "");
  return { tokens, isBroken: cursor.isBroken };
}

const openers: Readonly<Record<string, string>> = { "}": "{", "]": "[", ")": "(" };

/** Lexes up to and including the closing bracket, or to the end of the text for "". */
function lexUntil(cursor: Cursor, close: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let open = 0;
  while (cursor.at < cursor.text.length) {
    if (take(cursor, lexes[cursor.language].blank) !== undefined) continue;
    const char = cursor.text[cursor.at] ?? "";
    if (close !== "" && char === close) {
      if (open === 0) {
        cursor.at += 1;
        return tokens;
      }
      open -= 1;
    }
    if (close !== "" && char === openers[close]) open += 1;
    for (const token of nextTokens(cursor, tokens.at(-1))) put(tokens, token, cursor);
  }
  return tokens;
}

/** Adds a token. An end of line is none where the statement goes on behind it. */
function put(tokens: CodeToken[], token: CodeToken, { language, brackets }: Cursor): void {
  const last = tokens.at(-1);
  const isScript = language === "javascript";
  if (isLineEnd(token)) {
    if (isScript ? isLineEnd(last) || joins(last) : brackets.length > 0) return;
  } else if (isScript && isLineEnd(last) && (joins(token) || opens(token))) {
    const before = tokens.at(-2);
    if (!opens(token) || !(before?.type === "sign" && before.text === "}")) tokens.pop();
  }
  tokens.push(token);
}

const isLineEnd = (token?: CodeToken): boolean => token?.type === "sign" && token.text === "\n";
const joins = (token?: CodeToken): boolean =>
  token?.type === "sign" && /^(?:[.=<>|&^%*+?:-]+)$/u.test(token.text);
const opens = (token: CodeToken): boolean => token.type === "sign" && /^[([]$/u.test(token.text);

const number = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?)n?/iuy;
const sign =
  /===|!==|\*\*=|\|\|=|&&=|\.\.\.|\.\.|=>|->|::|\?\.|:=|\+=|-=|\.=|==|!=|=~|<=|>=|<<|>>|&&|\|\||&\.|\*\*|\/\//uy;

function nextTokens(cursor: Cursor, before: CodeToken | undefined): readonly CodeToken[] {
  const char = cursor.text[cursor.at] ?? "";
  if (char === unknown) {
    cursor.at += 1;
    return [{ type: "name", text: char }];
  }
  const quoted = readQuoted(cursor, char, before);
  if (quoted) return quoted;
  const digits = take(cursor, number);
  if (digits !== undefined) return [{ type: "number", text: digits }];
  const name = take(cursor, lexes[cursor.language].name);
  if (name !== undefined) return [{ type: "name", text: name }];
  const found = take(cursor, sign);
  cursor.at += found === undefined ? char.length : 0;
  if (/[([{]/u.test(char)) cursor.brackets.push(char === "(" && isHead(before));
  if (/[)\]}]/u.test(char)) cursor.isAfterHead = cursor.brackets.pop() ?? false;
  return [{ type: "sign", text: found ?? char }];
}

const isHead = (before: CodeToken | undefined): boolean =>
  before?.type === "name" && /^(?:if|while|for|with)$/u.test(before.text);

/** Within one line, and not without end: a slash may be anything. */
const pattern = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,1000}\/[a-z]*/uy;
const anything: CodeToken = { type: "text", parts: [] };

const opening = /[rbuft]{0,2}(?:"""|'''|"|')/iuy;

function readQuoted(
  cursor: Cursor,
  char: string,
  before: CodeToken | undefined,
): readonly CodeToken[] | undefined {
  const isPython = cursor.language === "python";
  if (!isPython && char === "/" && !endsValue(before, cursor)) {
    if (take(cursor, pattern) !== undefined) return [anything];
    cursor.isBroken ||= /^\/[^*/][^\n]{200}/u.test(cursor.text.slice(cursor.at, cursor.at + 202)); // or it is too long
  }
  const open = take(cursor, isPython ? opening : /["'`]/uy);
  if (open === undefined) return undefined;
  const close = open.replace(/^\w+/u, "");
  const embeds = isPython ? (/[ft].*["']/iu.test(open) ? "{" : undefined) : close === "`" ? "${" : undefined;
  const isRaw = /r.*["']/iu.test(open);
  const read = readString(
    cursor,
    { close, isRaw, embeds, isOneLine: isPython && close.length === 1 },
    lexUntil,
  );
  cursor.at -= read ? 0 : open.length;
  return read ? [read] : skipQuote(cursor, char);
}

/** Skips the first quote that is not closed, so that the code after it is still read; a second one consumes the rest. */
function skipQuote(cursor: Cursor, char: string): readonly CodeToken[] {
  cursor.at = cursor.isBroken ? cursor.text.length : cursor.at + 1;
  cursor.isBroken = true;
  return [{ type: "sign", text: char }];
}
