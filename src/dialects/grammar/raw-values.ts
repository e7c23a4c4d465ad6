/** How values stand between tags where texts are written as they are: in history and in the lesson. */

import type { Json } from "../../base/json.ts";
import { templateJson } from "./template-json.ts";

export const rawText = (value: Json): string => (typeof value === "string" ? value : templateJson(value));

/** What a model must know to write such calls; `several` says how it writes more than one. */
export const rawRules = (several: string): readonly string[] => [
  "Values stand as they are, without quotation marks or escapes; lists and objects as JSON.",
  `Several calls: ${several}. Do not put them in code fences.`,
];
