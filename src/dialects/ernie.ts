/** The format of ERNIE 4.5: one JSON object in `<tool_call>` tags, and the answer in tags of its own. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { lesson, resultRules, taggedResults } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
const turns = ["<|im_end|>", "<|im_start|>"];
const results = ["<tool_output>", "<tool_response"];

const begins = (ahead: string) => beginsJson(ahead, opener);

export const ernie: Dialect = {
  name: "ernie",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  layout: ["<response>", "</response>"],
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [opener, closer, "<tool_output>", "<tool_response", "</tool_response", ...turns],
  family: { template: [opener, "<response>"], models: /ernie/i },
  teach: (tools) =>
    lesson(tools, {
      form: `${opener}\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n${closer}`,
      writeCalls,
      rules: [
        `Between the tags stands one object. ${jsonRule}`,
        `Several calls: several ${opener} blocks, one after the other. Do not put them in code fences.`,
        ...resultRules,
      ],
    }),
  writeCalls,
  writeResults: taggedResults,
  *read(reader) {
    yield* readTaggedJson(reader, {
      closers: [closer],
      openers: [opener],
      endings: [...results, ...turns],
      trailing: ["</response>"],
      begins,
    });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return calls.map((call) => `${opener}\n${callObject(call)}\n${closer}`).join("\n");
}
