/** What a path must hold for a glob to mean it, so that most globs need not be made into expressions at all. */

/** Signs of which the meaning depends on what stands around them, and letters whose case does. */
const unclear = /[^ -~]|[!()[\]\\|]|\.\.|\{[^}]*\{/u;

/**
 * Lower-case texts of which a path has at least one, in whatever case, if the glob matches it. Undefined where a path
 * may have none of them.
 */
export function literalsOf(glob: string): string[] | undefined {
  if (unclear.test(glob)) return undefined;
  const literals = alternatives(glob).map(longestLiteral);
  return literals.includes("") ? undefined : literals.map((literal) => literal.toLowerCase());
}

/** `a{b,c}` as `ab` and `ac`. Braces without a comma are themselves: what stands in them is no alternative. */
function alternatives(glob: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/u.exec(glob);
  if (!found) return [glob];
  const [, before = "", middle = "", after = ""] = found;
  return middle.split(",").flatMap((each) => alternatives(`${before}${each}${after}`));
}

/** Of a directory's name or a part of one; "." may be the directory itself, which a path need not name. */
const longestLiteral = (glob: string): string =>
  glob
    .split(/[*?+@{}/]/u)
    .filter((part) => part !== ".")
    .reduce((longest, part) => (part.length > longest.length ? part : longest), "");
