/** Quotes specific to one language: Python's prefixes, Perl's `q{}` and `s///`, Ruby's `%w[]` and `:symbol`. */

import { type Cursor, type Quote, readQuoted } from "./cursor.ts";
import type { Part, Token } from "./token.ts";

type Code = Quote["code"];

/** The token that starts here with such a quote; undefined if there is none; "unclosed" if it is unterminated. */
export function readOwnQuote(
  cursor: Cursor,
  { before, code }: { before: Token | undefined; code: Code },
): Token | "unclosed" | undefined {
  switch (cursor.lexis.own) {
    case "python":
      return readPython(cursor, code);
    case "perl":
      return readPerl(cursor, { before, code });
    case "ruby":
      return readRuby(cursor, { before, code });
    default:
      return undefined;
  }
}

const pythonQuote = /([rbuft]{0,2})("""|'''|"|')/iuy;

function readPython(cursor: Cursor, code: Code): Token | "unclosed" | undefined {
  pythonQuote.lastIndex = cursor.at;
  const [all, prefix = "", close = ""] = pythonQuote.exec(cursor.text) ?? [];
  if (all === undefined) return undefined;
  const kinds = prefix.toLowerCase();
  return closed(cursor, all.length, {
    close,
    escapes: kinds.includes("r") ? "none" : "all",
    interpolation: /[ft]/u.test(kinds) ? "{" : undefined,
    isOneLine: close.length === 1,
    code,
  });
}

/** Skips the opening delimiter and reads the string. */
function closed(cursor: Cursor, skip: number, quote: Quote & { command?: boolean }): Token | "unclosed" {
  const start = cursor.at;
  cursor.at += skip;
  const parts = readQuoted(cursor, quote);
  if (parts) return { type: "text", parts, command: quote.command === true };
  cursor.at = start;
  return "unclosed";
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The delimiters of a string: brackets nest, any other character closes itself. */
const between = (open: string): { open?: string; close: string } =>
  closers[open] === undefined ? { close: open } : { open, close: closers[open] };

const perlQuote = /(qq|qw|qx|qr|q|m|s|tr|y)(\s*)([^\s\w,;)=]|(?<=\s)=(?![=>~]))/uy;

function readPerl(
  cursor: Cursor,
  { before, code }: { before: Token | undefined; code: Code },
): Token | "unclosed" | undefined {
  perlQuote.lastIndex = cursor.at;
  const [all, kind = "", blanks = "", open = ""] = perlQuote.exec(cursor.text) ?? [];
  if (all === undefined || (open === "#" && blanks !== "")) return undefined;
  if (before?.type === "sign" && (before.text === "->" || before.text === "{")) {
    const isKey = before.text === "->" || open === "}";
    if (isKey) return undefined;
  }
  if (kind === "s" || kind === "tr" || kind === "y")
    return readSubstitution(cursor, { all, kind, open, code });
  const isPlain = kind === "q" || kind === "qw" || open === "'";
  const token = closed(cursor, all.length, {
    ...between(open),
    escapes: isPlain ? "few" : "all",
    interpolation: isPlain || kind === "m" || kind === "qr" ? undefined : "$",
    command: kind === "qx",
    code,
  });
  if (token === "unclosed" || token.type !== "text") return token;
  if (kind === "qw") return { type: "words", texts: plainOf(token.parts).split(/\s+/u).filter(Boolean) };
  if (kind === "m" || kind === "qr") skipFlags(cursor);
  return token;
}

/** `s/…/…/e`: the replacement is code, which becomes the token's text. */
function readSubstitution(
  cursor: Cursor,
  { all, kind, open, code }: { all: string; kind: string; open: string; code: Code },
): Token | "unclosed" {
  const start = cursor.at;
  const quote = { ...between(open), escapes: "few" as const, interpolation: undefined, code };
  cursor.at += all.length;
  const pattern = readQuoted(cursor, quote);
  const second = pattern && closers[open] !== undefined ? openNext(cursor) : open;
  const from = cursor.at;
  const replacing = second === undefined ? undefined : readQuoted(cursor, { ...quote, ...between(second) });
  if (!replacing) {
    cursor.at = start;
    return "unclosed";
  }
  const flags = skipFlags(cursor);
  if (kind !== "s" || !flags.includes("e")) return { type: "text", parts: [], command: false };
  const inner = code({ ...cursor, text: cursor.text.slice(0, from) + plainOf(replacing), at: from }, "");
  const twice: Token[] = /e.*e/u.test(flags)
    ? [
        { type: "name", text: "eval" },
        { type: "name", text: "$_" },
      ]
    : [];
  return { type: "text", parts: [[...inner, ...twice]], command: false };
}

const plainOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : "\0")).join("");

function openNext(cursor: Cursor): string | undefined {
  while (/\s/u.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
  const open = cursor.text[cursor.at];
  cursor.at += 1;
  return open;
}

const flagLetters = /[a-z]*/uy;

function skipFlags(cursor: Cursor): string {
  flagLetters.lastIndex = cursor.at;
  const flags = flagLetters.exec(cursor.text)?.[0] ?? "";
  cursor.at += flags.length;
  return flags;
}

const rubyQuote = /%([qQwWiIxr]?)([([{<|!/])/uy;
const rubySymbol = /:([\p{L}_]\w*[?!]?)/uy;

function readRuby(
  cursor: Cursor,
  { before, code }: { before: Token | undefined; code: Code },
): Token | "unclosed" | undefined {
  const isValueBefore =
    before !== undefined && (before.type !== "sign" || before.text === ")" || before.text === "]");
  rubySymbol.lastIndex = cursor.at;
  const symbol = rubySymbol.exec(cursor.text);
  if (symbol && !(before?.type === "sign" && before.text === "::") && cursor.text[cursor.at - 1] !== ":") {
    cursor.at += symbol[0].length;
    return { type: "text", parts: [symbol[1] ?? ""], command: false };
  }
  rubyQuote.lastIndex = cursor.at;
  const [all, kind = "", open = ""] = rubyQuote.exec(cursor.text) ?? [];
  if (all === undefined || (kind === "" && isValueBefore)) return undefined;
  const isPlain = "qwi".includes(kind) && kind !== "";
  const token = closed(cursor, all.length, {
    ...between(open),
    escapes: isPlain ? "few" : "all",
    interpolation: isPlain ? undefined : "#{",
    command: kind === "x",
    code,
  });
  if (token === "unclosed" || token.type !== "text" || !/^[wi]$/iu.test(kind)) return token;
  const words = plainOf(token.parts);
  return { type: "words", texts: words.split(/\s+/u).filter(Boolean) };
}
