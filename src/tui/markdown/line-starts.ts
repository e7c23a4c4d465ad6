/** What a line begins: a heading, a list item, a code block. */

import { languageOf } from "../../view/markdown/source.ts";

export type LineStart =
  | { type: "heading"; level: number; rest: string }
  | { type: "fence"; marker: string; indent: number; language: string }
  | { type: "rule" }
  | { type: "quote"; rest: string }
  | { type: "item"; number: string; task: "" | "open" | "done"; indent: number; rest: string }
  | { type: "code"; rest: string }
  | { type: "empty" }
  | { type: "text"; rest: string };

export type ItemStart = Extract<LineStart, { type: "item" }>;

/** `interrupts`: the line would end a paragraph, which takes more than an item without text. */
export function lineStart(line: string, { interrupts }: { interrupts: boolean }): LineStart {
  const indent = indentOf(line);
  if (indent === line.length) return { type: "empty" };
  if (indent >= 4) return interrupts ? { type: "text", rest: line } : { type: "code", rest: line.slice(4) };
  const text = line.slice(indent);
  return (
    headingAt(text) ??
    fenceAt(text, indent) ??
    (/^([-*_])(?: *\1){2,} *$/u.test(text) ? { type: "rule" } : undefined) ??
    (text.startsWith(">") ? { type: "quote", rest: text.replace(/^> ?/u, "") } : undefined) ??
    itemAt(text, { indent, interrupts }) ?? { type: "text", rest: line }
  );
}

export const indentOf = (line: string): number => /^ */u.exec(line)?.[0].length ?? 0;

/** Whether these first characters of a line tell what it begins: it is neither a rule nor anything else of marks only. */
export const isDecided = (line: string): boolean =>
  line.length > longestStart ||
  (!/^[\s>*+\-_=:|#\d.)[\]xX]*$/u.test(line) && !/^[\s>*+\-\d.)]*(?:`{3}|~{3})/u.test(line));

/** A line of nothing but marks that is longer is text. */
const longestStart = 1_000;

export function closesFence(line: string, marker: string): boolean {
  const text = line.trim();
  return indentOf(line) < 4 && text.startsWith(marker) && text === marker.charAt(0).repeat(text.length);
}

function headingAt(text: string): LineStart | undefined {
  const [all, marks = ""] = /^(#{1,6})(?: +|$)/u.exec(text) ?? [];
  return all === undefined
    ? undefined
    : { type: "heading", level: marks.length, rest: text.slice(all.length) };
}

function fenceAt(text: string, indent: number): LineStart | undefined {
  const [, marker = "", info = ""] = /^(`{3,}(?!.*`)|~{3,}) *(.*)$/u.exec(text) ?? [];
  return marker === "" ? undefined : { type: "fence", marker, indent, language: languageOf(info) };
}

const item = /^(?:[-+*]|(\d{1,9}[.)]))( +|$)/u;
const task = /^\[([ xX])\] +(?=\S)/u;

function itemAt(
  text: string,
  { indent, interrupts }: { indent: number; interrupts: boolean },
): LineStart | undefined {
  const found = item.exec(text);
  if (!found) return undefined;
  const [all, number = "", blanks = ""] = found;
  const isEmpty = all.length === text.length;
  if (interrupts && (isEmpty || (number !== "" && Number.parseInt(number, 10) !== 1))) return undefined;
  // More blanks are the indentation of code within the item.
  const width = isEmpty || blanks.length > 4 ? all.length - blanks.length + 1 : all.length;
  const rest = text.slice(width);
  const box = task.exec(rest);
  const state = box ? (box[1] === " " ? "open" : "done") : "";
  return {
    type: "item",
    number,
    task: state,
    indent: indent + width,
    rest: rest.slice(box?.[0].length ?? 0),
  };
}
