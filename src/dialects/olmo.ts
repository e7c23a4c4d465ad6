/** The format of Olmo 3: calls in Python's form, one a line, in tags that others fill with tags. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultText } from "./grammar/lesson.ts";
import { beginsCall, pythonRules, readPythonCalls, writePythonCalls } from "./grammar/python-call.ts";

const opener = "<function_calls>";
const closer = "</function_calls>";
const turns = ["<|im_end|>", "<|im_start|>", "<|endoftext|>"];

export const olmo: Dialect = {
  name: "olmo",
  tier: "tagged",
  openers: [{ mark: opener, begins: beginsCall }],
  turns,
  stop: [],
  markers: [opener, closer, "<|im_start|>", "<|im_end|>"],
  family: { template: [opener, "<functions>"], models: /olmo-?3/i },
  lesson: {
    form: `${opener}\ntool_name(parameter='value', other_parameter=1)\n${closer}`,
    rules: [
      ...pythonRules,
      "Several calls: several lines between the same tags.",
      "After your calls, stop. The results come in the next message; never write one yourself.",
    ],
  },
  writeCalls: (calls) =>
    `${opener}\n${writePythonCalls(calls, { quote: "'", words: "JSON" }).join("\n")}\n${closer}`,
  writeResults: (results) =>
    results
      .map(
        (result) =>
          `Function ${result.name} ${result.isError ? "failed" : "returned"}:\n${resultText(result)}`,
      )
      .join("\n\n"),
  *read(reader) {
    yield* readCallBlock(reader, {
      closers: [closer],
      trailing: [closer],
      endings: [opener, ...turns],
      read: (body, closed) => readPythonCalls(body, { offered: reader.offered, closed }),
    });
  },
};
