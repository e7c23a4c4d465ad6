/** The lexer's position in the code, and the parsing of a string from there. */

import type { Interpolation, Lexis, Part, Token } from "./token.ts";

export type Cursor = {
  readonly text: string;
  readonly lexis: Lexis;
  at: number;
  depth: number;
  /** An unterminated quote was found, so the code may not mean what it appears to. */
  isBroken: boolean;
  /** Characters scanned for unterminated regular expressions, capped at the text's length to keep lexing linear. */
  vain: number;
};

/** How a string continues. `code` lexes embedded code up to a closing bracket. */
export type Quote = {
  readonly open?: string;
  readonly close: string;
  readonly escapes: "all" | "few" | "none";
  readonly interpolation: Interpolation | "{" | undefined;
  readonly isOneLine?: boolean;
  readonly code: (cursor: Cursor, close: string) => readonly Token[];
};

const deepest = 40;

/**
 * Starts after the opening quote. Returns the string's parts, or undefined (consuming nothing) if it is unterminated.
 */
export function readQuoted(cursor: Cursor, quote: Quote): Part[] | undefined {
  const start = cursor.at;
  const parts: Part[] = [];
  let said = "";
  let nested = 0;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? "";
    if (nested === 0 && cursor.text.startsWith(quote.close, cursor.at)) {
      cursor.at += quote.close.length;
      if (said !== "") parts.push(said);
      return parts;
    }
    if (char === "\n" && quote.isOneLine) break;
    if (quote.open !== undefined && char === quote.open) nested += 1;
    if (quote.open !== undefined && char === quote.close) nested -= 1;
    if (char === "\\" && quote.escapes !== "none") {
      said += readEscape(cursor, quote);
      continue;
    }
    const code = readInterpolation(cursor, quote);
    if (code === undefined) {
      said += char;
      cursor.at += 1;
      continue;
    }
    if (said !== "") parts.push(said);
    said = "";
    parts.push(code);
  }
  cursor.at = start;
  return undefined;
}

const simpleEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\n": "" };
const hexEscape = /\\(?:x([\da-f]{2})|u([\da-f]{4})|[ux]\{([\da-f]{1,6})\}|([0-3]?[0-7]{1,2}))/iuy;

function readEscape(cursor: Cursor, { escapes, close }: Quote): string {
  const next = cursor.text[cursor.at + 1] ?? "";
  if (escapes === "few" && next !== "\\" && next !== close) {
    cursor.at += 1;
    return "\\";
  }
  hexEscape.lastIndex = cursor.at;
  const coded = escapes === "all" ? hexEscape.exec(cursor.text) : null;
  if (!coded) {
    cursor.at += 2;
    return (escapes === "all" ? simpleEscapes[next] : undefined) ?? next;
  }
  cursor.at += coded[0].length;
  const number =
    coded[4] === undefined
      ? Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", 16)
      : Number.parseInt(coded[4], 8);
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : "";
}

const sigilName = /[$@](?:\{\^?\w+\}|\w+(?:::\w+)*|[&!0])/uy;

/** The code embedded in a string at this position, or undefined if the string simply continues. */
function readInterpolation(cursor: Cursor, { interpolation, code }: Quote): readonly Token[] | undefined {
  if (interpolation === undefined || cursor.depth >= deepest) return undefined;
  const from = cursor.at;
  const next = cursor.text[from + 1] ?? "";
  if (interpolation === "$") return readSigil(cursor, code);
  if (interpolation === "{") {
    if (cursor.text[from] !== "{") return undefined;
    if (next !== "{") return bracketed(cursor, { skip: 1, close: "}", code });
    cursor.at += 2;
    return [];
  }
  if (!cursor.text.startsWith(interpolation, from)) return undefined;
  return bracketed(cursor, { skip: 2, close: "}", code });
}

/** `$x`, `$h{k}`, `@{[ code ]}`, `{$x->y}`. */
function readSigil(cursor: Cursor, code: Quote["code"]): readonly Token[] | undefined {
  const { text, at } = cursor;
  const two = text.slice(at, at + 2);
  if (two === "{$") return bracketed(cursor, { skip: 1, close: "}", code });
  sigilName.lastIndex = at;
  const named = sigilName.exec(text)?.[0];
  if (named === undefined)
    return two === "@{" || two === "${" ? bracketed(cursor, { skip: 2, close: "}", code }) : undefined;
  cursor.at += named.length;
  const name: Token = { type: "name", text: named.replace(/[{}^]/gu, "") };
  const open = text[cursor.at];
  if (open !== "{" && open !== "[") return [name];
  const close = open === "{" ? "}" : "]";
  const index = bracketed(cursor, { skip: 1, close, code });
  return [name, { type: "sign", text: open }, ...index, { type: "sign", text: close }];
}

function bracketed(
  cursor: Cursor,
  { skip, close, code }: { skip: number; close: string; code: Quote["code"] },
): readonly Token[] {
  cursor.at += skip;
  cursor.depth += 1;
  const tokens = code(cursor, close);
  cursor.depth -= 1;
  return tokens;
}
