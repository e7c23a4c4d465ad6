/** Families whose calls are in Python's form between marks, and nothing else: a row each. */

import { resultRulesFor, resultsBetween, resultsInTags, resultText } from "./grammar/lesson.ts";
import {
  beginsCall,
  beginsCallAfterToken,
  readPythonCalls,
  readPythonOrJson,
} from "./grammar/python-call.ts";
import { pythonDialect } from "./grammar/python-dialect.ts";
import { namesOf, since } from "./names.ts";

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
  resultRules: resultRulesFor("<|tool_response_start|>"),
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
  resultRules: ["After your calls, stop. The results come in the next message; never write one yourself."],
  writeResults: (results) =>
    results
      .map(
        (result) =>
          `Function ${result.name} ${result.isError ? "failed" : "returned"}:\n${resultText(result)}`,
      )
      .join("\n\n"),
});
