/** Lines as models are shown them, `12<tab>text`, and taking the numbers off again when a model copies them. */

/** `from` is the number of the first line. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, at) => `${from + at}\t${line}`).join("\n");
}

/** The forms in use: `12<tab>`, `12| `, `12→`, with or without padding. */
const prefix = /^ *(\d+)(?:\t|→|\| ?)/;

/** The text without its line numbers; `undefined` unless every line has one and they count upwards one by one. */
export function withoutLineNumbers(text: string): string | undefined {
  const ending = text.endsWith("\n") ? "\n" : "";
  const lines = (ending === "" ? text : text.slice(0, -1)).split("\n");
  const numbers = lines.map((line) => Number(prefix.exec(line)?.[1] ?? Number.NaN));
  const [first = Number.NaN] = numbers;
  if (!numbers.every((number, at) => number === first + at)) return undefined;
  return lines.map((line) => line.replace(prefix, "")).join("\n") + ending;
}
