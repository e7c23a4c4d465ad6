/** The format of Apriel: a list of JSON objects with ids in tags; it thinks aloud before its final response. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { listRules, templateJson } from "./grammar/template-json.ts";
import { readToolCalls, toolCallsCloser, toolCallsOpener, toolCallsTag } from "./grammar/tool-calls-tag.ts";

const results = ["<|begin_tool_result|>", "<|tool_result|>", "<tool_response"];
const turns = ["<|begin_user|>", "<|begin_assistant|>", "<|begin_system|>", "<|begin_content|>", "<|user|>"];

export const apriel: Dialect = {
  name: "apriel",
  tier: "tagged",
  openers: [toolCallsTag],
  thoughts: [
    // The prompt ends with these words, and the thought with the mark.
    { open: "Here are my reasoning steps:", close: "[BEGIN FINAL RESPONSE]" },
    { open: "<thinking>", close: "</thinking>" },
  ],
  layout: ["[END FINAL RESPONSE]", "<|end|>"],
  turns,
  results,
  ...resultsInTags,
  markers: [toolCallsOpener, toolCallsCloser, ...turns, ...results, "</tool_response"],
  family: { template: [toolCallsOpener, "[BEGIN FINAL RESPONSE]"], models: /apriel/i },
  lesson: {
    form: `${toolCallsOpener}[{"name": "tool_name", "arguments": {"parameter": "value"}, "id": "call_1"}]${toolCallsCloser}`,
    rules: [...listRules, "Every call has an id of its own.", ...resultRules],
  },
  writeCalls,
  *read(reader) {
    yield* readToolCalls(reader, [...results, ...turns, "<|end|>"]);
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  const list = calls.map(({ id, name, input }) => templateJson({ name, arguments: input, id }));
  return `${toolCallsOpener}[${list.join(", ")}]${toolCallsCloser}`;
}
