/** A question as a card: what is asked, as much of it as fits, and below it the keys that answer. */

import { visibleLine, visibleText, visiblePreview } from "../../base/visible-text.ts";
import type { AskedBlock, QuestionBlock } from "../../view/blocks.ts";
import { containmentWords, undoWords } from "../../view/containment.ts";
import { culpritParts, otherReason } from "../../view/culprit.ts";
import { badgeOf, diffBlocks } from "../../view/diff-blocks.ts";
import { badgeText, mendedWords } from "../../view/plain.ts";
import { waitingWords } from "../../view/waiting-changes.ts";
import { waitingFileLine } from "../../view/waiting-lines.ts";
import type { CallQuestion, Card } from "../card.ts";
import { styledRows, styledWidth } from "../styled-rows.ts";
import { type RowLayout, indentedRows } from "./block-rows.ts";
import { diffCardRows } from "./diff-card-rows.ts";

/** `body`: what may be cut to fit the screen, and is shown whole on request. `chosen`: its row that must be in sight. */
type CardRows = { head: string[]; body: string[]; foot: string[]; chosen?: number };

/** `selected`: the choice or step on which the person is. */
export function cardRows({ content }: Card, layout: RowLayout, selected: number): CardRows {
  switch (content.type) {
    case "approval":
      return content.question.waiting
        ? waitingRows({ ...content.question, waiting: content.question.waiting }, layout)
        : approvalRows(content.question, layout);
    case "choice":
    case "plan":
      return askedRows(content.asked, layout, selected);
    case "lines":
      return { head: [], body: content.lines.flatMap((line) => styledRows(line, layout.columns)), foot: [] };
    default:
      return content satisfies never;
  }
}

/** `rank`: the smaller, the sooner it is needed, where there is no space for all. `isWhole`: its words may not be cut. */
export type KeyOffer = { key: string; words: string; rank?: number | undefined; isWhole?: boolean };

/**
 * `key words   key words`, in no more rows than these, unless one that is whole needs more: those without a key, or
 * needed least, are left out.
 */
export function offerRows(
  offers: readonly KeyOffer[],
  { style, columns }: RowLayout,
  most: number,
): string[] {
  const rowsOf = (all: readonly KeyOffer[]): string[] => {
    // A key stays in the row of its words, and short words in one row.
    const joined = (text: string): string => (text.length < columns - 6 ? text.replaceAll(" ", nbsp) : text);
    const words = all.map(({ key, words: said }) => `${style.bold(joined(key))}${nbsp}${joined(said)}`);
    return styledRows(words.join("   "), columns, { first: " ", rest: " " });
  };
  const bound = offers.filter(({ key }) => key !== "");
  const rows = rowsOf(bound);
  if (rows.length <= most) return rows;
  const rankOf = ({ rank = 9 }: KeyOffer): number => rank;
  const sorted = bound.toSorted((one, other) => rankOf(one) - rankOf(other));
  const needed = sorted.slice(0, sorted.findLastIndex(({ isWhole }) => isWhole) + 1);
  return rowsOf(sorted).slice(0, Math.max(most, rowsOf(needed).length));
}

/**
 * As much of a card as the rows allow: of what is asked the first row, of the reasons the first, and of the rest what
 * fits, with the chosen item in sight.
 */
export function fittedCard(
  { head, body, foot, chosen = 0 }: CardRows,
  most: number,
  { style }: RowLayout,
): string[] {
  const left = most - Math.min(1, foot.length) - Math.min(1, body.length);
  const title = head.slice(0, Math.max(1, left));
  const reasons = foot.slice(0, Math.max(1, most - title.length - Math.min(3, body.length)));
  const space = Math.max(0, most - title.length - reasons.length);
  if (body.length <= space) return [...title, ...body, ...reasons];
  const count = Math.max(0, space - 1);
  const top = Math.min(Math.max(0, chosen - Math.floor(count / 2)), body.length - count);
  const [above, below] = [count === 0 ? 0 : top, count === 0 ? body.length : body.length - top - count];
  const words = [...(above > 0 ? [`${above} above`] : []), ...(below > 0 ? [`${below} more rows`] : [])];
  const more = space === 0 ? [] : [style.dim(`    … ${words.join(", ")}`)];
  return [...title, ...body.slice(top, top + count), ...more, ...reasons];
}

/** A space at which no row ends. */
const nbsp = "\u00A0";

function approvalRows(question: CallQuestion, layout: RowLayout): CardRows {
  const { because, sandbox, repairs, isDiff, preview } = question;
  const isMarked = culpritParts(question) !== undefined;
  const why = visibleLine(isMarked ? otherReason(question) : because);
  const risk = question.risk === "none" ? [] : [question.risk];
  const sentences = [
    [...risk, why].filter((words) => words !== "").join(": "),
    ...(repairs ? [`mended in the call: ${mendedWords(repairs)}`] : []),
    ...(sandbox ? [`it ${containmentWords(sandbox, because)}`] : []),
    ...(sandbox?.undo ? [undoWords(sandbox) ?? ""] : []),
  ];
  const paint = question.risk === "critical" ? layout.style.red : layout.style.dim;
  const foot = sentences.flatMap((sentence) => indentedRows(paint(sentence), layout));
  if (isDiff === true) {
    const badge = badgeText(badgeOf(diffBlocks(preview)), layout.style);
    const head = titleRows(visibleLine(question.title), layout, `  ${badge}`);
    return { head, body: diffCardRows(preview, layout), foot };
  }
  return { ...commandRows(question, layout), foot };
}

const titleRows = (words: string, { style, columns }: RowLayout, end = ""): string[] =>
  styledRows(`${style.bold(style.yellow(`? ${words}`))}${end}`, columns, { first: "", rest: "    " });

function waitingRows(
  question: CallQuestion & { waiting: NonNullable<QuestionBlock["waiting"]> },
  layout: RowLayout,
): CardRows {
  const { waiting, title, because } = question;
  const files = waiting.files.map((file) => waitingFileLine(file, layout.style));
  return {
    head: [
      ...titleRows(visibleLine(title), layout),
      ...waitingWords(waiting).flatMap((words) => indentedRows(visibleLine(words), layout)),
    ],
    body: [...files.flatMap((line) => indentedRows(line, layout)), ...diffCardRows(question.preview, layout)],
    foot: indentedRows(layout.style.dim(visibleLine(because)), layout),
  };
}

function askedRows({ question, choices, steps }: AskedBlock, layout: RowLayout, selected: number): CardRows {
  const { style, columns } = layout;
  const [first = "", ...rest] = visibleText(question.trim()).split("\n");
  const items = steps
    ? steps.map(({ title, detail }) => ({ words: visibleLine(title), detail }))
    : choices.map(({ label, detail }) => ({ words: visibleLine(label), detail }));
  const width = Math.min(24, Math.max(0, ...items.map(({ words }) => words.length)));
  const itemRows = items.map(({ words, detail = "" }, at) => {
    const isAt = at === selected;
    const mark = isAt ? style.cyan("❯") : " ";
    const more = detail.trim() === "" ? "" : `  ${style.dim(visibleLine(detail.trim()))}`;
    const line = `${isAt ? style.bold(words) : words}${" ".repeat(more === "" ? 0 : Math.max(0, width - words.length))}${more}`;
    return styledRows(line, columns, {
      first: `  ${mark} ${String(at + 1).padStart(items.length > 9 ? 2 : 1)} `,
      rest: " ".repeat(7),
    });
  });
  return {
    head: [
      ...titleRows(first, layout),
      ...rest.flatMap((line) => styledRows(line, columns, { first: "  ", rest: "  " })),
    ],
    body: steps?.length === 0 ? [style.dim("    no step is left")] : itemRows.flat(),
    foot: [],
    chosen: itemRows.slice(0, Math.max(0, selected)).flat().length,
  };
}

/** A rule across the screen. */
export const rule = ({ style, columns }: RowLayout): string =>
  style.dim("─".repeat(Math.max(1, columns - 1)));

/** `chosen`: the row of the rule, counted from the second row on. */
type CommandRows = { head: string[]; body: string[]; chosen?: number };

/** Only while rows are laid out: where the marked part begins and ends. */
const [open, close] = ["\u001B[4m", "\u001B[24m"];

/** In the title if it is one line, else below it; in any case exactly once. */
function commandRows(question: CallQuestion, layout: RowLayout): CommandRows {
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
