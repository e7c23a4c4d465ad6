/** The format of Phi-4-mini: a list of JSON objects behind a word, or objects between marks. */

import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, jsonOpener, readTaggedJson } from "./grammar/tagged-json.ts";
import { jsonRule } from "./grammar/template-json.ts";

const word = "functools";
const opener = "<|tool_call|>";
const closer = "<|/tool_call|>";
const tolerated = { endings: ["<|end|>"], trailing: [closer] };
const listed = jsonDialect({
  name: "phi-4",
  tier: "token",
  opener: word,
  list: ["[", ", ", "]"],
  layout: ["<|end|>", closer],
  turns: ["<|user|>", "<|system|>", "<|assistant|>", "<|endoftext|>"],
  results: ["<|tool_response|>", ...resultsInTags.results],
  markers: [`${word}[`, opener, closer],
  family: { template: [`${word}[`], models: /phi-?4/i },
  rules: [
    `Behind ${word} stands a list of calls, each an object with its name and its arguments. ${jsonRule}`,
    "Several calls: several objects in the one list. Do not put it in a code fence.",
  ],
});

export const phi4: MarkedDialect = {
  ...listed,
  openers: [{ mark: word, begins }, jsonOpener(opener)],
  // The word may stand in a text: a second one opens nothing.
  *read(reader, mark) {
    yield* readTaggedJson(reader, { closers: [], openers: mark === opener ? [opener] : [], ...tolerated });
  },
};

/** The list stands close to the word; prose has no object in brackets there. */
function begins(ahead: string): CallVerdict {
  const list = /^\s?\[/.test(ahead);
  if (!list) return /^\s?$/.test(ahead) ? "more" : "text";
  return beginsJson(ahead, word);
}
