/** Resolves the model name in a client's request: the user's table, the most specific row first, then the default. */

import { fitsPattern } from "../base/star-pattern.ts";

/**
 * A row: `model` is "provider/model", `fallback` those that are asked when it fails, in order; `assumedContext` is the
 * window that clients assume for the name.
 */
export type NameTableRow = {
  model: string;
  fallback?: readonly string[] | undefined;
  assumedContext?: number | undefined;
};
export type NameTable = Readonly<Record<string, NameTableRow>>;

type ModelNames = {
  /** Undefined if no row matches and there is no default. */
  find: (name: string) => NameTableRow | undefined;
  /** The names that clients are offered. */
  readonly listed: readonly string[];
};

/** `*` in a row's name matches any characters. Rows with more other characters are tried first. */
export function namesOf(table: NameTable, fallback: string | undefined): ModelNames {
  const rows = Object.entries(table).map(([pattern, named]) => ({ pattern, named }));
  const exact = rows.filter(({ pattern }) => !pattern.includes("*"));
  const loose = rows
    .filter(({ pattern }) => pattern.includes("*"))
    .toSorted((one, other) => weight(other.pattern) - weight(one.pattern));
  const targets = [...new Set([...rows.map(({ named }) => named.model), ...(fallback ? [fallback] : [])])];
  const known = (name: string): NameTableRow | undefined => {
    const row = exact.find(({ pattern }) => fits(pattern, name));
    const target = targets.find((one) => one.toLowerCase() === name.toLowerCase());
    return row?.named ?? (target === undefined ? undefined : { model: target });
  };
  const likely = (name: string): NameTableRow | undefined =>
    loose.find(({ pattern }) => fits(pattern, name))?.named;
  return {
    find(name) {
      const bare = bareOf(name);
      const row = known(name) ?? known(bare) ?? likely(name) ?? likely(bare);
      return row ?? (fallback === undefined ? undefined : { model: fallback });
    },
    listed: [...new Set([...exact.map(({ pattern }) => pattern), ...targets])],
  };
}

const latest = ":latest";
const weight = (pattern: string): number => pattern.replaceAll("*", "").length;

/** Whether a name may be asked for, under one of these patterns. */
export const isAmong = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => fits(pattern, name) || fits(pattern, bareOf(name)));

/** Some clients append a tag to any name without one. */
const bareOf = (name: string): string => (name.endsWith(latest) ? name.slice(0, -latest.length) : name);

const fits = (pattern: string, name: string): boolean =>
  fitsPattern(pattern.toLowerCase(), name.toLowerCase());
