/** The format of LongCat: one JSON object in tags of its own. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

export const opener = "<longcat_tool_call>";
export const closer = "</longcat_tool_call>";
export const turns = ["</longcat_s>", "<longcat_s>"];
export const results = ["<longcat_tool_response", "<tool_response"];

export const longcat: Dialect = {
  name: "longcat",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
  }),
  thoughts: [{ open: "<longcat_think>", close: "</longcat_think>" }],
  held: heldJson(`${opener}\n`, `\n${closer}`),
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [opener, closer, "<longcat_tool_response", "<tool_response", "</tool_response"],
  family: { template: [opener, '"name"'], models: /longcat/i },
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
