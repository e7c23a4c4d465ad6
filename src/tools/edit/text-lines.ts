/** A text split into lines with their offsets, so that matches in lines can be applied to the text. */

/** `words` are without endings; after a final line ending there is one more, empty line. `from`: where each begins. */
export type TextLines = { text: string; words: readonly string[]; from: readonly number[] };

type LineBreak = "\n" | "\r\n";

export function textLines(text: string): TextLines {
  const from: number[] = [];
  const words: string[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    const isLast = end === text.length;
    from.push(start);
    words.push(line.endsWith("\r") && !isLast ? line.slice(0, -1) : line);
    start = end + 1;
  }
  return { text, words, from };
}

/** The line's ending; if it has none, that of the line before or after. */
export function endingNear(lines: TextLines, line: number): LineBreak {
  return endingOf(lines, line) ?? endingOf(lines, line - 1) ?? "\n";
}

/** The ending of the line; undefined for the last one. */
export function endingOf({ text, from }: TextLines, line: number): LineBreak | undefined {
  const next = from[line + 1];
  if (next === undefined || line < 0) return undefined;
  return text[next - 2] === "\r" && (from[line] ?? 0) <= next - 2 ? "\r\n" : "\n";
}

/** The line (from 0) that contains an offset of the text. */
export function lineOf(from: readonly number[], place: number): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

export const toLf = (text: string): string => text.replaceAll("\r\n", "\n");
