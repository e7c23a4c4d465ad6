/** How values stand between tags where texts are written as they are: in history and in the lesson. */

import type { Json } from "../../base/json.ts";
import type { Lesson } from "../dialect.ts";
import { pythonWord, templateJson, valueWriter } from "./template-json.ts";

export const rawText = (value: Json): string => (typeof value === "string" ? value : templateJson(value));

/** What a model must know to write such calls; `several` says how it writes more than one, `first` what comes before. */
export const rawLesson = (several: string, first: readonly string[] = []): Lesson => ({
  form: { parameter_name: "value" },
  rules: [
    ...first,
    "Values stand as they are, without quotation marks or escapes; lists and objects as JSON.",
    `Several calls: ${several}. Do not put them in code fences.`,
  ],
});

/** A value as Python shows it: how the templates of some families write what is no text. */
export const pythonText = valueWriter({ text: pythonQuote, word: pythonWord });

function pythonQuote(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(special, (character) => {
    if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
    return short[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return quote + escaped + quote;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is escaped
const special = /['"\\\u0000-\u001F\u007F]/g;
const short: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
