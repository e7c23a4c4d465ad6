/** The format of Jamba: a list of JSON objects in tags. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
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
  ...resultsInTags,
  markers: [toolCallsOpener, toolCallsCloser, ...turns, "<tool_response", "</tool_response"],
  family: { template: [toolCallsOpener, "<|bom|>"], models: /jamba/i },
  lesson: { rules: [...listRules, ...resultRules] },
  writeCalls: (calls) => `${toolCallsOpener}[\n${calls.map(callObject).join(",\n")}\n]${toolCallsCloser}`,
  *read(reader) {
    yield* readToolCalls(reader, [...results, ...turns]);
  },
};
