/** A growing document, line by line: which block a line belongs to, and the rows that are finished by it. */

import type { Style } from "../../view/style.ts";
import type { CodeColours } from "./code-colours.ts";
import { addCode, type CodeBlock, type CodeSpace, endCodeLine, newCode } from "./code.ts";
import {
  type Container,
  isSetOff,
  marginOf,
  matchContainers,
  mostContainers,
  newContainer,
} from "./containers.ts";
import { closesFence, indentOf, type ItemStart, type LineStart, lineStart } from "./line-starts.ts";
import { rowText, type Piece, plainLook, widthOf, withStyle } from "./look.ts";
import {
  addLine,
  endParagraph,
  fillRows,
  newParagraph,
  type Paragraph,
  type TextSpace,
} from "./paragraph.ts";
import { type Table, tableOf, tableRows } from "./table.ts";

/** Plain data. */
export type MarkdownDocument = {
  containers: Container[];
  block: Paragraph | CodeBlock | Table | undefined;
  isAfterEmpty: boolean;
};

export type RowSetup = {
  /** The columns of a row. */
  columns: number;
  style: Style;
  links: boolean;
  unicode: boolean;
  colours: CodeColours;
  take: (row: string) => void;
};

export const newDocument = (): MarkdownDocument => ({
  containers: [newContainer("document")],
  block: undefined,
  isAfterEmpty: false,
});

/** More rows of an unfinished table than anybody could see. */
const mostOpenRows = 80;

/** A copy to end early, so that it shows how the document looks now. */
export function copyOf(document: MarkdownDocument): MarkdownDocument {
  const { block } = document;
  const isTable = block?.type === "table" && block.lines.length > mostOpenRows;
  return structuredClone(
    isTable ? { ...document, block: { ...block, lines: block.lines.slice(-mostOpenRows) } } : document,
  );
}

/** Takes the beginning of a line, enough to tell what it begins. */
export function beginLine(document: MarkdownDocument, line: string, setup: RowSetup): void {
  const { block, containers } = document;
  const { count, rest } = matchContainers(containers, line);
  const isInside = count === containers.length;
  if (isInside && block?.type === "code" && isCodeLine(block, rest)) {
    codeLine(document, block, { rest, setup });
    return;
  }
  const isParagraph = block?.type === "paragraph";
  const start = lineStart(rest, { interrupts: isParagraph && isInside });
  if (start.type === "text" || (start.type === "code" && isParagraph))
    textLine(document, { rest, count }, setup);
  else {
    closeTo(document, count, setup);
    openBlocks(document, start, setup);
  }
}

/** Takes more of the line. */
export function continueLine(document: MarkdownDocument, text: string, setup: RowSetup): void {
  const { block } = document;
  switch (block?.type) {
    case "paragraph":
      block.source += text;
      return fillRows(block, spaceIn(document, setup));
    case "code":
      return addCode(block, text, spaceIn(document, setup));
    case "table":
      block.line = (block.line ?? "") + text;
      return;
    case undefined:
      // After a thousand blanks or marks, say.
      if (text.trim() !== "")
        beginParagraph(document, newParagraph("text", plainLook), { rest: text, setup });
      return;
    default:
      block satisfies never;
  }
}

export function endLine(document: MarkdownDocument, setup: RowSetup): void {
  const { block } = document;
  if (block?.type === "code") endCodeLine(block, spaceIn(document, setup));
  else if (block?.type === "paragraph" && block.kind === "heading") closeBlock(document, setup);
  else if (block?.type === "table" && block.line !== undefined) {
    block.lines.push(block.line);
    block.line = undefined;
  }
}

export function endDocument(document: MarkdownDocument, setup: RowSetup): void {
  endLine(document, setup);
  closeTo(document, 1, setup);
}

const isCodeLine = ({ fence }: CodeBlock, line: string): boolean =>
  fence !== undefined || line.trim() === "" || line.startsWith("    ");

type RestOfLine = { rest: string; setup: RowSetup };

function codeLine(document: MarkdownDocument, block: CodeBlock, { rest, setup }: RestOfLine): void {
  if (block.fence && closesFence(rest, block.fence.marker)) closeBlock(document, setup);
  else {
    const indent = Math.min(block.fence?.indent ?? 4, indentOf(rest));
    addCode(block, rest.slice(indent), spaceIn(document, setup));
  }
}

/** A line of text goes on with a paragraph even outside of its containers. `count`: the containers it stands in. */
function textLine(
  document: MarkdownDocument,
  { rest, count }: { rest: string; count: number },
  setup: RowSetup,
): void {
  const { block, containers } = document;
  const isInside = count === containers.length;
  if (block?.type === "table" && isInside) block.line = rest;
  else if (block?.type === "paragraph") {
    const head = isInside && block.line !== undefined ? block.source.slice(block.line) : "";
    const table = tableOf(head, rest);
    if (table) beginTable(document, { paragraph: block, table }, setup);
    else {
      addLine(block, rest);
      fillRows(block, spaceIn(document, setup));
    }
  } else {
    closeTo(document, count, setup);
    beginParagraph(document, newParagraph("text", plainLook), { rest, setup });
  }
}

function beginParagraph(document: MarkdownDocument, paragraph: Paragraph, { rest, setup }: RestOfLine): void {
  beginBlock(document, "other", setup);
  document.block = paragraph;
  addLine(paragraph, rest);
  fillRows(paragraph, spaceIn(document, setup));
}

/** The paragraph's last line is the table's head. */
function beginTable(
  document: MarkdownDocument,
  { paragraph, table }: { paragraph: Paragraph; table: Table },
  setup: RowSetup,
): void {
  paragraph.source = paragraph.source.slice(0, paragraph.line);
  // A paragraph of nothing else has been set off already.
  const isAlone = paragraph.source === "" && paragraph.isFresh;
  closeBlock(document, setup);
  if (!isAlone) beginBlock(document, "other", setup);
  document.block = table;
}

function openBlocks(document: MarkdownDocument, first: LineStart, setup: RowSetup): void {
  let start = first;
  while (start.type === "quote" || start.type === "item") {
    const isItem = start.type === "item";
    beginBlock(document, isItem ? "item" : "other", setup);
    const container = start.type === "item" ? itemOf(start, setup) : newContainer("quote");
    document.containers.push(container);
    const { rest } = start;
    start =
      document.containers.length < mostContainers
        ? lineStart(rest, { interrupts: false })
        : { type: "text", rest };
  }
  // An item without text is no empty line.
  if (start.type === "empty" && first.type !== "empty") return;
  openBlock(document, start, setup);
}

function itemOf({ number, task, indent }: ItemStart, { unicode }: RowSetup): Container {
  const box = task === "" ? "" : `${(unicode ? boxes : asciiBoxes)[task]} `;
  const bullet = unicode ? "• " : "- ";
  return newContainer("item", indent, number === "" ? box || bullet : `${number} ${box}`);
}

const boxes = { open: "☐", done: "✓" } as const;
const asciiBoxes = { open: "[ ]", done: "[x]" } as const;

type BlockStart = Exclude<LineStart, { type: "quote" | "item" }>;

function openBlock(document: MarkdownDocument, start: BlockStart, setup: RowSetup): void {
  switch (start.type) {
    case "empty":
      document.isAfterEmpty = true;
      return;
    case "text":
      return beginParagraph(document, newParagraph("text", plainLook), { rest: start.rest, setup });
    case "heading": {
      const look =
        start.level === 1 ? withStyle(plainLook, "bold", "underline") : withStyle(plainLook, "bold");
      return beginParagraph(document, newParagraph("heading", look), { rest: start.rest, setup });
    }
    case "rule": {
      beginBlock(document, "other", setup);
      const { columns } = spaceIn(document, setup);
      const text = (setup.unicode ? "─" : "-").repeat(columns);
      return takeRow(document, [{ text, look: withStyle(plainLook, "dim") }], setup);
    }
    case "fence":
      beginBlock(document, "other", setup);
      document.block = newCode({ marker: start.marker, indent: start.indent }, start.language);
      return;
    case "code": {
      beginBlock(document, "other", setup);
      const code = newCode(undefined, "");
      document.block = code;
      return addCode(code, start.rest, spaceIn(document, setup));
    }
    default:
      start satisfies never;
  }
}

/** Sets a block off from the one before it. */
function beginBlock(document: MarkdownDocument, kind: Container["last"], setup: RowSetup): void {
  const container = document.containers.at(-1);
  if (!container) return;
  if (isSetOff(container, kind, document.isAfterEmpty)) takeRow(document, [], setup);
  container.last = kind;
  document.isAfterEmpty = false;
}

function closeTo(document: MarkdownDocument, count: number, setup: RowSetup): void {
  closeBlock(document, setup);
  while (document.containers.length > count) {
    const last = document.containers.at(-1);
    // An empty item has its marker all the same.
    if (last?.type === "item" && !last.isMarked) takeRow(document, [], setup);
    document.containers.pop();
  }
}

function closeBlock(document: MarkdownDocument, setup: RowSetup): void {
  const { block } = document;
  if (block?.type === "paragraph") endParagraph(block, spaceIn(document, setup));
  if (block?.type === "table") {
    const { columns } = spaceIn(document, setup);
    for (const row of tableRows(block, { ...setup, columns })) takeRow(document, row, setup);
  }
  document.block = undefined;
}

/** The columns within the containers, whose margin stands before each row. */
function spaceIn(document: MarkdownDocument, setup: RowSetup): TextSpace & CodeSpace {
  const margin = marginOf(document.containers, setup);
  const width = margin.reduce((sum, { text }) => sum + widthOf(text), 0);
  return {
    columns: Math.max(1, setup.columns - width),
    links: setup.links,
    colours: setup.colours,
    take: (row) => takeRow(document, row, setup),
  };
}

function takeRow(document: MarkdownDocument, row: readonly Piece[], setup: RowSetup): void {
  const margin = marginOf(document.containers, setup);
  setup.take(rowText(row.length === 0 ? withoutEnd(margin) : [...margin, ...row], setup.style));
  for (const container of document.containers) container.isMarked = true;
}

function withoutEnd(pieces: readonly Piece[]): Piece[] {
  const last = pieces.at(-1);
  if (!last) return [];
  const text = last.text.trimEnd();
  return text === "" ? withoutEnd(pieces.slice(0, -1)) : [...pieces.slice(0, -1), { ...last, text }];
}
