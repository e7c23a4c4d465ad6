/** A change on a card: line numbers, signs, colours, and the words that differ marked. */

import { type DiffBlock, diffBlocks, type DiffLine } from "../../view/diff-blocks.ts";
import type { Style } from "../../view/style.ts";
import { styledRows } from "../styled-rows.ts";

type DiffSign = "+" | "-" | " ";

/** Nothing of the diff is left out, but for the headings of its one file, which the card's title names. */
export function diffCardRows(diff: string, { style, columns }: { style: Style; columns: number }): string[] {
  const blocks = diffBlocks(diff);
  const digits = String(Math.max(0, ...blocks.flatMap(numbersIn))).length;
  const files = blocks.filter(({ type }) => type === "heading").length;
  const rows = (sign: DiffSign) => (line: DiffLine) => lineRows(line, { sign, digits, style, columns });
  return blocks.flatMap((block, at) => {
    switch (block.type) {
      case "heading":
        return files === 1 && at === 0 ? [] : styledRows(style.bold(block.text), columns, indent);
      case "hunk":
        return at <= 1 ? [] : [`    ${style.dim("⋮")}`];
      case "same":
        return block.lines.flatMap(rows(" "));
      case "change":
        return [...block.removed.flatMap(rows("-")), ...block.added.flatMap(rows("+"))];
      default:
        return block satisfies never;
    }
  });
}

const indent = { first: "    ", rest: "      " };

const numbersIn = (block: DiffBlock): number[] => {
  const lines = block.type === "same" ? block.lines : [];
  const changed = block.type === "change" ? [...block.removed, ...block.added] : [];
  return [...lines, ...changed].map(({ number = 0 }) => number);
};

type LineLayout = { sign: DiffSign; digits: number; style: Style; columns: number };

function lineRows({ number, text, marked, note }: DiffLine, layout: LineLayout): string[] {
  const { sign, digits, style, columns } = layout;
  const paint = sign === "+" ? style.green : sign === "-" ? style.red : (words: string): string => words;
  const shown = text.replaceAll("\t", "  ");
  const isExact = shown === text;
  const words =
    marked && isExact && marked.to > marked.from
      ? text.slice(0, marked.from) + style.inverse(text.slice(marked.from, marked.to)) + text.slice(marked.to)
      : shown;
  const margin = `    ${String(number ?? "").padStart(Math.max(2, digits))} ${sign} `;
  const first = style.dim(margin.slice(0, -2)) + paint(margin.slice(-2));
  const rows = styledRows(paint(words), columns, {
    first,
    rest: " ".repeat(margin.length - 2) + style.dim("… "),
  });
  return note === undefined ? rows : [...rows, style.dim(`${" ".repeat(margin.length)}${note}`)];
}
