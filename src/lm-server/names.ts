/** Resolves the model name in a client's request: the user's table, the most specific row first, then the default. */

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
  const rows = Object.entries(table).map(([pattern, named]) => ({ pattern, named, fits: matcher(pattern) }));
  const exact = rows.filter(({ pattern }) => !pattern.includes("*"));
  const loose = rows
    .filter(({ pattern }) => pattern.includes("*"))
    .toSorted((one, other) => weight(other.pattern) - weight(one.pattern));
  const targets = [...new Set([...rows.map(({ named }) => named.model), ...(fallback ? [fallback] : [])])];
  const known = (name: string): NameTableRow | undefined => {
    const row = exact.find(({ fits }) => fits(name));
    const target = targets.find((one) => one.toLowerCase() === name.toLowerCase());
    return row?.named ?? (target === undefined ? undefined : { model: target });
  };
  const likely = (name: string): NameTableRow | undefined => loose.find(({ fits }) => fits(name))?.named;
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
  patterns.some((pattern) => matcher(pattern)(name) || matcher(pattern)(bareOf(name)));

/** Some clients append a tag to any name without one. */
const bareOf = (name: string): string => (name.endsWith(latest) ? name.slice(0, -latest.length) : name);

/** Matches piece by piece, each at its first occurrence: no pattern takes longer than the name's length. */
function matcher(pattern: string): (name: string) => boolean {
  const [start = "", ...rest] = pattern.toLowerCase().split("*");
  const last = rest.pop();
  return (given) => {
    const name = given.toLowerCase();
    if (last === undefined) return name === start;
    if (!name.startsWith(start)) return false;
    let at = start.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return name.endsWith(last) && name.length - last.length >= at;
  };
}
