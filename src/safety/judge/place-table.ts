/** An index of place rows, so that a path is only compared with the few rows that may match. */

import { starPattern } from "../../base/star-pattern.ts";
import { unknown } from "../command-line/word.ts";
import { isOpen, mayMatch, saysLittle } from "./names.ts";
import type { PlaceRow } from "./place-rows.ts";

type Row = { readonly names: readonly string[]; readonly label: string };

type PlaceTable = {
  readonly all: readonly Row[];
  readonly byFirst: ReadonlyMap<string, readonly Row[]>;
  /** Those whose first name has stars. */
  readonly starred: readonly { readonly isFirst: (name: string) => boolean; readonly row: Row }[];
};

export function placeTable(rows: readonly PlaceRow[]): PlaceTable {
  const all = rows.map(({ path, label }) => ({ names: path.toLowerCase().split("/"), label }));
  const starred = all.flatMap((row) => {
    const [first = ""] = row.names;
    return first.includes("*") ? [{ isFirst: starPattern(first), row }] : [];
  });
  return { all, byFirst: Map.groupBy(all, ({ names: [first = ""] }) => first), starred };
}

/** The label of a row that the path, or a path that its pattern may stand for, lies in. */
export const labelOf = (table: PlaceTable, names: readonly string[]): string | undefined =>
  rowsFor(table, names[0] ?? "").find((row) => fits(row, names, 0))?.label;

export function labelAnywhere(table: PlaceTable, names: readonly string[]): string | undefined {
  const known = new Map<string, readonly Row[]>();
  for (const [at, name] of names.entries()) {
    const rows = known.get(name) ?? rowsFor(table, name);
    known.set(name, rows);
    const found = rows.find((row) => fits(row, names, at));
    if (found) return found.label;
  }
  return undefined;
}

/** The rows that a path may lie in which begins with this name. */
function rowsFor({ all, byFirst, starred }: PlaceTable, first: string): readonly Row[] {
  if (isBare(first)) return [];
  if (isOpen(first)) {
    const isFirst = likeness(first);
    return all.filter(({ names: [wanted = ""] }) => isFirst(wanted));
  }
  const name = first.toLowerCase();
  const like = starred.filter(({ isFirst }) => isFirst(name)).map(({ row }) => row);
  return [...(byFirst.get(name) ?? []), ...like];
}

const fits = ({ names: wanted }: Row, names: readonly string[], from: number): boolean =>
  names.length - from >= wanted.length &&
  wanted.every((one, at) => at === 0 || likeness(names[from + at] ?? "")(one));

/** Only pattern characters: no particular name is meant. */
const isBare = (name: string): boolean => name === unknown || /^[*?.]+$/u.test(name);

/** Ignores case, as some file systems do. A bare `*` does not count as a match for every secret. */
function likeness(name: string): (wanted: string) => boolean {
  if (isBare(name)) return () => false;
  if (saysLittle(name)) return (wanted) => name === wanted;
  const lower = name.toLowerCase();
  return (wanted) => mayMatch(lower, wanted);
}
