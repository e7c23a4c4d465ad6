/** Finds a symbol in a text as a whole word. */

/** From 0, as editors count; `character` in UTF-16. */
type WordPlace = { line: number; character: number };

/** `line`: only there, from 1. */
export function wordIn(text: string, word: string, line?: number): WordPlace | undefined {
  const lines = text.split("\n");
  const [from, to] = line === undefined ? [0, lines.length] : [line - 1, line];
  for (let at = from; at < to; at += 1) {
    const character = wholeWord(lines[at] ?? "", word);
    if (character !== undefined) return { line: at, character };
  }
  return undefined;
}

function wholeWord(text: string, word: string): number | undefined {
  if (word === "") return undefined;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isPart = isLetter(text[at - 1]) || isLetter(text[at + word.length]);
    if (!isPart) return at;
  }
  return undefined;
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
