/** Quotes of one language: Python's prefixes, Perl's `q{}` and `s///e`, Ruby's `%w[]` and `:symbol`. */

import { type Cursor, endsValue, type Lexing, readString, take } from "./strings.ts";
import type { Quote, CodeToken } from "./token.ts";

type Read = readonly CodeToken[] | "unclosed" | undefined;

/** What starts here with such a quote; undefined if nothing does. */
export function readOwnQuote(cursor: Cursor, before: CodeToken | undefined, lexing: Lexing): Read {
  switch (cursor.language) {
    case "python":
      return readPython(cursor, lexing);
    case "perl":
      return readPerl(cursor, before, lexing);
    case "ruby":
      return readRuby(cursor, before, lexing);
    default:
      return undefined;
  }
}

function readPython(cursor: Cursor, lexing: Lexing): Read {
  const all = take(cursor, /[rbuft]{0,2}(?:"""|'''|"|')/iuy);
  if (all === undefined) return undefined;
  const close = all.replace(/^\w+/u, "");
  const quote = {
    close,
    isRaw: /r.*["']/iu.test(all),
    embeds: /[ft].*["']/iu.test(all) ? "{" : undefined,
    isOneLine: close.length === 1,
  };
  return readClosed(cursor, all, quote, lexing);
}

function readClosed(cursor: Cursor, opening: string, quote: Quote, lexing: Lexing): Read {
  const read = readString(cursor, quote, lexing);
  cursor.at -= read ? 0 : opening.length;
  return read ? [read] : "unclosed";
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** Brackets nest, any other character closes itself. */
const between = (open: string): Quote =>
  closers[open] === undefined ? { close: open } : { open, close: closers[open] };

const perlQuote = /(?:qq|qw|qx|qr|q|m|s|tr|y)(?:[^\s\w,;)=]|\s+(?:[^\s\w,;)=#]|=(?![=>~])))/uy;

function readPerl(cursor: Cursor, before: CodeToken | undefined, lexing: Lexing): Read {
  const isKey = before?.type === "sign" && before.text === "->";
  const all = isKey ? undefined : take(cursor, perlQuote);
  if (all === undefined) return undefined;
  const [kind = ""] = /^\w+/u.exec(all) ?? [];
  const open = all.slice(-1);
  if (open === "}" && before?.type === "sign" && before.text === "{") {
    cursor.at -= all.length;
    return undefined;
  }
  if (/^(?:s|tr|y)$/u.test(kind)) return readSubstitution(cursor, { all, kind, open }, lexing);
  const isPlain = /^(?:q|qw|m|qr)$/u.test(kind) || open === "'";
  const quote = {
    ...between(open),
    isRaw: isPlain,
    embeds: isPlain ? undefined : "$",
    isCommand: kind === "qx",
  };
  const read = readClosed(cursor, all, quote, lexing);
  if (kind === "m" || kind === "qr") take(cursor, /[a-z]+/uy);
  return kind === "qw" ? asList(read) : read;
}

/** The words of a text as a list of texts. */
function asList(read: Read): Read {
  const [token] = read === "unclosed" ? [] : (read ?? []);
  if (token?.type !== "text") return read;
  const words = textOf(token).split(/\s+/u).filter(Boolean);
  const comma: CodeToken = { type: "sign", text: "," };
  const all = words.flatMap((word): CodeToken[] => [
    { type: "text", parts: [word], isCommand: false },
    comma,
  ]);
  return [{ type: "sign", text: "[" }, ...all, { type: "sign", text: "]" }];
}

const textOf = (token: CodeToken): string =>
  token.type === "text" ? token.parts.filter((part) => typeof part === "string").join("") : token.text;

/** With `e` behind it the replacement is code. */
function readSubstitution(
  cursor: Cursor,
  { all, kind, open }: { all: string; kind: string; open: string },
  lexing: Lexing,
): Read {
  const start = cursor.at - all.length;
  const searched = readString(cursor, { ...between(open), isRaw: true }, lexing);
  const second = closers[open] === undefined ? open : (take(cursor, /\s*\S/uy)?.trim() ?? "");
  const from = cursor.at;
  const replacing =
    searched && second !== "" ? readString(cursor, { ...between(second), isRaw: true }, lexing) : undefined;
  if (!replacing) {
    cursor.at = start;
    return "unclosed";
  }
  const to = cursor.at - 1;
  const flags = take(cursor, /[a-z]+/uy) ?? "";
  if (kind !== "s" || !flags.includes("e")) return [{ type: "text", parts: [], isCommand: false }];
  const code = lexing({ ...cursor, text: cursor.text.slice(0, to), at: from }, "");
  const again: CodeToken[] = /e.*e/u.test(flags)
    ? [
        { type: "name", text: "eval" },
        { type: "name", text: "$_" },
      ]
    : [];
  return [{ type: "text", parts: [[...code, ...again]], isCommand: false }];
}

function readRuby(cursor: Cursor, before: CodeToken | undefined, lexing: Lexing): Read {
  const isPath = cursor.text[cursor.at - 1] === ":";
  const symbol = isPath ? undefined : take(cursor, /:[\p{L}_]\w*[?!]?/uy);
  if (symbol !== undefined) return [{ type: "text", parts: [symbol.slice(1)], isCommand: false }];
  const all = take(cursor, endsValue(before) ? /%[qQwWiIxr][([{<|!/]/uy : /%[qQwWiIxr]?[([{<|!/]/uy);
  if (all === undefined) return undefined;
  const isPlain = /[qwi]/u.test(all);
  const quote = {
    ...between(all.slice(-1)),
    isRaw: isPlain,
    embeds: isPlain ? undefined : "#{",
    isCommand: all.includes("x"),
  };
  const read = readClosed(cursor, all, quote, lexing);
  return /[wi]/iu.test(all) ? asList(read) : read;
}
