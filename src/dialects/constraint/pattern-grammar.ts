/** Writes the texts that match a regular expression, as JSON within its quotation marks, as grammar rules. */

import type { JsonObject } from "../../base/json.ts";
import { allCharacters, has, unionOf, without, type CharacterRanges } from "./characters.ts";
import { anyOf, literal, repetition, type GrammarWriter } from "./grammar.ts";

/** Undefined without a pattern, or where a grammar cannot say it: looking around, back references, anchors within. */
export function patternText({ pattern }: JsonObject, grammar: GrammarWriter): string | undefined {
  if (typeof pattern !== "string" || pattern.length > longest) return undefined;
  const reading: PatternReading = { pattern, at: 0, grammar };
  const part = readAlternatives(reading, "outside");
  return part && reading.at === pattern.length ? part.rule : undefined;
}

/** Characters; a longer pattern is left to the check of the call. */
const longest = 1_000;

type PatternReading = { readonly pattern: string; at: number; readonly grammar: GrammarWriter };

/** `isEmpty`: it may match nothing. */
type PatternPart = { readonly rule: string; readonly isEmpty: boolean };

/** `outside`: anchors may stand at its ends, and without them anything may stand around it. */
type PatternPlace = "outside" | "group";

function readAlternatives(reading: PatternReading, place: PatternPlace): PatternPart | undefined {
  const all: PatternPart[] = [];
  do {
    const part = place === "outside" ? readAnchored(reading) : readSequence(reading);
    if (!part) return undefined;
    all.push(part);
  } while (take(reading, /\|/y) !== undefined);
  const rule = reading.grammar.rule(...all.map((part) => part.rule));
  return { rule, isEmpty: all.some(({ isEmpty }) => isEmpty) };
}

function readAnchored(reading: PatternReading): PatternPart | undefined {
  const { grammar } = reading;
  const anything = `${writtenAs(allCharacters, grammar) ?? ""}*`;
  const isBegun = take(reading, /\^/y) !== undefined;
  const part = readSequence(reading);
  const isEnded = take(reading, /\$(?![^|])/y) !== undefined;
  if (!part) return undefined;
  const rule = [...(isBegun ? [] : [anything]), part.rule, ...(isEnded ? [] : [anything])].join(" ");
  return { rule, isEmpty: part.isEmpty };
}

function readSequence(reading: PatternReading): PatternPart | undefined {
  const parts: PatternPart[] = [];
  while (reading.at < reading.pattern.length && !/[|)$]/.test(reading.pattern.charAt(reading.at))) {
    const part = readRepeated(reading);
    if (!part) return undefined;
    parts.push(part);
  }
  const rule = parts.map((part) => part.rule).join(" ");
  return { rule: rule === "" ? `""` : rule, isEmpty: parts.every(({ isEmpty }) => isEmpty) };
}

function readRepeated(reading: PatternReading): PatternPart | undefined {
  const part = readPart(reading);
  const counts = part && take(reading, /(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})\??/y);
  if (!part || !counts) return part;
  const [, sign, from, comma, to] = counts;
  const least = sign === undefined ? Number(from) : sign === "+" ? 1 : 0;
  const most = sign === undefined ? mostOf(least, comma, to) : sign === "?" ? 1 : undefined;
  // What may be nothing, any number of times, would never end.
  if (part.isEmpty && most !== 1) return undefined;
  const { grammar } = reading;
  const rule = grammar.rule(repetition(grammar.rule(part.rule), [least, most], grammar));
  return { rule, isEmpty: part.isEmpty || least === 0 };
}

const mostOf = (least: number, comma: string | undefined, to: string | undefined): number | undefined =>
  comma === undefined ? least : to === undefined || to === "" ? undefined : Number(to);

function readPart(reading: PatternReading): PatternPart | undefined {
  if (take(reading, /\((?:\?:|\?<[\p{L}_$][\p{L}\p{N}_$]*>|(?!\?))/uy)) {
    const inner = readAlternatives(reading, "group");
    return inner && take(reading, /\)/y) ? inner : undefined;
  }
  const ranges = readRanges(reading);
  const rule = ranges && writtenAs(ranges, reading.grammar);
  return rule === undefined ? undefined : { rule, isEmpty: false };
}

function readRanges(reading: PatternReading): CharacterRanges | undefined {
  if (take(reading, /\[/y)) return readClass(reading);
  if (take(reading, /\./y)) return without(allCharacters, lineBreaks);
  return readCharacter(reading, /[^\\^$.*+?()[\]{}|]/uy);
}

function readClass(reading: PatternReading): CharacterRanges | undefined {
  const isNegated = take(reading, /\^/y) !== undefined;
  const all: CharacterRanges[] = [];
  while (take(reading, /\]/y) === undefined) {
    const first = readCharacter(reading, /[^\\\]]/uy);
    if (!first) return undefined;
    if (take(reading, /-(?!\])/y) === undefined) {
      all.push(first);
      continue;
    }
    const [from, to] = [only(first), only(readCharacter(reading, /[^\\\]]/uy))];
    if (from === undefined || to === undefined || from > to) return undefined;
    all.push([[from, to]]);
  }
  return isNegated ? without(allCharacters, unionOf(all)) : unionOf(all);
}

/** The code of a set that is one character. */
function only(ranges: CharacterRanges | undefined): number | undefined {
  const [[first, last] = [], more] = ranges ?? [];
  return first === last && more === undefined ? first : undefined;
}

/** A character, or a set of them that has a name. `plain`: those that stand for themselves here. */
function readCharacter(reading: PatternReading, plain: RegExp): CharacterRanges | undefined {
  const named = take(reading, /\\([dDwWsS])/y)?.[1];
  if (named !== undefined) {
    const ranges = namedSets.get(named.toLowerCase()) ?? [];
    return named === named.toLowerCase() ? ranges : without(allCharacters, ranges);
  }
  const coded = take(reading, /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/iy);
  if (coded) return one(Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", 16));
  const control = take(reading, /\\([tnrfv])/y)?.[1];
  if (control !== undefined) return one(controls.get(control) ?? 0);
  const escaped = take(reading, /\\([\^$\\.*+?()[\]{}|/-])/y)?.[1];
  const itself = escaped ?? take(reading, plain)?.[0];
  return itself === undefined ? undefined : one(itself.codePointAt(0) ?? 0);
}

const one = (code: number): CharacterRanges => [[code, code]];
const rangesIn = (pairs: readonly string[]): CharacterRanges =>
  unionOf(pairs.map((pair) => [[pair.codePointAt(0) ?? 0, pair.codePointAt(pair.length - 1) ?? 0]]));

const lineBreaks = rangesIn(["\n", "\r", "\u2028\u2029"]);
const controls = new Map(
  Object.entries({ t: "\t", n: "\n", r: "\r", f: "\f", v: "\v" }).map(([name, text]) => [
    name,
    text.charCodeAt(0),
  ]),
);
const namedSets: ReadonlyMap<string, CharacterRanges> = new Map([
  ["d", rangesIn(["09"])],
  ["w", rangesIn(["az", "AZ", "09", "_"])],
  [
    "s",
    rangesIn([
      "\t\r",
      " ",
      "\u00a0",
      "\u1680",
      "\u2000\u200a",
      "\u2028\u2029",
      "\u202f",
      "\u205f",
      "\u3000",
      "\ufeff",
    ]),
  ],
]);

/** How JSON writes one of these characters; undefined if it is none. Control characters without a name are left out. */
function writtenAs(ranges: CharacterRanges, grammar: GrammarWriter): string | undefined {
  const plain = without(ranges, escapedRanges);
  const escaped = [...escapes].filter(([code]) => has(ranges, code)).map(([, written]) => literal(written));
  const all = [...(plain.length > 0 ? [anyOf(plain)] : []), ...escaped];
  return all.length > 0 ? grammar.rule(...all) : undefined;
}

const escapedRanges: CharacterRanges = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0xd800, 0xdfff],
];
const escapes = new Map(
  ['"', "\\", "\b", "\f", "\n", "\r", "\t"].map((text) => [
    text.charCodeAt(0),
    JSON.stringify(text).slice(1, -1),
  ]),
);

function take(reading: PatternReading, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.pattern) ?? undefined;
  reading.at += found?.[0].length ?? 0;
  return found;
}
