/** The state of parsing calls written as program text: the position, the open brackets, and the repairs made. */

import { spaceEnd } from "../../base/loose-json.ts";
import type { Repair } from "../../protocol/messages.ts";

export type LiteralForm = {
  /** A token that delimits texts in which nothing is escaped. */
  readonly delimiter?: string;
  /** Keys, and texts where nothing else fits, may be unquoted; there are no comments. */
  readonly isBare?: boolean;
};

export type LiteralScan = {
  readonly text: string;
  readonly form: LiteralForm;
  /** The end of the text is known to be the end of the calls. */
  readonly closed: boolean;
  /** Quotation marks inside texts may be unescaped: one ends a text only if the structure continues after it. */
  readonly loose: boolean;
  /** What may follow outside all brackets. */
  readonly follows: (text: string, at: number) => boolean;
  at: number;
  /** The open brackets, outermost first. */
  readonly open: Bracket[];
  notes: Map<string, Repair>;
  failure: ScanFailure | undefined;
};

/** Reading that begins at the start of a text. */
export const newScan = (
  given: Pick<LiteralScan, "text" | "form" | "closed" | "loose" | "follows">,
): LiteralScan => ({ ...given, at: 0, open: [], notes: new Map(), failure: undefined });

/** `follows`: whether an item of this bracket begins at a position. */
export type Bracket = {
  readonly closer: string;
  readonly follows: (text: string, at: number) => boolean;
};

/** `cut`: the text ended inside a value. `isCode`: an expression, which no other reading turns into a value. */
type ScanFailure = { readonly cut: boolean; readonly problem: string; readonly isCode?: boolean };

/** Whether the structure continues at a position where a value may have ended. */
export function goesOn({ text, open, follows }: LiteralScan, from: number, isKey = false): boolean {
  let at = spaceEnd(text, from);
  if (isKey) return /[:=]/.test(text.charAt(at));
  let level = open.length;
  for (; level > 0 && text[at] === open[level - 1]?.closer; level -= 1) at = spaceEnd(text, at + 1);
  if (at === text.length) return true;
  const bracket = open[level - 1];
  if (!bracket) return follows(text, at);
  return text[at] === "," && bracket.follows(text, spaceEnd(text, at + 1));
}

/** Consumes white space and comments. */
export function skipSpace(scan: LiteralScan): void {
  const { text, form } = scan;
  scan.at = spaceEnd(text, scan.at);
  while (text[scan.at] === "#" && form.isBare !== true) {
    const end = text.indexOf("\n", scan.at);
    if (end === -1 && scan.open.length > 0) fail(scan, { cut: true, problem: "it ends inside a comment" });
    scan.at = spaceEnd(text, end === -1 ? text.length : end);
  }
}

export function note({ notes }: LiteralScan, repair: Repair): void {
  if (!notes.has(repair.code)) notes.set(repair.code, repair);
}

export function failExpecting(scan: LiteralScan, wanted: string): undefined {
  const found = scan.text.slice(scan.at, scan.at + 20);
  if (found === "") return fail(scan, { cut: true, problem: `it ends where ${wanted} should be` });
  const problem = `${wanted} was expected before ${JSON.stringify(found)}`;
  return fail(scan, { cut: false, problem, isCode: isOperator(scan) });
}

/** An operator, method or comprehension after a value: bad quoting alone does not explain it. */
function isOperator({ text, at, form }: LiteralScan): boolean {
  operator.lastIndex = /\s/.test(text.charAt(at - 1)) ? at - 1 : at;
  return form.isBare !== true && operator.test(text);
}

const operator = /\s?(?:[+%]\s*["'\w(]|\*\s*\d|\.\w+\(|\[\s*[\d:])|\s(?:if|for|or|and)\s/y;

export function fail(scan: LiteralScan, failure: ScanFailure): undefined {
  scan.failure ??= failure;
  return undefined;
}
