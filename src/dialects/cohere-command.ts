/** The format of Command R7B, Command A and Cohere2: a list of JSON objects with ids between marks. */

import type { Dialect, WrittenCall, WrittenResult } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";

const opener = "<|START_ACTION|>";
const closer = "<|END_ACTION|>";
const resultOpener = "<|START_TOOL_RESULT|>";
const resultCloser = "<|END_TOOL_RESULT|>";
const turns = ["<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"];
const results = [resultOpener];

export const cohereCommand: Dialect = {
  name: "cohere-command",
  tier: "token",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
    shape: { ids: true },
  }),
  thoughts: [{ open: "<|START_THINKING|>", close: "<|END_THINKING|>" }],
  layout: ["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>", closer],
  turns,
  results,
  stop: [],
  markers: [opener, closer, resultOpener, resultCloser, ...turns],
  family: {
    template: [opener, closer],
    models: /command-?r7b|command-?a\b|c4ai-command-?(?:r7b|a)|cohere-?2/i,
  },
  lesson: {
    form: `${opener}[\n    {"tool_call_id": "0", "tool_name": "tool_name", "parameters": {"parameter": "value"}}\n]${closer}`,
    rules: [
      `Between the marks stands a list of calls, each an object with an id, its tool and its parameters. ${jsonRule}`,
      "Several calls: several objects in the one list, with ids of their own. Do not put it in a code fence.",
      `After your calls, stop. The results come in the next message as ${resultOpener}; never write one yourself.`,
    ],
  },
  writeCalls,
  writeResults,
};

function writeCalls(calls: readonly WrittenCall[]): string {
  const objects = calls.map(
    ({ id, name, input }) => `    ${templateJson({ tool_call_id: id, tool_name: name, parameters: input })}`,
  );
  return `${opener}[\n${objects.join(",\n")}\n]${closer}`;
}

function writeResults(written: readonly WrittenResult[]): string {
  const objects = written.map((result) => {
    const fields = { "0": resultText(result) };
    return `    ${templateJson({ tool_call_id: result.id, results: fields, is_error: result.isError ? true : null })}`;
  });
  return `${resultOpener}[\n${objects.join(",\n")}\n]${resultCloser}`;
}
