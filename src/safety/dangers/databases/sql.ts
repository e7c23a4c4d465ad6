/** Splits SQL into statements and words, as far as judging each one requires. */

import { unknown } from "../../command-line/word.ts";

export type SqlKind = "postgres" | "mysql" | "sqlite" | "other";

type SqlToken = {
  readonly type: "word" | "text" | "sign" | "command" | "unknown";
  /** Words are in upper case; strings lack their quotes; client commands (`\!`, `.shell`) are unchanged. */
  readonly text: string;
};

export type Statement = readonly SqlToken[];

/** The statements in order. A line with a client command is a statement of its own. Never throws. */
export function statementsIn(text: string, kind: SqlKind): Statement[] {
  const statements: SqlToken[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const found = nextToken(text, at, { kind, isStart: statements.at(-1)?.length === 0 });
    at = found.end;
    if (found.token === "end") statements.push([]);
    else if (found.token?.type === "command") statements.push([found.token], []);
    else if (found.token) statements.at(-1)?.push(found.token);
  }
  return statements.filter((statement) => statement.length > 0);
}

type NextToken = { token: SqlToken | "end" | undefined; end: number };
type Where = { kind: SqlKind; isStart: boolean };

const blank = /\s+|--[^\n]*|\/\*(?!!)(?:[^*]|\*(?!\/))*(?:\*\/|$)/uy;
const blankForMysql = /\s+|--(?:\s[^\n]*|$)|#[^\n]*|\/\*!\d*|\*\/|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/uy;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const sign = /[^]/uy;

function nextToken(text: string, at: number, { kind, isStart }: Where): NextToken {
  const skipped = match(kind === "mysql" ? blankForMysql : blank, text, at);
  if (skipped !== undefined) return { token: undefined, end: at + skipped.length };
  if (text[at] === ";") return { token: "end", end: at + 1 };
  if (text[at] === unknown) return { token: { type: "unknown", text: unknown }, end: at + 1 };
  const command = match(commandOf(kind, isStart), text, at);
  if (command !== undefined)
    return { token: { type: "command", text: command.trim() }, end: at + command.length };
  const quoted = quotedAt(text, at, kind);
  if (quoted) return quoted;
  const name = match(word, text, at);
  if (name !== undefined) return { token: { type: "word", text: name.toUpperCase() }, end: at + name.length };
  const other = match(sign, text, at) ?? " ";
  return { token: { type: "sign", text: other }, end: at + other.length };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  return found === "" ? undefined : found;
}

const never = /(?!)/uy;
const backslashLine = /\\[^\n]+/uy;
const dotLine = /[.:!][^\n]+/uy;
const mysqlAnywhere = /\\[!.TPe][^\n]*/uy;
const mysqlLine = /\\[!.TPe][^\n]*|(?:system|source|tee|pager|edit)\s[^\n;]+/iuy;

/** How client commands start. */
function commandOf(kind: SqlKind, isStart: boolean): RegExp {
  if (kind === "postgres") return backslashLine;
  if (kind === "mysql") return isStart ? mysqlLine : mysqlAnywhere;
  return isStart ? dotLine : never;
}

const dollarQuote = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** Quoted names and strings. Only some databases treat a backslash as an escape. */
function quotedAt(text: string, at: number, kind: SqlKind): NextToken | undefined {
  const mark = text[at] ?? "";
  if (mark === "$") {
    const tag = match(dollarQuote, text, at);
    if (tag === undefined) return undefined;
    const close = text.indexOf(tag, at + tag.length);
    const end = close < 0 ? text.length : close;
    return {
      token: { type: "text", text: text.slice(at + tag.length, end) },
      end: end + (close < 0 ? 0 : tag.length),
    };
  }
  if (mark !== "'" && mark !== '"' && mark !== "`") return undefined;
  const escapes =
    kind === "mysql" ||
    (kind === "postgres" && mark === "'" && /(?:^|[^\w])[eE]$/u.test(text.slice(Math.max(0, at - 2), at)));
  const end = closing(text, at, escapes);
  const inside = text.slice(at + 1, end);
  const isName = mark !== "'" && !(mark === '"' && kind === "mysql");
  return {
    token: isName ? { type: "word", text: inside.toUpperCase() } : { type: "text", text: inside },
    end: end + 1,
  };
}

function closing(text: string, open: number, escapes: boolean): number {
  const mark = text[open];
  let at = open + 1;
  while (at < text.length) {
    if (escapes && text[at] === "\\") at += 2;
    else if (text[at] !== mark) at += 1;
    else if (text[at + 1] === mark) at += 2;
    else return at;
  }
  return text.length;
}
