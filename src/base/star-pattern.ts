/** Names with stars in them: a star stands for anything. */

/**
 * Each piece between stars matches at its first occurrence, so that no pattern takes longer than the name is long. A
 * pattern without a star is the name itself.
 */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
