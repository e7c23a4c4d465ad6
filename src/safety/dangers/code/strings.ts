/** Tokens of the languages whose code is read, and how each writes them; reads a string from behind its delimiter. */

import { namesIn } from "../parts.ts";

export type CodeToken =
  | { readonly type: "name" | "number" | "sign"; readonly text: string }
  | { readonly type: "text"; readonly parts: readonly Part[] };

/** A part of a string: literal text, or embedded code whose value is inserted. */
type Part = string | readonly CodeToken[];

export type CodeLanguage = "python" | "javascript";

/** How a string is written between its delimiters. */
type Quote = {
  readonly close: string;
  /** A backslash only keeps the next character from ending the string. */
  readonly isRaw?: boolean;
  /** What opens code inside: `${` or `{`. */
  readonly embeds?: string | undefined;
  readonly isOneLine?: boolean;
};

type Lexis = {
  /** A blank or a comment; line ends are signs. */
  readonly blank: RegExp;
  readonly name: RegExp;
};

const hashed = /[^\S\n]+|\\\n|#[^\n]*/uy;
const slashed = /[^\S\n]+|\/\/[^\n]*|#![^\n]*|\/\*[^]*?(?:\*\/|$)/uy;

export const lexes: Readonly<Record<CodeLanguage, Lexis>> = {
  python: { blank: hashed, name: /[\p{L}_][\p{L}\p{N}_]*/uy },
  javascript: { blank: slashed, name: /#?[\p{L}_$][\p{L}\p{N}_$]*/uy },
};

/** The lexer's position. `isBroken`: a quote was not closed, so the code may not mean what it appears to. */
export type Cursor = {
  readonly text: string;
  readonly language: CodeLanguage;
  at: number;
  depth: number;
  isBroken: boolean;
  /** For each open bracket: whether it belongs to an `if` or a loop. */
  readonly brackets: boolean[];
  /** The last bracket that was closed belongs to an `if` or a loop. */
  isAfterHead: boolean;
};

/** Splits code up to and including the closing bracket into tokens. */
type Lexing = (cursor: Cursor, close: string) => readonly CodeToken[];

/** The text that matches here. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  cursor.at += found?.length ?? 0;
  return found === "" ? undefined : found;
}

const wordsBeforeValues = new Set(
  namesIn("return typeof case in of if and or not when while print yield await"),
);

/** Whether a slash after this token is a division: not behind a block, nor behind the head of a statement. */
export function endsValue(before: CodeToken | undefined, { isAfterHead }: Cursor): boolean {
  if (before === undefined) return false;
  if (before.type === "sign") return before.text === "]" || (before.text === ")" && !isAfterHead);
  return before.type !== "name" || !wordsBeforeValues.has(before.text);
}

const deepest = 20;

/** Undefined, consuming nothing, if it does not end. */
export function readString(cursor: Cursor, quote: Quote, lexing: Lexing): CodeToken | undefined {
  const start = cursor.at;
  const parts: Part[] = [];
  let said = "";
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? "";
    if (cursor.text.startsWith(quote.close, cursor.at)) {
      cursor.at += quote.close.length;
      return { type: "text", parts: [...parts, said] };
    }
    if (char === "\n" && quote.isOneLine) break;
    const code = char === "\\" ? undefined : readEmbedded(cursor, quote.embeds, lexing);
    if (code) {
      parts.push(said, code);
      said = "";
    } else said += char === "\\" ? readEscape(cursor, quote.isRaw === true) : char;
    if (!code && char !== "\\") cursor.at += 1;
  }
  cursor.at = start;
  return undefined;
}

const plainEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\n": "" };
const coded = /\\(?:x([\da-f]{2})|u([\da-f]{4})|[ux]\{([\da-f]{1,6})\}|([0-3]?[0-7]{1,2}))/iuy;

function readEscape(cursor: Cursor, isRaw: boolean): string {
  const next = cursor.text[cursor.at + 1] ?? "";
  coded.lastIndex = cursor.at;
  const found = isRaw ? null : coded.exec(cursor.text);
  cursor.at += found?.[0].length ?? 2;
  if (isRaw) return `\\${next}`;
  if (!found) return plainEscapes[next] ?? next;
  const [, hex, short, long, octal] = found;
  const number =
    octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "", 16) : Number.parseInt(octal, 8);
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : "";
}

/** The code that is embedded here; undefined if the text goes on. */
function readEmbedded(
  cursor: Cursor,
  embeds: string | undefined,
  lexing: Lexing,
): readonly CodeToken[] | undefined {
  const { text, at, depth } = cursor;
  if (embeds === undefined || depth >= deepest || !text.startsWith(embeds, at)) return undefined;
  if (text.startsWith("{{", at)) {
    cursor.at += 2;
    return [];
  }
  cursor.at += embeds.length;
  cursor.depth += 1;
  const tokens = lexing(cursor, "}");
  cursor.depth -= 1;
  return tokens;
}
