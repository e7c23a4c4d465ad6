/** Names with stars in them: a star stands for anything. */

/** Whether the name is one that the pattern stands for. A pattern without a star is the name itself. */
export const fitsPattern = (pattern: string, name: string): boolean => starPattern(pattern)(name);

/**
 * For a pattern that many names are compared with: it is taken apart once. Each piece between stars matches at its first
 * occurrence, so that no pattern takes longer than the name is long.
 */
export function starPattern(pattern: string): (name: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= name.length - last.length;
  };
}
