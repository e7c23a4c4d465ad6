/** Lines as models are shown them, `12<tab>text`, and taking the numbers off again when a model copies them. */

/** `from` is the number of the first line. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, at) => `${from + at}\t${line}`).join("\n");
}

/** The forms in use: `12<tab>`, `12→`, `12| `, `12 | ` and `12: `, with or without padding. */
const forms = ["\\t", "→", " ?\\| ?", ": ?"].map((sign) => ({
  sign,
  prefix: new RegExp(`^ *(\\d+)${sign}`),
}));

type Form = (typeof forms)[number];

/** The text without its line numbers; `undefined` unless every line has one and they count upwards one by one. */
export function withoutLineNumbers(text: string): string | undefined {
  const { lines, ending } = linesOf(text);
  const form = formOf(lines);
  return form && lines.map((line) => withoutNumber(line, form)).join("\n") + ending;
}

/** The form of all lines, if they are numbered. */
function formOf(lines: readonly string[]): Form | undefined {
  return forms.find((form) => {
    const numbers = lines.map((line) => numberOf(line, form));
    const [first = Number.NaN] = numbers;
    return numbers.every((number, at) => number === first + at);
  });
}

/**
 * A text that replaces one with line numbers, without those that were copied into it: every line has one and they
 * count upwards, or only lines of the other text have. `undefined` where a number could be the line's own, or where
 * something stands in the place of one that was left out.
 */
export function withoutCopiedNumbers(text: string, from: string): string | undefined {
  const { lines, ending } = linesOf(text);
  const form = formOf(linesOf(from).lines);
  const marked = form ? lines.filter((line) => form.prefix.test(line)) : [];
  if (form === undefined || marked.length === 0) return text;
  const numbers = lines.map((line) => numberOf(line, form));
  const isCounted = numbers.every((number, at) => {
    const before = numbers[at - 1] ?? -1;
    return isNumber(lines[at] ?? "") ? number === before + 1 : number > before;
  });
  if (isCounted) return lines.map((line) => withoutNumber(line, form)).join("\n") + ending;
  const copied = new Set(from.split("\n"));
  const isCopied =
    marked.every((line) => copied.has(line)) && !lines.some((line) => beginsAsNumbered(line, form));
  return isCopied
    ? lines.map((line) => (copied.has(line) ? withoutNumber(line, form) : line)).join("\n") + ending
    : undefined;
}

/** The sign that follows numbers stands here too, behind less than a number. */
function beginsAsNumbered(line: string, { sign, prefix }: Form): boolean {
  return !prefix.test(line) && new RegExp(`^[\\s\\d.+*>-]*?${sign}`).test(line);
}

/** Of an empty line only the number may be left. */
const isNumber = (line: string): boolean => /^ *\d+$/.test(line);

function linesOf(text: string): { lines: string[]; ending: string } {
  const ending = text.endsWith("\n") ? "\n" : "";
  return { lines: (ending === "" ? text : text.slice(0, -1)).split("\n"), ending };
}

const numberOf = (line: string, { prefix }: Form): number =>
  Number((isNumber(line) ? line : prefix.exec(line)?.[1]) ?? Number.NaN);
const withoutNumber = (line: string, { prefix }: Form): string =>
  isNumber(line) ? "" : line.replace(prefix, "");
