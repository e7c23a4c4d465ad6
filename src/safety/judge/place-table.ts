/** An index of place rows, so that a path is only compared with the few rows that may match. */

import { unknown } from "../command-line/word.ts";
import { mayMatch, saysLittle } from "./names.ts";
import type { PlaceRow } from "./place-rows.ts";

type Row = { readonly names: readonly string[]; readonly label: string };

type PlaceTable = {
  readonly all: readonly Row[];
  /** By the first name, if that has no `*`. */
  readonly exact: ReadonlyMap<string, readonly Row[]>;
  readonly open: readonly Row[];
};

export function placeTable(rows: readonly PlaceRow[]): PlaceTable {
  const all = rows.map(({ path, label }) => ({ names: path.toLowerCase().split("/"), label }));
  return {
    all,
    exact: Map.groupBy(
      all.filter((row) => !isOpen(row)),
      ({ names }) => names[0] ?? "",
    ),
    open: all.filter(isOpen),
  };
}

const isOpen = ({ names }: Row): boolean => names[0]?.includes("*") === true;

/** The label of a row that the path, or a path that its pattern may stand for, lies in. */
export function labelOf(table: PlaceTable, names: readonly string[]): string | undefined {
  const [first = ""] = names;
  if (isBare(first)) return undefined;
  const fits = (row: Row): boolean =>
    names.length >= row.names.length && row.names.every((wanted, at) => isLike(names[at] ?? "", wanted));
  const isPattern = /[*?[]/u.test(first) || first.includes(unknown);
  const near = isPattern ? table.all : (table.exact.get(first.toLowerCase()) ?? []);
  return (near.find(fits) ?? (isPattern ? undefined : table.open.find(fits)))?.label;
}

export const labelAnywhere = (table: PlaceTable, names: readonly string[]): string | undefined =>
  names.map((_, at) => labelOf(table, names.slice(at))).find((label) => label !== undefined);

/** Only pattern characters: no particular name is meant. */
const isBare = (name: string): boolean => name === unknown || /^[*?.]+$/u.test(name);

/** Ignores case, as some file systems do. A bare `*` does not count as a match for every secret. */
const isLike = (name: string, wanted: string): boolean =>
  !isBare(name) && (saysLittle(name) ? name === wanted : mayMatch(name.toLowerCase(), wanted));
