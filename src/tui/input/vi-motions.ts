/** The motions of vi: where they lead, and what an operator takes with them. Pure. */

import type { PressedKey } from "./key.ts";
import type { TextField } from "./text-field.ts";
import * as moves from "./text-moves.ts";
import { isBefore, type Position } from "./written-text.ts";

/** `isInclusive`: an operator takes the character there, too. */
export type Motion = { to: Position; isInclusive: boolean };

/** `f` and `t` look for a character in the line; `;` repeats them, and `,` the other way round. */
export type CharacterSearch = { command: "f" | "F" | "t" | "T"; character: string };

const fixedMotions = "hl wbe WBE 0^$";
export const isMotion = (name: string): boolean =>
  name !== " " && name.length === 1 && fixedMotions.includes(name);

/** Undefined where there is nothing to move to. */
export function motionOf(field: TextField, name: string, count: number): Motion | undefined {
  const { cursor } = field;
  switch (name) {
    case "0":
      return exclusive(moves.lineStart(cursor));
    case "^":
      return exclusive({ line: cursor.line, at: /^\s*/u.exec(lineOf(field, cursor))?.[0].length ?? 0 });
    case "$":
      return exclusive(moves.lineEnd(field, cursor));
    case "e":
    case "E":
      return { to: afterSteps(count, cursor, (at) => endOfWord(field, at, name === "E")), isInclusive: true };
    default:
      return exclusive(afterSteps(count, cursor, (at) => stepOf(field, name, at)));
  }
}

function stepOf(field: TextField, name: string, at: Position): Position {
  switch (name) {
    case "h":
      return at.at === 0 ? at : moves.before(field, at);
    case "l":
      return at.at >= lineOf(field, at).length ? at : moves.after(field, at);
    case "w":
    case "W":
      return nextWord(field, at, name === "W");
    default:
      return wordBegin(field, at, name === "B");
  }
}

const exclusive = (to: Position): Motion => ({ to, isInclusive: false });

/** Stops where a step leads nowhere. */
function afterSteps(count: number, start: Position, step: (at: Position) => Position): Position {
  let at = start;
  for (let done = 0; done < count; done++) {
    const next = step(at);
    if (next.line === at.line && next.at === at.at) break;
    at = next;
  }
  return at;
}

/** Words, runs of other signs, and blanks; `isBig`: everything that is not blank is one. */
function kindAt(field: TextField, at: Position, isBig: boolean): "blank" | "word" | "sign" {
  const own = lineOf(field, at);
  const next = moves.after(field, at);
  const text = next.line === at.line ? own.slice(at.at, next.at) : "";
  if (text.trim() === "") return "blank";
  return isBig || /^[\p{L}\p{N}\p{M}_]/u.test(text) ? "word" : "sign";
}

function nextWord(field: TextField, start: Position, isBig: boolean): Position {
  let at = start;
  const kind = kindAt(field, at, isBig);
  if (kind !== "blank")
    while (kindAt(field, at, isBig) === kind && !isAtEnd(field, at)) at = moves.after(field, at);
  while (kindAt(field, at, isBig) === "blank" && !isAtEnd(field, at)) at = moves.after(field, at);
  return at;
}

function wordBegin(field: TextField, start: Position, isBig: boolean): Position {
  let at = moves.before(field, start);
  while (kindAt(field, at, isBig) === "blank" && !isAtStart(at)) at = moves.before(field, at);
  const kind = kindAt(field, at, isBig);
  while (at.at > 0 && kindAt(field, moves.before(field, at), isBig) === kind) at = moves.before(field, at);
  return at;
}

function endOfWord(field: TextField, start: Position, isBig: boolean): Position {
  let at = isAtEnd(field, start) ? start : moves.after(field, start);
  while (kindAt(field, at, isBig) === "blank" && !isAtEnd(field, at)) at = moves.after(field, at);
  const kind = kindAt(field, at, isBig);
  if (kind === "blank") return at;
  for (let next = moves.after(field, at); next.line === at.line;) {
    if (kindAt(field, next, isBig) !== kind || isAtEnd(field, next)) break;
    at = next;
    next = moves.after(field, at);
  }
  return at;
}

const isAtStart = ({ line, at }: Position): boolean => line === 0 && at === 0;
const isAtEnd = (field: TextField, at: Position): boolean => !isBefore(at, moves.textEnd(field));

const lineOf = (field: TextField, { line }: Position): string => field.lines[line] ?? "";

/** The motion to the `count`th such character of the line. `isRepeated`: `t` must leave the place where it stopped. */
export function searchMotion(
  field: TextField,
  { command, character }: CharacterSearch,
  { count, isRepeated }: { count: number; isRepeated: boolean },
): Motion | undefined {
  const { line, at } = field.cursor;
  const own = lineOf(field, field.cursor);
  const isForward = command === "f" || command === "t";
  const isBeside = command === "t" || command === "T";
  let found = at + (isBeside && isRepeated ? (isForward ? 1 : -1) : 0);
  for (let done = 0; done < count; done++) {
    found = isForward
      ? own.indexOf(character, found + 1)
      : found <= 0
        ? -1
        : own.lastIndexOf(character, found - 1);
    if (found === -1) return undefined;
  }
  const place = { line, at: found };
  if (!isBeside) return { to: moves.outside(field, place), isInclusive: isForward };
  return { to: isForward ? moves.before(field, place) : moves.after(field, place), isInclusive: isForward };
}

const opposite = { f: "F", F: "f", t: "T", T: "t" } as const;

export const otherWay = ({ command, character }: CharacterSearch): CharacterSearch => ({
  command: opposite[command],
  character,
});

/** The character that a key means as a command of vi. */
export const viName = ({ name, ctrl, alt, text }: PressedKey): string =>
  ctrl || alt || text === "" ? name : text;
