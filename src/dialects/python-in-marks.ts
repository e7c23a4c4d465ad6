/** Families whose calls are in Python's form between marks, and nothing else: a row each. */

import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultsBetween, resultsInTags, resultText } from "./grammar/lesson.ts";
import {
  beginsCall,
  beginsCallAfterToken,
  pythonRules,
  readPythonCalls,
  readPythonOrJson,
  writePythonCalls,
  type PythonStyle,
} from "./grammar/python-call.ts";
import { inSequence } from "./grammar/writing.ts";
import type { CallsOptions, WrittenCalls } from "./grammar/written-calls.ts";
import { namesOf, since } from "./names.ts";

type PythonFamily = Omit<MarkedDialect, "openers" | "read" | "lesson" | "writeCalls"> & {
  readonly opener: string;
  readonly closer: string;
  readonly begins: (ahead: string) => CallVerdict;
  readonly body: (text: string, options: CallsOptions) => WrittenCalls;
  /** What stands before the first, between two, and behind the last of the calls. */
  readonly list: readonly [open: string, between: string, close: string];
  readonly style: PythonStyle;
  readonly several: string;
};

function pythonDialect(family: PythonFamily): MarkedDialect {
  const { opener, closer, begins, body, list, style, several, ...traits } = family;
  const [open, between, close] = list;
  return {
    ...traits,
    openers: [{ mark: opener, begins }],
    lesson: {
      form: { parameter: "value", other_parameter: 1 },
      rules: [...pythonRules, `Several calls: ${several}`],
    },
    writeCalls: (calls) => opener + open + writePythonCalls(calls, style).join(between) + close + closer,
    read: (reader) =>
      readCallBlock(reader, {
        closers: [closer],
        trailing: [closer],
        endings: [opener],
        read: (text, closed) => body(text, { offered: reader.offered, closed }),
      }),
  };
}

/** The format of Llama 4 with its marks: a list of calls in Python's form. Without them it is a whole message. */
export const llama4 = pythonDialect({
  name: "llama-4",
  tier: "token",
  opener: "<|python_start|>",
  closer: "<|python_end|>",
  list: ["[", ", ", "]"],
  begins: beginsCallAfterToken,
  body: readPythonOrJson,
  style: { quote: '"', words: "Python" },
  several: "one list, `[first(a=1), second(b=2)]`.",
  // Its template also puts them around what is said before a call.
  layout: ["<|python_start|>", "<|python_end|>"],
  turns: ["<|eot|>", "<|eom|>", "<|header_start|>"],
  ...resultsInTags,
  family: { template: ["<|python_start|>"], models: /llama-?4/i },
});

/** The format of LFM2 and LFM2.5: a list of calls in Python's form between special tokens. */
export const lfm2 = pythonDialect({
  name: "lfm2",
  tier: "token",
  opener: "<|tool_call_start|>",
  closer: "<|tool_call_end|>",
  list: ["[", ", ", "]"],
  begins: beginsCallAfterToken,
  body: readPythonOrJson,
  style: { quote: "'", words: "Python" },
  several: "one list, `[first(a=1), second(b=2)]`.",
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  results: ["<|tool_response_start|>"],
  // Texts may hold raw line breaks, so no string is sure never to stand in a call.
  stop: [],
  family: { template: ["List of tools: "], models: namesOf(since("lfm", "2")) },
  writeResults: resultsBetween("<|tool_response_start|>", "<|tool_response_end|>"),
});

/** The format of Olmo 3: calls in Python's form, one a line, in tags that others fill with tags. */
export const olmo = pythonDialect({
  name: "olmo",
  tier: "tagged",
  opener: "<function_calls>",
  closer: "</function_calls>",
  list: ["\n", "\n", "\n"],
  begins: beginsCall,
  body: readPythonCalls,
  style: { quote: "'", words: "JSON" },
  several: "several lines between the same tags.",
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  stop: [],
  family: { template: ["<function_calls>", "<functions>"], models: /olmo-?3/i },
  writeResults: inSequence(
    (one) => `Function ${one.name} ${one.isError ? "failed" : "returned"}:\n${resultText(one)}`,
    "\n\n",
  ),
});
