/** The format of Jamba: a list of JSON objects in tags. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { callObject, listRules } from "./grammar/template-json.ts";
import { readToolCalls, toolCallsCloser, toolCallsOpener, toolCallsTag } from "./grammar/tool-calls-tag.ts";

const turns = ["<|eom|>", "<|bom|>"];
const results = ["<tool_response"];

export const jamba: Dialect = {
  name: "jamba",
  tier: "tagged",
  openers: [toolCallsTag],
  held: heldJson(`${toolCallsOpener}[`, `]${toolCallsCloser}`),
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [toolCallsOpener, toolCallsCloser, ...turns, "<tool_response", "</tool_response"],
  family: { template: [toolCallsOpener, "<|bom|>"], models: /jamba/i },
  lesson: {
    form: `${toolCallsOpener}[\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n]${toolCallsCloser}`,
    rules: [...listRules, ...resultRules],
  },
  writeCalls: (calls) => `${toolCallsOpener}[\n${calls.map(callObject).join(",\n")}\n]${toolCallsCloser}`,
  writeResults: taggedResults,
  *read(reader) {
    yield* readToolCalls(reader, [...results, ...turns]);
  },
};
