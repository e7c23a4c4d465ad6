/** What TypeScript's server answers about a file: https://github.com/microsoft/TypeScript/wiki/Standalone-Server-(tsserver) */

import { isObject } from "../../../../../src/base/json.ts";
import type { EditorProblem } from "./editor-powers.ts";

/** Suggestions are no problems. Undefined: it gave no answer. */
export function typescriptProblems(answer: unknown): EditorProblem[] | undefined {
  const body = isObject(answer) && answer["type"] === "response" ? answer["body"] : undefined;
  return Array.isArray(body) ? body.flatMap(problemIn) : undefined;
}

function problemIn(one: unknown): EditorProblem[] {
  if (!isObject(one) || !isObject(one["start"])) return [];
  const { category, text, code, start } = one;
  if ((category !== "error" && category !== "warning") || typeof text !== "string") return [];
  const { line, offset } = start;
  if (typeof line !== "number" || typeof offset !== "number") return [];
  return [
    {
      severity: category,
      line,
      column: offset,
      message: text,
      source: "ts",
      ...(typeof code === "number" ? { code: String(code) } : {}),
    },
  ];
}
