/** Test helper for dialects with raw values: tools to call, and summaries of the calls. */

import type { JsonObject } from "../../base/json.ts";
import { readAnswer, tool, type ReadingOptions } from "./reading.ts";

export const rawTools = [
  tool(
    "write_file",
    { path: "string", content: "string", mode: "integer", force: "boolean", tags: "array", opt: "object" },
    ["path"],
  ),
  tool("open_file", { path: "string" }, ["path"]),
  tool("ping", {}),
];

/** A call with the codes of its repairs, guesses marked; or why it cannot run. */
type CallSummary = [name: string, input: JsonObject | string, ...repairs: string[]];

export function callSummaries(answer: string, options: ReadingOptions = {}): CallSummary[] {
  return readAnswer(answer, { tools: rawTools, ...options }).calls.map(
    ({ name, input, fault, repairs = [] }): CallSummary => [
      name,
      fault ?? input,
      ...(fault === undefined ? repairs.map(({ code, guess }) => (guess === true ? `${code}?` : code)) : []),
    ],
  );
}
