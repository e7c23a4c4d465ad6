/** Lines as models are shown them, `12<tab>text`, and taking the numbers off again when a model copies them. */

/** `from` is the number of the first line. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, at) => `${from + at}\t${line}`).join("\n");
}

/** The forms in use: `12<tab>`, `12| `, `12→`, with or without padding; of an empty line only the number may be left. */
const prefix = /^ *(\d+)(?:\t|→|\| ?|$)/;

/** The text without its line numbers; `undefined` unless every line has one and they count upwards one by one. */
export function withoutLineNumbers(text: string): string | undefined {
  const { lines, ending } = linesOf(text);
  const numbers = lines.map(numberOf);
  const [first = Number.NaN] = numbers;
  if (!numbers.every((number, at) => number === first + at)) return undefined;
  return lines.map(withoutNumber).join("\n") + ending;
}

/**
 * A text that replaces one with line numbers, without those that were copied into it: every line has one and they
 * count upwards, or only lines of the other text have. `undefined` where a number could be the line's own.
 */
export function withoutCopiedNumbers(text: string, from: string): string | undefined {
  const { lines, ending } = linesOf(text);
  const marked = lines.filter((line) => prefix.test(line) && !isNumber(line));
  if (marked.length === 0) return text;
  const numbers = lines.map(numberOf);
  const isCounted = numbers.every((number, at) => {
    const before = numbers[at - 1] ?? -1;
    return isNumber(lines[at] ?? "") ? number === before + 1 : number > before;
  });
  const copied = new Set(from.split("\n"));
  const isCopied = marked.every((line) => copied.has(line));
  if (isCounted) return lines.map(withoutNumber).join("\n") + ending;
  return isCopied
    ? lines.map((line) => (copied.has(line) ? withoutNumber(line) : line)).join("\n") + ending
    : undefined;
}

const isNumber = (line: string): boolean => /^ *\d+$/.test(line);

function linesOf(text: string): { lines: string[]; ending: string } {
  const ending = text.endsWith("\n") ? "\n" : "";
  return { lines: (ending === "" ? text : text.slice(0, -1)).split("\n"), ending };
}

const numberOf = (line: string): number => Number(prefix.exec(line)?.[1] ?? Number.NaN);
const withoutNumber = (line: string): string => line.replace(prefix, "");
