/** How values stand between tags where texts are written as they are: in history and in the lesson. */

import type { Json } from "../../base/json.ts";
import type { Lesson } from "../dialect.ts";
import { templateJson } from "./template-json.ts";

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
