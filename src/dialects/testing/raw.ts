/** Test helper for dialects with raw values: tools to call, and summaries of the calls. */

import { readAnswer, tool, type ReadingOptions } from "./reading.ts";
import type { ToldCall } from "./reading.ts";

export const rawTools = [
  tool(
    "write_file",
    { path: "string", content: "string", mode: "integer", force: "boolean", tags: "array", opt: "object" },
    ["path"],
  ),
  tool("open_file", { path: "string" }, ["path"]),
  tool("ping", {}),
];

export function callSummaries(answer: string, options: ReadingOptions = {}): ToldCall[] {
  return readAnswer(answer, { tools: rawTools, ...options }).calls.map(
    ({ name, input, fault, repairs = [] }): ToldCall => [
      name,
      fault ?? input,
      ...(fault === undefined ? repairs.map(({ code, guess }) => (guess === true ? `${code}?` : code)) : []),
    ],
  );
}
