/**
 * Which model a client gets by the name that it asks for: the user's table, the most telling row first, then the
 * default.
 */

/** A row: `model` is "provider/model"; `assumedContext` is the window that clients take the name to have. */
export type Named = { model: string; assumedContext?: number | undefined };
export type NameTable = Readonly<Record<string, Named>>;

type Names = {
  /** Undefined where nothing fits and there is no default. */
  find: (name: string) => Named | undefined;
  /** What clients may be told to choose from. */
  readonly listed: readonly string[];
};

/** `*` in a row's name stands for any letters. The more other letters a row has, the earlier it is tried. */
export function namesOf(table: NameTable, fallback: string | undefined): Names {
  const rows = Object.entries(table).map(([pattern, named]) => ({ pattern, named, fits: matcher(pattern) }));
  const exact = rows.filter(({ pattern }) => !pattern.includes("*"));
  const loose = rows
    .filter(({ pattern }) => pattern.includes("*"))
    .toSorted((one, other) => weight(other.pattern) - weight(one.pattern));
  const targets = [...new Set([...rows.map(({ named }) => named.model), ...(fallback ? [fallback] : [])])];
  const known = (name: string): Named | undefined => {
    const row = exact.find(({ fits }) => fits(name));
    const target = targets.find((one) => one.toLowerCase() === name.toLowerCase());
    return row?.named ?? (target === undefined ? undefined : { model: target });
  };
  const likely = (name: string): Named | undefined => loose.find(({ fits }) => fits(name))?.named;
  return {
    find(name) {
      // Some clients put a tag behind every name that has none.
      const bare = name.endsWith(latest) ? name.slice(0, -latest.length) : name;
      const row = known(name) ?? known(bare) ?? likely(name) ?? likely(bare);
      return row ?? (fallback === undefined ? undefined : { model: fallback });
    },
    listed: [...new Set([...exact.map(({ pattern }) => pattern), ...targets])],
  };
}

const latest = ":latest";
const weight = (pattern: string): number => pattern.replaceAll("*", "").length;

/** Piece by piece, each where it comes first: no pattern takes longer than the name is. */
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
