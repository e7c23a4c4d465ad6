/** The format of ERNIE 4.5: one JSON object in `<tool_call>` tags, and the answer in tags of its own. */

import type { Dialect } from "./dialect.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
const turns = ["<|im_end|>", "<|im_start|>"];
const results = ["<tool_output>", "<tool_response"];

export const ernie: Dialect = {
  name: "ernie",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
    trailing: ["</response>"],
  }),
  layout: ["<response>", "</response>"],
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [opener, closer, "<tool_output>", "<tool_response", "</tool_response", ...turns],
  family: { template: [opener, "<response>"], models: /ernie/i },
  lesson: {
    form: `${opener}\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n${closer}`,
    rules: [
      `Between the tags stands one object. ${jsonRule}`,
      `Several calls: several ${opener} blocks, one after the other. Do not put them in code fences.`,
      ...resultRules,
    ],
  },
  writeCalls: (calls) => calls.map((call) => `${opener}\n${callObject(call)}\n${closer}`).join("\n"),
  writeResults: taggedResults,
};
