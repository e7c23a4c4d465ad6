/** The format of Granite 20B for functions: objects, each behind the same mark, which also parts them. */

import type { Dialect, WrittenCall, WrittenResult } from "./dialect.ts";
import { lesson, resultText } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const opener = "<function_call>";
const turns = ["<|endoftext|>"];
const results = ["<function_response>"];

export const graniteFunction: Dialect = {
  name: "granite-function",
  tier: "tagged",
  openers: [{ mark: opener, begins: (ahead) => beginsJson(ahead, opener) }],
  turns,
  results,
  stop: ["\n<function_response>"],
  markers: [opener, "<function_response>", "<|endoftext|>"],
  family: { template: [opener, "<|function_call_library|>"], models: /granite-?20b-?functioncalling/i },
  teach: (tools) =>
    lesson(tools, {
      form: `${opener} {"name": "tool_name", "arguments": {"parameter": "value"}}`,
      writeCalls,
      rules: [
        `Behind ${opener} stands one object on one line. ${jsonRule}`,
        `Several calls: several lines, each with its own ${opener}. Do not put them in a code fence.`,
        "After your calls, stop. The results come in the next message as <function_response>; never write one yourself.",
      ],
    }),
  writeCalls,
  writeResults,
  *read(reader) {
    yield* readTaggedJson(reader, {
      closers: [],
      openers: [opener],
      endings: [...results, ...turns],
      trailing: ["</function_call>"],
      // What its template has it write when no function fits.
      noCall: ["no_function"],
    });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return calls.map((call) => `${opener} ${callObject(call)}`).join("\n");
}

function writeResults(results: readonly WrittenResult[]): string {
  return results
    .map((result) => `<function_response> ${result.isError ? "Error: " : ""}${resultText(result)}`)
    .join("\n");
}
