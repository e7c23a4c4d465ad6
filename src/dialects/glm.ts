/** The format of GLM 4.5 to 5, Spark, Ling and Laguna: a name, then pairs of tags, with or without line breaks. */

import type { Dialect } from "./dialect.ts";
import { argumentPairs, writtenPairs } from "./grammar/argument-pairs.ts";
import { pairsOrJson } from "./grammar/pairs-or-json.ts";
import { namesOf, since } from "./names.ts";

const opener = "<tool_call>";
const tags = { call: "tool_call", key: "arg_key", value: "arg_value" };

export const glm: Dialect = {
  name: "glm",
  tier: "tagged",
  ...pairsOrJson(tags, argumentPairs(tags), "named"),
  ...writtenPairs(tags),
  held: {
    trigger: opener,
    begin: (tool) => `${opener}${tool}\n`,
    end: "</tool_call>",
    input: {
      open: (name) => `<arg_key>${name}</arg_key>\n<arg_value>`,
      close: "</arg_value>",
      around: "",
      after: "\n",
    },
  },
  turns: ["<|user|>", "<|observation|>", "<|endoftext|>"],
  family: {
    template: [opener, "<arg_key>", "<arg_value>"],
    models: namesOf("glm-?4", since("glm", "5"), since("spark", "2"), since("ling", "3"), "laguna"),
  },
};
