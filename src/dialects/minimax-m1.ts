/** The format of MiniMax M1: JSON objects in tags, one on each line. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";
import { readToolCalls, toolCallsCloser, toolCallsOpener, toolCallsTag } from "./grammar/tool-calls-tag.ts";

const turns = ["<end_of_sentence>", "<beginning_of_sentence>"];
const results = ["<beginning_of_sentence>tool"];

export const minimaxM1: Dialect = {
  name: "minimax-m1",
  tier: "tagged",
  openers: [toolCallsTag],
  held: heldJson(`${toolCallsOpener}\n`, `\n${toolCallsCloser}`),
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\ntool result:"],
  markers: [toolCallsOpener, toolCallsCloser, ...turns],
  family: { template: [toolCallsOpener, "<beginning_of_sentence>"], models: /minimax-?m1|minimax-?text/i },
  lesson: {
    rules: [
      `Between the tags stand the calls, one object on a line of its own for each. ${jsonRule}`,
      "Several calls: several lines in the one block. Do not put it in a code fence.",
      "After your calls, stop. The results come in the next message; never write one yourself.",
    ],
  },
  writeCalls: (calls) => `${toolCallsOpener}\n${calls.map(callObject).join("\n")}\n${toolCallsCloser}`,
  writeResults: (results) =>
    results
      .map((result) => {
        const kind = result.isError ? "tool error" : "tool result";
        return `tool name: ${result.name}\n${kind}: ${resultText(result)}`;
      })
      .join("\n\n"),
  *read(reader) {
    yield* readToolCalls(reader, [...results, ...turns]);
  },
};
