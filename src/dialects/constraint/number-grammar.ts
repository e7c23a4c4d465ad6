/** Writes the decimal texts of the numbers within bounds, or of the multiples of a number, as grammar rules. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { GrammarWriter } from "./grammar.ts";

/** Numbers are counted in units of the last decimal place. */
type DecimalRange = { least: bigint; most: bigint; step: bigint; places: number };

/** Undefined if the words say nothing of numbers, if no number is as they say, or if the grammar would be too large. */
export function boundedNumber(
  words: JsonObject,
  type: "integer" | "number",
  grammar: GrammarWriter,
): string | undefined {
  const { multipleOf: _, ...bounds } = words;
  for (const said of [words, bounds])
    for (const places of type === "integer" ? [0] : [usualPlaces, mostPlaces]) {
      const range = rangeOf(said, type, places);
      const written = range && rangeRule(range, grammar);
      if (written !== undefined) return written;
    }
  return undefined;
}

/** Decimal places of numbers that are not multiples of anything; the larger one where bounds leave nothing else. */
const usualPlaces = 16;
const mostPlaces = 60;
/** A double holds that many digits exactly: so many stand before the point where there is no bound. */
const usualDigits = 15;
/** A bound further out than this is none. */
const farthest = 1e21;

function rangeOf(words: JsonObject, type: "integer" | "number", most: number): DecimalRange | undefined {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = words;
  const isStepped = isNumber(multipleOf) && multipleOf > 0;
  const { step, places } = isStepped ? stepOf(multipleOf, type) : { step: 1n, places: most };
  const least = lowest(minimum, exclusiveMinimum, places);
  const highest = lowest(negative(maximum), negative(exclusiveMaximum), places);
  if (!isStepped && least === undefined && highest === undefined) return undefined;
  const all = { least: least ?? -infinite, most: -(highest ?? -infinite), step, places };
  // What is a multiple as a text must still be one as a number.
  if (isStepped) return within(all, 10n ** BigInt(usualDigits) - 1n);
  const digits = [least ?? 0n, highest ?? 0n].map((one) => String(one).length + 1);
  return within(all, 10n ** BigInt(Math.max(usualDigits + places, ...digits)) - 1n);
}

/** Beyond all numbers. */
const infinite = 10n ** 400n;

const within = (range: DecimalRange, reach: bigint): DecimalRange => ({
  ...range,
  least: larger(range.least, -reach),
  most: smaller(range.most, reach),
});

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const negative = (value: Json | undefined): number | undefined => (isNumber(value) ? -value : undefined);

function stepOf(multipleOf: number, type: "integer" | "number"): Pick<DecimalRange, "step" | "places"> {
  const { digits, places } = decimal(multipleOf);
  if (type === "number") return { step: digits, places };
  const one = 10n ** BigInt(places);
  return { step: digits / commonDivisor(digits, one), places: 0 };
}

const commonDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : commonDivisor(other, one % other);

/** The first unit that both bounds let through. */
function lowest(minimum: Json | undefined, exclusive: Json | undefined, places: number): bigint | undefined {
  const from = isNumber(minimum) && minimum >= -farthest ? unitsFrom(minimum, places) : undefined;
  const above = isNumber(exclusive) && exclusive >= -farthest ? unitsAbove(exclusive, places) : undefined;
  return from === undefined || (above !== undefined && above > from) ? above : from;
}

function unitsFrom(bound: number, places: number): bigint {
  const { digits, places: own } = decimal(bound);
  const [scaled, one] = [digits * 10n ** BigInt(places), 10n ** BigInt(own)];
  const whole = scaled / one;
  return whole * one < scaled ? whole + 1n : whole;
}

/** What is greater as a text may be the same number: so far apart are large ones. */
function unitsAbove(bound: number, places: number): bigint {
  let [above, gap] = [unitsFrom(bound, places), 1n];
  while (Number(`${above}e-${places}`) <= bound) {
    above += gap;
    gap *= 2n;
  }
  return above;
}

function decimal(value: number): { digits: bigint; places: number } {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function rangeRule(range: DecimalRange, grammar: GrammarWriter): string | undefined {
  const { least, most } = range;
  const states: RangeStates = { ...range, grammar, known: new Map() };
  const below = magnitudes(states, larger(1n, -most), -least);
  const rest = magnitudes(states, larger(0n, least), most);
  if (states.known.size > mostStates) return undefined;
  const alternatives = [...(below.length > 0 ? [`"-" ${grammar.rule(...below)}`] : []), ...rest];
  return alternatives.length > 0 ? grammar.rule(...alternatives) : undefined;
}

/** `known`: the rules by what is still to be written. */
type RangeStates = Pick<DecimalRange, "step" | "places"> & {
  grammar: GrammarWriter;
  known: Map<string, string | undefined>;
};

/** Multiples of a number such as 9,973 take too many. */
const mostStates = 2_000;

/** The numbers of each length, without a sign. */
function magnitudes(states: RangeStates, least: bigint, most: bigint): string[] {
  const { places, step } = states;
  const alternatives: string[] = [];
  const free: number[] = [];
  for (let digits = 1; digits === 1 || 10n ** BigInt(digits - 1 + places) <= most; digits += 1) {
    const first = digits === 1 ? 0n : 10n ** BigInt(digits - 1 + places);
    const last = 10n ** BigInt(digits + places) - 1n;
    const isFree = step === 1n && least <= first && last <= most;
    if (isFree && digits > 1) free.push(digits);
    else {
      const written = digitsRule(states, {
        left: digits + places,
        from: larger(first, least),
        to: smaller(last, most),
        residue: 0n,
      });
      if (written !== undefined) alternatives.push(written);
    }
  }
  const [shortest] = free;
  if (shortest === undefined) return alternatives;
  const more = `{${shortest - 1},${shortest + free.length - 2}}`;
  return [...alternatives, `[1-9] [0-9]${more} ${anyDigits(states, places)}`];
}

/** Digits that are still to be written: how many, between which numbers, and what they leave when divided by the step. */
type DigitsLeft = { left: number; from: bigint; to: bigint; residue: bigint };

function digitsRule(states: RangeStates, { left, from, to, residue }: DigitsLeft): string | undefined {
  const { places, step, known, grammar } = states;
  const unit = 10n ** BigInt(Math.max(0, left - 1));
  if (from > to || known.size > mostStates) return undefined;
  if (left === 0) return residue === 0n ? `""` : undefined;
  if (step === 1n && from === 0n && to === unit * 10n - 1n) return anyDigits(states, left);
  const key = [left, from, to, residue].join(" ");
  if (known.has(key)) return known.get(key);
  const alternatives: [from: number, to: number, rule: string][] = [];
  for (let digit = 0; digit < 10; digit += 1) {
    const before = BigInt(digit) * unit;
    const rule = digitsRule(states, {
      left: left - 1,
      from: larger(0n, from - before),
      to: smaller(unit - 1n, to - before),
      residue: (((residue - before) % step) + step) % step,
    });
    if (rule === undefined) continue;
    const last = alternatives.at(-1);
    if (last?.[1] === digit - 1 && last[2] === rule) last[1] = digit;
    else alternatives.push([digit, digit, rule]);
  }
  const point = left === places ? `"." ` : "";
  const mayEnd = left <= places && from === 0n && residue === 0n;
  const written = alternatives.map(
    ([first, last, rule]) => `${point}${first === last ? `"${first}"` : `[${first}-${last}]`} ${rule}`,
  );
  const all = [...(mayEnd ? [`""`] : []), ...written];
  const rule = all.length > 0 ? grammar.rule(...all) : undefined;
  known.set(key, rule);
  return rule;
}

/** So many digits, with the point where it belongs. Zeros at the end of a fraction need not be written. */
function anyDigits({ places, grammar }: RangeStates, left: number): string {
  if (left === 0) return `""`;
  if (left < places) return `[0-9]{0,${left}}`;
  const fraction = places === 0 ? `""` : grammar.rule(`("." [0-9]{1,${places}})?`);
  return left === places ? fraction : `[0-9]{${left - places}} ${fraction}`;
}
