/** Splits a text at occurrences of words, ignoring case. */

type TextPiece = { text: string; isFound: boolean };

/** The pieces concatenated are the text. */
export function markedPieces(text: string, words: string): TextPiece[] {
  const wanted = words
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (wanted.length === 0) return [{ text, isFound: false }];
  const pattern = new RegExp(wanted.map(escapedPattern).join("|"), "giu");
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isFound: false });
    pieces.push({ text: match[0], isFound: true });
    at = match.index + match[0].length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), isFound: false });
  return pieces;
}

const escapedPattern = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
