/** A paragraph or heading: its rows are finished as soon as nothing can change them. */

import type { Token } from "marked";
import { inlineTokens, piecesOf } from "./inline.ts";
import { type PieceLook, widthOf } from "./look.ts";
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

/** A mark that is not closed within so many characters is text. */
const longestMark = 1_000;

/**
 * The number of characters that are settled: up to a word before which every mark is closed, and not beyond `limit`. A
 * word without an end is settled by its length.
 */
function settledEnd(text: string, tokens: readonly Token[], limit: number): number {
  const open = openMark(text, tokens) ?? text.length;
  const word = lastWord(tokens, text.length, Math.min(open, limit));
  return word > 0 || text.length <= longestMark ? word : Math.min(wholeCharacters(text), open);
}

/** The tokens of the first `end` characters, of which the last may be cut only within a text. */
function tokensUpTo(tokens: readonly Token[], end: number): Token[] {
  const taken: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    if (at >= end) break;
    const raw = token.raw.slice(0, end - at);
    taken.push(raw === token.raw ? token : { type: "text", raw, text: raw });
    at += token.raw.length;
  }
  return taken;
}

/** What could begin code, emphasis, a deletion, a link. */
const marks = /`+|\*+|_+|~~+|!?\[/gu;

/** The first mark in plain text that what follows could still close. */
function openMark(text: string, tokens: readonly Token[]): number | undefined {
  let at = 0;
  for (const { type, raw } of tokens) {
    if (type === "text" && at + raw.length > text.length - longestMark)
      for (const { 0: mark, index } of raw.matchAll(marks))
        if (at + index > text.length - longestMark && mayOpen(text, at + index, mark)) return at + index;
    at += raw.length;
  }
  return undefined;
}

function mayOpen(text: string, at: number, mark: string): boolean {
  if (mark.startsWith("`")) return true;
  const end = at + mark.length;
  if (mark.endsWith("[")) return mayBeLink(text, end);
  const [before, after] = [text.charAt(at - 1), text.charAt(end)];
  if (/^\s/u.test(after)) return false;
  if (mark.startsWith("_") && /[\p{L}\p{N}]/u.test(before)) return false;
  return !/^[\p{P}\p{S}]/u.test(after) || before === "" || /[\s\p{P}\p{S}]/u.test(before);
}

/** `from`: after the bracket. A closed bracket is a link only if an address follows at once. */
function mayBeLink(text: string, from: number): boolean {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "[") depth += 1;
    else if (character === "]") depth -= 1;
    if (depth === 0)
      return at + 1 === text.length || (text.charAt(at + 1) === "(" && !text.includes(")", at));
  }
  return true;
}

/** The start of the last word of plain text that begins before `limit`; what stands before it is complete. */
function lastWord(tokens: readonly Token[], length: number, limit: number): number {
  let at = 0;
  let word = 0;
  for (const { type, raw } of tokens) {
    if (at > limit) break;
    if (type === "br") word = at + raw.length;
    if (type === "text")
      for (const { 0: blanks, index } of raw.matchAll(/\s+/gu)) {
        const start = at + index + blanks.length;
        if (start <= limit && start < length) word = start;
      }
    at += raw.length;
  }
  return word;
}

/** Half a character waits for its other half. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff ? text.length - 1 : text.length;
}
