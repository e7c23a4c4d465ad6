/** How the second scanner reads `$…` and back-ticks. */

import {
  afterContinuations,
  type Frame,
  giveUp,
  openCommands,
  push,
  type Scan,
  skipAnsiQuotes,
} from "./scan.ts";

/** Reads the construct that begins at a dollar sign; advances at least past the sign. */
export function readDollar(scan: Scan, { kind }: Frame): void {
  const { text } = scan;
  const next = afterContinuations(text, scan.at + 1);
  const character = text[next];
  scan.at = next;
  if (character === "(") openParenthesis(scan);
  else if (character === "{") openBraces(scan);
  else if (character === "[") {
    scan.at = next + 1;
    push(scan, { kind: "brackets", depth: 1 });
  } else if (character === "$") scan.at = next + 1;
  else if (character === "'" && kind !== "double-quotes" && kind !== "body") readAnsiQuotes(scan, kind);
}

function openParenthesis(scan: Scan): void {
  const second = afterContinuations(scan.text, scan.at + 1);
  if (scan.text[second] === "(") openArithmetic(scan, { start: second, isExpansion: true });
  else openCommands(scan, scan.at + 1);
}

/** `start`: the position of its second parenthesis. */
export function openArithmetic(
  scan: Scan,
  { start, isExpansion }: { start: number; isExpansion: boolean },
): void {
  push(scan, { kind: "arithmetic", isExpansion, start, counted: scan.count, depth: 1, hasComment: false });
  scan.at = Math.max(scan.at, start + 1);
}

/** `${ commands; }` of newer shells has no meaning in older ones, and is never written by accident. */
function openBraces(scan: Scan): void {
  const first = scan.text[afterContinuations(scan.text, scan.at + 1)] ?? "";
  if (first === "" || " \t\n|(".includes(first)) return giveUp(scan);
  scan.at += 1;
  push(scan, { kind: "braces" });
}

/** In arithmetic and subscripts, quoted text may be expanded again. */
function readAnsiQuotes(scan: Scan, kind: Frame["kind"]): void {
  const start = scan.at;
  skipAnsiQuotes(scan);
  if (kind !== "commands") scan.count += openersInQuotes(scan.text.slice(start, scan.at));
}

/** Counts the openers in single-quoted text whose quotes may mean nothing: in `"${x:-'…'}"`, in arithmetic. */
export function openersInQuotes(text: string): number {
  const plain = text.split("$(").length - 1 + Math.floor((text.split("`").length - 1) / 2);
  return plain + (text.match(encodedOpener)?.length ?? 0);
}

/** A dollar sign or a back-tick, as an escape in `$'…'`. */
const encodedOpener = /\\(?:[xuU]\{?0*(?:24|60)|0?44|0?140)/gu;

/** Reads a pair of back-ticks with the commands between them. */
export function readBackTicks(scan: Scan, { kind }: Frame): void {
  const close = closingTick(scan.text, scan.at + 1);
  if (close < 0) return giveUp(scan);
  const raw = scan.text.slice(scan.at + 1, close);
  scan.at = close + 1;
  scan.count += 1 + countBetween(scan, raw, kind);
}

/** Between back-ticks in double quotes, `\\"` is a quote as well; within `${…}` the higher count holds. */
function countBetween(scan: Scan, raw: string, kind: Frame["kind"]): number {
  const plain = (): number => scan.inside(raw.replaceAll(/\\(?:\n|([$`\\]))/gu, "$1"), "commands");
  const quoted = (): number => scan.inside(raw.replaceAll(/\\(?:\n|([$`\\"]))/gu, "$1"), "commands");
  if (!raw.includes('\\"') || kind === "commands" || kind === "body") return plain();
  const isPlain = scan.frames.every((frame) => frame.kind === "commands" || frame.kind === "double-quotes");
  return isPlain ? quoted() : Math.max(plain(), quoted());
}

function closingTick(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") return at;
  }
  return -1;
}
