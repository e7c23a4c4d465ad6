/** A second, independent scanner that counts the substitutions in a command line. It shares no code with the parser. */

import { endWord, openSubshell, readCommands } from "./openers/commands.ts";
import { openersInQuotes, readBackTicks, readDollar } from "./openers/dollar.ts";
import {
  afterContinuations,
  type Arithmetic,
  type Frame,
  giveUp,
  newCommands,
  openCommands,
  type Scan,
  skipSingleQuotes,
} from "./openers/scan.ts";

/** The limit for nested texts: heredoc bodies, and text between back-ticks. */
const mostTexts = 32;

/**
 * How many `$(…)`, pairs of back-ticks, `<(…)` and `>(…)` bash would open if every command ran. Infinite if that is
 * unclear or something stays open: no parser has found as many, so none is trusted.
 */
export function countOpeners(text: string): number {
  return countIn(text, { kind: "commands", depth: 0, budget: { steps: 16 * text.length + 256 } });
}

type OpenerCount = { kind: "commands" | "body"; depth: number; budget: { steps: number } };

function countIn(text: string, { kind, depth, budget }: OpenerCount): number {
  if (depth > mostTexts) return Number.POSITIVE_INFINITY;
  const base: Frame = kind === "commands" ? newCommands(false, false) : { kind };
  const scan: Scan = {
    text,
    at: 0,
    count: 0,
    frames: [base],
    inside: (part, kind) => countIn(part, { kind, depth: depth + 1, budget }),
  };
  while (scan.at < text.length) {
    budget.steps -= 1;
    const frame = scan.frames.at(-1);
    if (!frame || budget.steps < 0) return Number.POSITIVE_INFINITY;
    readOn(scan, frame);
  }
  if (base.kind === "commands") endWord(scan, base);
  return isFinished(scan, base) ? scan.count : Number.POSITIVE_INFINITY;
}

function isFinished({ frames }: Scan, base: Frame): boolean {
  return frames.length === 1 && (base.kind !== "commands" || base.groups.length === 0);
}

function readOn(scan: Scan, frame: Frame): void {
  if (frame.kind === "commands") return readCommands(scan, frame);
  const character = scan.text[scan.at];
  if (character === "$") readDollar(scan, frame);
  else if (character === "`") readBackTicks(scan, frame);
  else if (character === "\\") readEscape(scan);
  else if (frame.kind === "body" || frame.kind === "double-quotes") readQuoted(scan, frame);
  else readGroup(scan, frame);
}

/** Escaped openers in arithmetic or a subscript may be expanded again, even in quotes. */
function readEscape(scan: Scan): void {
  const escaped = scan.text.slice(scan.at + 1, scan.at + 3);
  if ((escaped === "$(" || escaped.startsWith("`")) && isEvaluated(scan.frames)) scan.count += 1;
  scan.at += 2;
}

function isEvaluated(frames: readonly Frame[]): boolean {
  const around = frames.findLast(({ kind }) => kind !== "double-quotes" && kind !== "braces")?.kind;
  return around === "arithmetic" || around === "brackets";
}

const plainInBody = /[^$`\\]+/uy;
const plainInQuotes = /[^$`\\"]+/uy;

function readQuoted(scan: Scan, { kind }: Frame): void {
  if (kind === "double-quotes" && scan.text[scan.at] === '"') {
    scan.frames.pop();
    scan.at += 1;
    return;
  }
  const plain = kind === "body" ? plainInBody : plainInQuotes;
  plain.lastIndex = scan.at;
  plain.exec(scan.text);
  scan.at = Math.max(plain.lastIndex, scan.at + 1);
}

function readGroup(scan: Scan, frame: Frame): void {
  const { text, at } = scan;
  const character = text[at];
  if (character === "'") {
    skipSingleQuotes(scan);
    scan.count += openersInQuotes(text.slice(at, scan.at));
    return;
  }
  if (character === '"') {
    scan.at += 1;
    scan.frames.push({ kind: "double-quotes" });
    return;
  }
  if (frame.kind === "arithmetic") return readArithmetic(scan, frame);
  // In quotes some of them run, and some are text whose own quotes mean nothing.
  if ((character === "<" || character === ">") && text[afterContinuations(text, at + 1)] === "(")
    return giveUp(scan);
  scan.at += 1;
  if (frame.kind === "braces" && character === "}") scan.frames.pop();
  if (frame.kind !== "brackets") return;
  if (character === "[") frame.depth += 1;
  else if (character === "]") frame.depth -= 1;
  if (frame.depth === 0) scan.frames.pop();
}

function readArithmetic(scan: Scan, frame: Arithmetic): void {
  const { text, at } = scan;
  scan.at += 1;
  if (text[at] === "(") frame.depth += 1;
  else if (text[at] === ")") frame.depth -= 1;
  else if (text[at] === "#") frame.hasComment ||= " \t\n(".includes(text[at - 1] ?? "");
  if (frame.depth > 0) return;
  scan.frames.pop();
  if (text[at + 1] !== ")") readAgain(scan, frame);
  else if (frame.isExpansion && frame.hasComment) giveUp(scan);
  else scan.at += 1;
}

/** Rereads what turned out not to be arithmetic: `$((a); b)`, `((a); b)`. */
function readAgain(scan: Scan, { start, counted, isExpansion }: Arithmetic): void {
  scan.at = start;
  scan.count = counted;
  const frame = scan.frames.at(-1);
  if (isExpansion) openCommands(scan, start);
  else if (frame?.kind === "commands") openSubshell(scan, frame);
}
