/** The format of LongCat: one JSON object in tags of its own. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { lesson, resultRules, taggedResults } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

export const opener = "<longcat_tool_call>";
export const closer = "</longcat_tool_call>";
export const turns = ["</longcat_s>", "<longcat_s>"];
export const results = ["<longcat_tool_response", "<tool_response"];

const begins = (ahead: string) => beginsJson(ahead, opener);

export const longcat: Dialect = {
  name: "longcat",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  thoughts: [{ open: "<longcat_think>", close: "</longcat_think>" }],
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [opener, closer, "<longcat_tool_response", "<tool_response", "</tool_response"],
  family: { template: [opener, '"name"'], models: /longcat/i },
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
      begins,
    });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return calls.map((call) => `${opener}\n${callObject(call)}\n${closer}`).join("\n");
}
