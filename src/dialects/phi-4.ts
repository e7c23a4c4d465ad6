/** The format of Phi-4-mini: a list of JSON objects behind a word, or objects between marks. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect, CallVerdict } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const word = "functools";
const opener = "<|tool_call|>";
const closer = "<|/tool_call|>";
const turns = ["<|user|>", "<|system|>", "<|assistant|>", "<|endoftext|>"];
const results = ["<|tool_response|>", "<tool_response"];

export const phi4: Dialect = {
  name: "phi-4",
  tier: "token",
  openers: [
    { mark: word, begins },
    { mark: opener, begins: (ahead) => beginsJson(ahead, opener) },
  ],
  layout: ["<|end|>", closer],
  held: heldJson(`${word}[`, "]"),
  turns,
  results,
  ...resultsInTags,
  markers: [`${word}[`, opener, closer, ...turns, ...results, "</tool_response"],
  family: { template: [`${word}[`], models: /phi-?4/i },
  lesson: {
    rules: [
      `Behind ${word} stands a list of calls, each an object with its name and its arguments. ${jsonRule}`,
      "Several calls: several objects in the one list. Do not put it in a code fence.",
      ...resultRules,
    ],
  },
  writeCalls: (calls) => `${word}[${calls.map(callObject).join(", ")}]`,
  *read(reader, mark) {
    yield* readTaggedJson(reader, {
      closers: [],
      openers: mark === opener ? [opener] : [],
      endings: [...results, ...turns, "<|end|>"],
      trailing: [closer],
    });
  },
};

/** The list stands close to the word; prose has no object in brackets there. */
function begins(ahead: string): CallVerdict {
  const list = /^\s?\[/.test(ahead);
  if (!list) return /^\s?$/.test(ahead) ? "more" : "text";
  return beginsJson(ahead, word);
}
