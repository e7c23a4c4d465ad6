/** Finds words in a text that is split into pieces, some of which share a line. */

/** The piece's index, and the offset in it in UTF-16 units. */
export type PiecePosition = { piece: number; at: number };

/** A limit beyond which stepping through matches is pointless. */
const most = 1_000;

/** Adjacent pieces with the same `line` are read as one text. No match spans a line end. */
export function matchesIn(
  pieces: readonly { text: string; line: unknown }[],
  words: string,
): { from: PiecePosition; to: PiecePosition }[] {
  const wanted = sameLength(words);
  if (wanted.trim() === "") return [];
  const found: { from: PiecePosition; to: PiecePosition }[] = [];
  for (let first = 0; first < pieces.length && found.length < most;) {
    let end = first + 1;
    while (end < pieces.length && pieces[end]?.line === pieces[first]?.line) end += 1;
    const texts = pieces.slice(first, end).map(({ text }) => sameLength(text));
    for (const at of placesOf(wanted, texts.join("")))
      found.push({
        from: positionOf(texts, first, at),
        to: positionOf(texts, first, at + wanted.length - 1, 1),
      });
    first = end;
  }
  return found.slice(0, most);
}

function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

/** `after`: an offset added behind the character found. */
function positionOf(texts: readonly string[], first: number, at: number, after = 0): PiecePosition {
  let left = at;
  for (const [index, text] of texts.entries()) {
    if (left < text.length) return { piece: first + index, at: left + after };
    left -= text.length;
  }
  return { piece: first, at: 0 };
}

/** Lower case, except for the few letters whose length would change. */
function sameLength(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join("");
}
