/** A paragraph or heading: its rows are finished as soon as nothing can change them. */

import { inlineTokens, piecesOf } from "./inline.ts";
import { type PieceLook, widthOf } from "./look.ts";
import { settledEnd, tokensUpTo } from "./settled-text.ts";
import { endRow, isEmpty, newWrapping, type TakeRow, wrap, type Wrapping } from "./wrapping.ts";

/** Plain data. */
export type Paragraph = {
  type: "paragraph";
  kind: "text" | "heading";
  /** Nothing of it is settled. */
  isFresh: boolean;
  look: PieceLook;
  /** The text that is not yet in `wrapping`. */
  source: string;
  /** Where its last line begins in `source`; undefined once a part of that line is settled. */
  line: number | undefined;
  wrapping: Wrapping;
  /** `source` is looked at again once it has this length. */
  triedAt: number;
};

export type TextSpace = { columns: number; links: boolean; take: TakeRow };

/** A line with a bar may become the head of a table by the next one; a longer line will not. */
const longestHead = 1_000;
const growth = 9 / 8;
/** Characters without width fill no row. */
const longestUnread = 1_000;

export const newParagraph = (kind: Paragraph["kind"], look: PieceLook): Paragraph => ({
  type: "paragraph",
  kind,
  isFresh: true,
  look,
  source: "",
  line: 0,
  wrapping: newWrapping(),
  triedAt: 0,
});

export function addLine(paragraph: Paragraph, text: string): void {
  if (paragraph.source !== "" || !paragraph.isFresh) paragraph.source += "\n";
  paragraph.line = paragraph.source.length;
  paragraph.source += text.trimStart();
}

/** Hands over what is full. */
export function fillRows(paragraph: Paragraph, { columns, links, take }: TextSpace): void {
  const { source, wrapping } = paragraph;
  if (source.length < paragraph.triedAt) return;
  const used = wrapping.column + wrapping.wordWidth;
  if (source.length <= longestUnread && used + widthOf(source) <= columns) return;
  const tokens = inlineTokens(source);
  const end = settledEnd(source, tokens, heldFrom(paragraph));
  // Looking has a cost, so what waits for the end of a mark waits until it has grown by a part.
  paragraph.triedAt = (source.length - end) * growth;
  if (end === 0) return;
  wrap(wrapping, piecesOf(tokensUpTo(tokens, end), paragraph.look, links), columns, take);
  paragraph.isFresh = false;
  paragraph.source = source.slice(end);
  if (paragraph.line !== undefined) paragraph.line = paragraph.line >= end ? paragraph.line - end : undefined;
}

export function endParagraph(paragraph: Paragraph, { columns, links, take }: TextSpace): void {
  const { wrapping, kind } = paragraph;
  const source = kind === "heading" ? paragraph.source.replace(/(?:^|\s)#+\s*$/u, "") : paragraph.source;
  const pieces = piecesOf(inlineTokens(source.trimEnd()), paragraph.look, links);
  wrap(wrapping, pieces, columns, take);
  if (!isEmpty(wrapping)) endRow(wrapping, columns, take);
}

function heldFrom({ source, line }: Paragraph): number {
  if (line === undefined || source.length - line > longestHead) return Infinity;
  const bar = source.indexOf("|", line);
  return bar === -1 ? Infinity : line;
}
