/** A table: its columns are known when it is complete. */

import { inlineTokens, piecesOf } from "./inline.ts";
import { type PieceLook, type Piece, plainLook, widthOf, withStyle } from "./look.ts";
import { wrappedRows } from "./wrapping.ts";

/** Plain data. `line`: the unfinished one, if one has begun. */
export type Table = {
  type: "table";
  head: string;
  align: Alignment[];
  lines: string[];
  line: string | undefined;
};
type TableSpace = { columns: number; links: boolean; unicode: boolean };

type Alignment = "left" | "right" | "center";
type Cell = readonly Piece[];

const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;

/** The table that begins with these two lines, if they are one's head. */
export function tableOf(head: string, under: string): Table | undefined {
  if (!delimiter.test(under) || !/[|:]/u.test(under) || !head.includes("|")) return undefined;
  const align = cellsOf(under).map(alignmentOf);
  if (cellsOf(head).length !== align.length) return undefined;
  return { type: "table", head, align, lines: [], line: undefined };
}

export function tableRows({ head, align, lines }: Table, { columns, links, unicode }: TableSpace): Cell[] {
  const read = (line: string, look: PieceLook): Cell[] => {
    const cells = cellsOf(line);
    return align.map((_, at) => piecesOf(inlineTokens(cells[at] ?? ""), look, links));
  };
  const header = read(head, withStyle(plainLook, "bold"));
  const rows = lines.map((line) => read(line, plainLook));
  const widths = fittedWidths([header, ...rows], columns - 1 - 3 * align.length);
  if (!widths) return [head, ...lines].flatMap((line) => wrappedSource(line, { columns, links }));
  return frameRows([header, ...rows], { widths, align, marks: unicode ? boxes : ascii });
}

const wrappedSource = (line: string, { columns, links }: { columns: number; links: boolean }): Cell[] =>
  wrappedRows(piecesOf(inlineTokens(line), plainLook, links), columns);

/** A bar after a backslash is text. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/u, "")
    .replace(/(?<!\\)\|$/u, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.replaceAll("\\|", "|").trim());

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "center" : "right";
}

/** A column that is narrower would show single letters. */
const leastWidth = 3;

/** The widest columns shrink until all fit; undefined if they cannot. */
function fittedWidths(rows: readonly (readonly Cell[])[], columns: number): number[] | undefined {
  const count = rows[0]?.length ?? 0;
  if (columns < count) return undefined;
  const natural = Array.from({ length: count }, (_, at) =>
    rows.reduce((most, cells) => Math.max(most, widthOfCell(cells[at] ?? [])), 1),
  );
  const widths = natural.map((width) => Math.min(width, columns));
  let excess = widths.reduce((sum, width) => sum + width, 0) - columns;
  for (; excess > 0; excess -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const isTooNarrow = widths.some((width, at) => width < Math.min(natural[at] ?? 0, leastWidth));
  return isTooNarrow ? undefined : widths;
}

const widthOfCell = (cell: Cell): number =>
  cell.reduce((sum, { text }) => sum + widthOf(text.replaceAll("\n", " ")), 0);

/** What the lines of a table are drawn with. */
type TableMarks = Readonly<Record<"line" | "bar", string>> &
  Readonly<Record<"top" | "middle" | "bottom", readonly [string, string, string]>>;

const boxes: TableMarks = {
  line: "─",
  bar: "│",
  top: ["┌", "┬", "┐"],
  middle: ["├", "┼", "┤"],
  bottom: ["└", "┴", "┘"],
};
const ascii: TableMarks = {
  line: "-",
  bar: "|",
  top: ["+", "+", "+"],
  middle: ["+", "+", "+"],
  bottom: ["+", "+", "+"],
};

type Layout = { widths: readonly number[]; align: readonly Alignment[]; marks: TableMarks };

const dim = withStyle(plainLook, "dim");

/** Lines stand between the rows where one of them takes more than one line. */
function frameRows(rows: readonly (readonly Cell[])[], layout: Layout): Cell[] {
  const { widths, marks } = layout;
  const line = ([left, between, right]: readonly [string, string, string]): Cell => {
    const parts = widths.map((width) => marks.line.repeat(width + 2));
    return [{ text: left + parts.join(between) + right, look: dim }];
  };
  const [head = [], ...body] = rows.map((cells) => linesOf(cells, layout));
  const isLoose = body.some((lines) => lines.length > 1);
  const inside = body.flatMap((lines, at) => (isLoose && at > 0 ? [line(marks.middle), ...lines] : lines));
  return [line(marks.top), ...head, line(marks.middle), ...inside, line(marks.bottom)];
}

function linesOf(cells: readonly Cell[], { widths, align, marks }: Layout): Cell[] {
  const wrapped = widths.map((width, at) => wrappedRows(cells[at] ?? [], width));
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  const bar: Piece = { text: marks.bar, look: dim };
  return Array.from({ length: height }, (_, row) => [
    ...widths.flatMap((width, at) => [bar, ...padCell(wrapped[at]?.[row] ?? [], width, align[at] ?? "left")]),
    bar,
  ]);
}

function padCell(cell: Cell, width: number, align: Alignment): Piece[] {
  const left = width - widthOfCell(cell);
  const before = align === "left" ? 0 : align === "right" ? left : Math.floor(left / 2);
  return [blanks(before + 1), ...cell, blanks(left - before + 1)];
}

const blanks = (count: number): Piece => ({ text: " ".repeat(Math.max(1, count)), look: plainLook });
