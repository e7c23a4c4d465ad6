/** The format of LFM2 and LFM2.5: a list of calls in Python's form between special tokens. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultRulesFor, resultsBetween } from "./grammar/lesson.ts";
import {
  beginsCallAfterToken,
  pythonRules,
  readPythonOrJson,
  writePythonCalls,
} from "./grammar/python-call.ts";
import { namesOf, since } from "./names.ts";

const opener = "<|tool_call_start|>";
const closer = "<|tool_call_end|>";
const turns = ["<|im_end|>", "<|im_start|>", "<|endoftext|>"];
const results = ["<|tool_response_start|>"];

export const lfm2: Dialect = {
  name: "lfm2",
  tier: "token",
  openers: [{ mark: opener, begins: beginsCallAfterToken }],
  turns,
  results,
  // Texts may hold raw line breaks, so no string is sure never to stand in a call.
  stop: [],
  markers: [opener, closer, "<|tool_response_", "<|im_start|>", "<|im_end|>"],
  family: { template: ["List of tools: "], models: namesOf(since("lfm", "2")) },
  lesson: {
    form: `${opener}[tool_name(parameter='value', other_parameter=1)]${closer}`,
    rules: [
      ...pythonRules,
      "Several calls: one list, `[first(a=1), second(b=2)]`.",
      ...resultRulesFor("<|tool_response_start|>"),
    ],
  },
  writeCalls: (calls) =>
    `${opener}[${writePythonCalls(calls, { quote: "'", words: "Python" }).join(", ")}]${closer}`,
  writeResults: resultsBetween("<|tool_response_start|>", "<|tool_response_end|>"),
  *read(reader) {
    yield* readCallBlock(reader, {
      closers: [closer],
      trailing: [closer],
      endings: [opener, ...results, ...turns],
      read: (body, closed) => readPythonOrJson(body, { offered: reader.offered, closed }),
    });
  },
};
