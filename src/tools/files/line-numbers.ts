/** Adds line numbers to text shown to models (`12<tab>text`), and strips them when a model copies them back. */

/** `from` is the number of the first line. */
export function withLineNumbers(lines: readonly string[], from: number): string {
  return lines.map((line, at) => `${from + at}\t${line}`).join("\n");
}

/** The known forms: `12<tab>`, `12→`, `12| `, `12 | ` and `12: `, with or without padding. */
const forms = ["\\t", "→", " ?\\| ?", ": ?"].map((sign) => ({
  sign,
  prefix: new RegExp(`^ *(\\d+)${sign}`),
}));

type NumberingForm = (typeof forms)[number];

/** Strips the line numbers; `undefined` unless every line has one and they increase one by one. */
export function withoutLineNumbers(text: string): string | undefined {
  const { lines, ending } = linesOf(text);
  const form = formOf(lines);
  return form && lines.map((line) => withoutNumber(line, form)).join("\n") + ending;
}

/** The numbering form shared by all lines, if there is one. */
function formOf(lines: readonly string[]): NumberingForm | undefined {
  return forms.find((form) => {
    const numbers = lines.map((line) => numberOf(line, form));
    const [first = Number.NaN] = numbers;
    return numbers.every((number, at) => number === first + at);
  });
}

/**
 * Strips numbers that a model copied into replacement text: either every line has a consecutive number, or only lines
 * that also occur in the replaced text do. `undefined` if a number could be the line's own content, or stands where an
 * omitted line was.
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

/** Whether the line looks numbered up to the separator, but lacks the number itself. */
function beginsAsNumbered(line: string, { sign, prefix }: NumberingForm): boolean {
  return !prefix.test(line) && new RegExp(`^[\\s\\d.+*>-]*?${sign}`).test(line);
}

/** An empty line may be reduced to its bare number. */
const isNumber = (line: string): boolean => /^ *\d+$/.test(line);

function linesOf(text: string): { lines: string[]; ending: string } {
  const ending = text.endsWith("\n") ? "\n" : "";
  return { lines: (ending === "" ? text : text.slice(0, -1)).split("\n"), ending };
}

const numberOf = (line: string, { prefix }: NumberingForm): number =>
  Number((isNumber(line) ? line : prefix.exec(line)?.[1]) ?? Number.NaN);
const withoutNumber = (line: string, { prefix }: NumberingForm): string =>
  isNumber(line) ? "" : line.replace(prefix, "");
