/** Calls as JSON in the way of chat templates, which Python writes: a blank after every comma and colon. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { WrittenCall } from "../dialect.ts";

/** How a notation writes texts, also as names, and numbers, true, false and null. */
type ValueNotation = {
  readonly text: (text: string) => string;
  readonly word: (value: number | boolean | null) => string;
};

export function valueWriter({ text, word }: ValueNotation): (value: Json) => string {
  return function write(value: Json): string {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
    if (!isJsonObject(value)) return word(value);
    const entries = Object.entries(value).map(([key, one]) => `${text(key)}: ${write(one)}`);
    return `{${entries.join(", ")}}`;
  };
}

export const templateJson = valueWriter({ text: JSON.stringify, word: JSON.stringify });

const pythonWords = new Map<Json, string>([
  [true, "True"],
  [false, "False"],
  [null, "None"],
]);

export const pythonWord = (value: number | boolean | null): string =>
  pythonWords.get(value) ?? JSON.stringify(value);

/** `{"name": …, "arguments": {…}}` */
export const callObject = ({ name, input }: WrittenCall): string => templateJson({ name, arguments: input });

/** What a model must know to write calls as JSON between marks. */
export const jsonRule =
  'It must be valid JSON and nothing else: inside strings write \\n for a line break and \\" for a quotation mark.';
export const objectRules = (opener: string): readonly string[] => [
  `Between the ${/^<\w/.test(opener) ? "tags" : "marks"} stands one object. ${jsonRule}`,
  `Several calls: several ${opener} blocks, one after the other. Do not put them in code fences.`,
];
export const listRules: readonly string[] = [
  `Between the marks stands a list of calls, each an object with its name and its arguments. ${jsonRule}`,
  "Several calls: several objects in the one list. Do not put it in a code fence.",
];
