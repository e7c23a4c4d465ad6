/** A command on a card: whole, and under the part that weighs most a rule with what that part does. */

import { culpritParts } from "../../view/culprit.ts";
import { visibleLine, visiblePreview } from "../../view/visible.ts";
import type { CallQuestion } from "../card.ts";
import { styledRows, styledWidth } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";

/** `chosen`: the row of the rule, counted from the second row on. */
type CommandRows = { head: string[]; body: string[]; chosen?: number };

/** Only while rows are laid out: where the marked part begins and ends. */
const [open, close] = ["\u001B[4m", "\u001B[24m"];

/** In the title if it is one line, else below it; in any case exactly once. */
export function commandRows(question: CallQuestion, layout: RowLayout): CommandRows {
  const { title, preview } = question;
  const parts = culpritParts(question);
  const shown = parts ? parts.before + withMarks(parts.part) + parts.after : visiblePreview(preview);
  const isInTitle = !preview.includes("\n") && title.endsWith(` ${preview}`);
  const [first = ""] = title.split("\n", 1);
  const before = isInTitle ? visiblePreview(title.slice(0, -preview.length)) : visibleLine(first);
  const heading = isInTitle ? before + shown : first === title ? before : `${before} …`;
  const lines = isInTitle ? [] : shown.replace(/\n$/u, "").split("\n");
  const { style, columns } = layout;
  const rows = [
    ...styledRows(style.bold(style.yellow(`? ${heading}`)), columns, { first: "", rest: "    " }),
    ...lines.flatMap((line) => styledRows(line, columns, { first: "    ", rest: "    … " })),
  ];
  const [head = "", ...body] = parts ? withRule(rows, parts.does, layout) : rows;
  const chosen = parts ? body.findIndex((row) => row.includes("─")) : -1;
  return { head: [head], body, ...(chosen >= 0 ? { chosen } : {}) };
}

/** The mark ends with each line, and begins again with the next. */
const withMarks = (text: string): string =>
  text
    .split("\n")
    .map((line) => open + line + close)
    .join("\n");

/** Under each row of the marked part a rule, and behind or below the last one the words. */
function withRule(rows: readonly string[], does: string, { style, columns }: RowLayout): string[] {
  const last = rows.findLastIndex((row) => row.includes(open));
  return rows.flatMap((row, at) => {
    const from = row.indexOf(open);
    if (from < 0) return [row];
    const end = row.indexOf(close, from);
    const to = styledWidth(end < 0 ? row : row.slice(0, end));
    const margin = " ".repeat(styledWidth(row.slice(0, from)));
    const rule = margin + style.red("─".repeat(Math.max(1, to - margin.length)));
    const bare = row.replaceAll(open, "").replaceAll(close, "");
    if (at !== last) return [bare, rule];
    const words = style.red(does);
    return to + 1 + styledWidth(words) < columns
      ? [bare, `${rule} ${words}`]
      : [bare, rule, ...styledRows(words, columns, { first: "    ", rest: "    " })];
  });
}
