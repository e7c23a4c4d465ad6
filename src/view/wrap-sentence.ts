/** Wraps sentences between words, so that the terminal does not break inside a word. */

/** Indents the first line by `indent` spaces and the others by two more. A longer word stays whole. */
export function wrapSentence(
  text: string,
  { columns, indent }: { columns: number; indent: number },
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const margin = " ".repeat(lines.length === 0 ? indent : indent + 2);
    if (line === "") line = margin + word;
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = " ".repeat(indent + 2) + word;
    }
  }
  return [...lines, line];
}

/** Terminals disagree about nearly all of Unicode, but none gives a character more than two columns. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character <= "\u024F" ? 1 : 2;
  return width;
}
