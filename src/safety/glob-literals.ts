/** Finds text that a path must contain for a glob to match, so that most globs need not be compiled. */

/** Syntax whose meaning depends on its context, and non-ASCII letters, whose case mapping does. */
const unclear = /[^ -~]|[!()[\]\\|]|\.\.|\{[^}]*\{/u;

/**
 * Lower-case texts, at least one of which occurs, in any case, in every path that the glob matches. Undefined if a
 * matching path may contain none.
 */
export function literalsOf(glob: string): string[] | undefined {
  if (unclear.test(glob)) return undefined;
  const literals = alternatives(glob).map(longestLiteral);
  return literals.includes("") ? undefined : literals.map((literal) => literal.toLowerCase());
}

/** Expands `a{b,c}` to `ab` and `ac`. Braces without a comma are literal: their content is not an alternative. */
function alternatives(glob: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/u.exec(glob);
  if (!found) return [glob];
  const [, before = "", middle = "", after = ""] = found;
  return middle.split(",").flatMap((each) => alternatives(`${before}${each}${after}`));
}

/** The longest literal without a "/"; "." may be the directory itself, which a path need not name. */
const longestLiteral = (glob: string): string =>
  glob
    .split(/[*?+@{}/]/u)
    .filter((part) => part !== ".")
    .reduce((longest, part) => (part.length > longest.length ? part : longest), "");
