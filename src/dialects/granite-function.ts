/** The format of Granite 20B for functions: objects, each behind the same mark, which also parts them. */

import type { Dialect } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const opener = "<function_call>";
const turns = ["<|endoftext|>"];
const results = ["<function_response>"];

export const graniteFunction: Dialect = {
  name: "granite-function",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [],
    endings: [...results, ...turns],
    trailing: ["</function_call>"],
    // What its template has it write when no function fits.
    noCall: ["no_function"],
  }),
  turns,
  results,
  stop: ["\n<function_response>"],
  markers: [opener, "<function_response>", "<|endoftext|>"],
  family: { template: [opener, "<|function_call_library|>"], models: /granite-?20b-?functioncalling/i },
  lesson: {
    rules: [
      `Behind ${opener} stands one object on one line. ${jsonRule}`,
      `Several calls: several lines, each with its own ${opener}. Do not put them in a code fence.`,
      "After your calls, stop. The results come in the next message as <function_response>; never write one yourself.",
    ],
  },
  writeCalls: (calls) => calls.map((call) => `${opener} ${callObject(call)}`).join("\n"),
  writeResults: (results) =>
    results
      .map((result) => `<function_response> ${result.isError ? "Error: " : ""}${resultText(result)}`)
      .join("\n"),
};
