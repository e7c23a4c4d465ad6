/** A code block: finished line by line. */

import type { CodeColours } from "./code-colours.ts";
import { type Piece, plainLook } from "./look.ts";
import { cutRows, type TakeRow } from "./wrapping.ts";

/** Plain data. */
export type CodeBlock = {
  type: "code";
  /** Undefined for indented code. */
  fence: { marker: string; indent: number } | undefined;
  language: string;
  /** The unfinished line, if one has begun. */
  line: string | undefined;
  /** Rows of the line have been finished already: it is too long to be coloured. */
  isLong: boolean;
  /** Lines that the next one's colours depend on. */
  before: string;
  /** Empty lines that count only if code follows. */
  empty: number;
};

export type CodeSpace = { columns: number; colours: CodeColours; take: TakeRow };

const longestLine = 4_000;
/** More lines of an unclosed comment, say, would cost their length again with each further line. */
const longestBefore = 2_000;

export const newCode = (fence: CodeBlock["fence"], language: string): CodeBlock => ({
  type: "code",
  fence,
  language,
  line: undefined,
  isLong: false,
  before: "",
  empty: 0,
});

export function addCode(code: CodeBlock, text: string, { columns, take }: CodeSpace): void {
  code.line = (code.line ?? "") + text;
  if (code.line.length <= longestLine) return;
  const rows = cutRows(plain(code.line), columns - marginIn(columns));
  const last = rows.pop() ?? [];
  for (const row of rows) take(withMargin(row, columns));
  code.line = last.map((piece) => piece.text).join("");
  code.isLong = true;
}

export function endCodeLine(code: CodeBlock, { columns, colours, take }: CodeSpace): void {
  const { line, isLong, language, before } = code;
  if (line === undefined) return;
  code.line = undefined;
  code.isLong = false;
  if (code.fence === undefined && line.trim() === "") {
    code.empty += 1;
    return;
  }
  for (; code.empty > 0; code.empty -= 1) take([]);
  const coloured = isLong ? undefined : colours({ language, before, line });
  for (const row of cutRows(coloured?.pieces ?? plain(line), columns - marginIn(columns)))
    take(withMargin(row, columns));
  code.before = coloured?.isComplete === false ? withLine(before, line) : "";
}

/** What is open goes on being open without its middle, so only its first line is kept. */
function withLine(before: string, line: string): string {
  const all = `${before}${line}\n`;
  return all.length <= longestBefore ? all : all.slice(0, all.indexOf("\n") + 1);
}

const plain = (text: string): Piece[] => [{ text, look: plainLook }];
/** On a very narrow terminal there is none. */
const marginIn = (columns: number): number => (columns < 10 ? 0 : 2);
const withMargin = (row: readonly Piece[], columns: number): readonly Piece[] =>
  row.every(({ text }) => text.trim() === "")
    ? []
    : [{ text: " ".repeat(marginIn(columns)), look: plainLook }, ...row];
