/** The format of Qwen3-Coder, Qwen3.5, Nemotron 3 and StepFun 3.5: parameters as tags. */

import type { Dialect } from "./dialect.ts";
import { functionTags, parameterClose } from "./grammar/function-tags.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules, rawText } from "./grammar/raw-values.ts";
import { namesOf, since } from "./names.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
const turns = ["<|im_end|>", "<|im_start|>", "<|endoftext|>"];
const results = ["<tool_response"];

export const qwenXml: Dialect = {
  name: "qwen-xml",
  tier: "tagged",
  ...functionTags({ opener, closer, padding: "each", endings: [...turns, ...results] }),
  held: {
    trigger: opener,
    begin: (tool) => `${opener}\n<function=${tool}>\n`,
    end: `</function>\n${closer}`,
    input: { open: (name) => `<parameter=${name}>`, close: parameterClose, around: "\n", after: "\n" },
  },
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [opener, closer, "<function=", "</function>", "<parameter=", parameterClose, ...results, ...turns],
  family: {
    template: ["<tool_call>", "<function=", "<parameter="],
    models: namesOf(
      "qwen-?3-?coder",
      since("qwen", "3.5"),
      since("nemotron", "3"),
      since("\\bstep", "3.5"),
      since("mimo-?v", "2"),
      "iquest",
      since("k-?exaone", "2"),
    ),
  },
  lesson: {
    form: `${opener}\n<function=tool_name>\n<parameter=parameter_name>\nvalue\n</parameter>\n</function>\n${closer}`,
    rules: [...rawRules(`several ${opener} blocks, one after the other`), ...resultRules],
  },
  writeCalls: (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `<parameter=${key}>\n${rawText(value)}\n</parameter>\n`,
        );
        return `${opener}\n<function=${name}>\n${parameters.join("")}</function>\n${closer}`;
      })
      .join("\n"),
  writeResults: taggedResults,
};
