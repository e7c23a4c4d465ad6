/** The format of GLM 4.5 to 5, Spark, Ling and Laguna: a name, then pairs of tags, with or without line breaks. */

import type { Dialect } from "./dialect.ts";
import { argumentPairs, writePairs } from "./grammar/argument-pairs.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { pairsOrJson } from "./grammar/pairs-or-json.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { namesOf, since } from "./names.ts";

const opener = "<tool_call>";
const turns = ["<|user|>", "<|observation|>", "<|endoftext|>"];
const results = ["<tool_response"];
const tags = { call: "tool_call", key: "arg_key", value: "arg_value", endings: [...turns, ...results] };

export const glm: Dialect = {
  name: "glm",
  tier: "tagged",
  ...pairsOrJson(tags, argumentPairs(tags), "named"),
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
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [
    opener,
    "</tool_call>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    ...results,
    ...turns,
  ],
  family: {
    template: [opener, "<arg_key>", "<arg_value>"],
    models: namesOf("glm-?4", since("glm", "5"), since("spark", "2"), since("ling", "3"), "laguna"),
  },
  lesson: {
    form: `${opener}tool_name\n<arg_key>parameter_name</arg_key>\n<arg_value>value</arg_value>\n</tool_call>`,
    rules: [...rawRules(`several ${opener} blocks, one after the other`), ...resultRules],
  },
  writeCalls: (calls) => writePairs(calls, tags).join("\n"),
  writeResults: taggedResults,
};
