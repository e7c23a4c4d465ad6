/** The format of Qwen3-Coder, Qwen3.5, Nemotron 3 and StepFun 3.5: parameters as tags. */

import type { Dialect } from "./dialect.ts";
import { functionTags, parameterClose } from "./grammar/function-tags.ts";
import { rawText } from "./grammar/raw-values.ts";
import { namesOf, since } from "./names.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";

export const qwenXml: Dialect = {
  name: "qwen-xml",
  tier: "tagged",
  ...functionTags({ opener, closer, padding: "each", textOf: (value) => `\n${rawText(value)}\n` }),
  held: {
    trigger: opener,
    begin: (tool) => `${opener}\n<function=${tool}>\n`,
    end: `</function>\n${closer}`,
    input: { open: (name) => `<parameter=${name}>`, close: parameterClose, around: "\n", after: "\n" },
  },
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
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
};
