/** Finding a symbol by its name, so that nobody has to count columns. */

import type { Expected } from "../../base/expected.ts";
import { linesOf, type Position, type Unit, unitsBefore } from "./positions.ts";

/** `line` from 1. */
type Wanted = { symbol: string; line?: number | undefined };

/** How far from the line that was named the symbol may stand: models miscount. */
const nearby = 5;

/** The place of a symbol in a text, in the server's unit. The problem is for the model. */
export function findSymbol(
  text: string,
  { symbol, line }: Wanted,
  { path, unit }: { path: string; unit: Unit },
): Expected<Position & { note?: string }> {
  const name = lastName(symbol);
  if (name === undefined) return { ok: false, problem: `${JSON.stringify(symbol)} is no name of a symbol.` };
  const lines = linesOf(text);
  const found = lines.flatMap((words, at) => {
    const index = indexOfName(words, name);
    return index === -1 ? [] : [{ at, index }];
  });
  if (found.length === 0) return { ok: false, problem: `${name} does not stand in ${path}.` };
  const distance = ({ at }: { at: number }): number => (line === undefined ? at : Math.abs(at + 1 - line));
  const [nearest] = found.toSorted((one, other) => distance(one) - distance(other));
  if (!nearest || (line !== undefined && distance(nearest) > nearby)) {
    const places = found.slice(0, 10).map(({ at }) => at + 1);
    return {
      ok: false,
      problem: `${name} does not stand on line ${line} of ${path}; it stands on ${places.join(", ")}${found.length > 10 ? " and others" : ""}.`,
    };
  }
  const { at, index } = nearest;
  const note =
    line === undefined || at + 1 === line ? {} : { note: `[${name} stands on line ${at + 1}, not ${line}.]` };
  return { ok: true, value: { line: at, character: unitsBefore(lines[at] ?? "", index, unit), ...note } };
}

/** Of `Shop.price`, `shop::price` and `Shop#price()` the last: what stands in the text. */
export const lastName = (symbol: string): string | undefined =>
  symbol
    .slice(0, 500)
    .match(/[\p{L}\p{N}_$]+/gu)
    ?.at(-1);

/** Whether a name stands in a text, as a whole word. */
export const standsIn = (text: string, name: string): boolean =>
  text.includes(name) && linesOf(text).some((line) => indexOfName(line, name) !== -1);

/** As a whole word; where it is only written in a comment is not known here. */
function indexOfName(line: string, name: string): number {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const around = [line.slice(0, at), line.slice(at + name.length)];
    if (!/[\p{L}\p{N}_$]$/u.test(around[0] ?? "") && !/^[\p{L}\p{N}_$]/u.test(around[1] ?? "")) return at;
  }
  return -1;
}
