/** The format of Llama 4 with its marks: a list of calls in Python's form. Without them it is a whole message. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import {
  beginsCallAfterToken,
  pythonRules,
  readPythonOrJson,
  writePythonCalls,
} from "./grammar/python-call.ts";

const opener = "<|python_start|>";
const closer = "<|python_end|>";
const turns = ["<|eot|>", "<|eom|>", "<|header_start|>"];
const results = ["<tool_response"];

export const llama4: Dialect = {
  name: "llama-4",
  tier: "token",
  openers: [{ mark: opener, begins: beginsCallAfterToken }],
  // Its template also puts them around what is said before a call.
  layout: [opener, closer],
  turns,
  results,
  ...resultsInTags,
  markers: [opener, closer, "<tool_response", "</tool_response", "<|header_start|>", "<|eot|>", "<|eom|>"],
  family: { template: [opener], models: /llama-?4/i },
  lesson: {
    form: `${opener}[tool_name(parameter="value", other_parameter=1)]${closer}`,
    rules: [...pythonRules, "Several calls: one list, `[first(a=1), second(b=2)]`.", ...resultRules],
  },
  writeCalls: (calls) =>
    `${opener}[${writePythonCalls(calls, { quote: '"', words: "Python" }).join(", ")}]${closer}`,
  *read(reader) {
    yield* readCallBlock(reader, {
      closers: [closer],
      trailing: [closer],
      endings: [opener, ...results, ...turns],
      read: (body, closed) => readPythonOrJson(body, { offered: reader.offered, closed }),
    });
  },
};
