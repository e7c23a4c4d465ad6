/** Finds a symbol in a text by name, so that models need not count columns. */

import { type Expected, refuse } from "../../base/expected.ts";
import { linesOf, type DocumentPosition, type Unit, unitsBefore } from "./positions.ts";

/** A symbol as the model names it. `line` counts from 1. */
export type SymbolPlace = { symbol: string; path?: string | undefined; line?: number | undefined };

/** How many lines the given line may be off: models miscount. */
const nearby = 5;

/** Occurrences to try: the first ones may be in comments. */
const mostPlaces = 8;

/**
 * The occurrences on the given line, or on the nearest one, in the server's unit. Likeliest first, because only the
 * server knows which one is a symbol. The problem is for the model.
 */
export function findSymbol(
  text: string,
  { symbol, line }: SymbolPlace,
  { path, unit }: { path: string; unit: Unit },
): Expected<{ places: DocumentPosition[]; note?: string }> {
  const name = lastName(symbol);
  if (name === undefined) return refuse(`${JSON.stringify(symbol)} is no name of a symbol.`);
  const lines = linesOf(text);
  const found = lines.flatMap((words, at) => indexesOfName(words, name).map((index) => ({ at, index })));
  if (found.length === 0) return refuse(`${name} does not stand in ${path}.`);
  const distance = ({ at }: { at: number }): number => (line === undefined ? 0 : Math.abs(at + 1 - line));
  const least = Math.min(...found.map(distance));
  if (least > nearby) {
    const standing = [...new Set(found.map(({ at }) => at + 1))];
    const places = `${standing.slice(0, 10).join(", ")}${standing.length > 10 ? " and others" : ""}`;
    return refuse(`${name} does not stand on line ${line} of ${path}; it stands on ${places}.`);
  }
  const quoted = (one: { at: number; index: number }): number =>
    (lines[one.at] ?? "").slice(0, one.index).replaceAll(/[^"'`]/g, "").length % 2;
  const nearest = found
    .filter((one) => distance(one) === least)
    .toSorted((one, other) => quoted(one) - quoted(other))
    .slice(0, mostPlaces);
  const [first] = nearest;
  const note =
    least === 0 || !first ? {} : { note: `[${name} stands on line ${first.at + 1}, not ${line}.]` };
  const places = nearest.map(({ at, index }) => ({
    line: at,
    character: unitsBefore(lines[at] ?? "", index, unit),
  }));
  return { ok: true, value: { places, ...note } };
}

/** The last part of `Shop.price`, `shop::price` or `Shop#price()`: what appears in the text. */
export const lastName = (symbol: string): string | undefined =>
  symbol
    .slice(0, 500)
    .match(/[\p{L}\p{N}_$]+/gu)
    ?.at(-1);

/** The part of the model's symbol that appears in the text. */
export const nameOf = ({ symbol }: SymbolPlace): string => lastName(symbol) ?? symbol;

/** Whether a text contains the name as a whole word. */
export const standsIn = (text: string, name: string): boolean =>
  text.includes(name) && linesOf(text).some((line) => indexesOfName(line, name).length > 0);

/** Whole words only; occurrences in comments cannot be told apart here. */
function indexesOfName(line: string, name: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const around = [line.slice(0, at), line.slice(at + name.length)];
    if (!/[\p{L}\p{N}_$]$/u.test(around[0] ?? "") && !/^[\p{L}\p{N}_$]/u.test(around[1] ?? ""))
      found.push(at);
  }
  return found;
}
