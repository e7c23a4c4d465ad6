/** Calls as JSON in the way of chat templates, which Python writes: a blank after every comma and colon. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { WrittenCall } from "../dialect.ts";

export function templateJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(templateJson).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${templateJson(one)}`);
  return `{${entries.join(", ")}}`;
}

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
