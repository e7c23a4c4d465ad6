/** Families whose calls are a name and pairs of tags, one for an argument's name and one for its value: a row each. */

import type { MarkedDialect } from "./dialect.ts";
import { argumentPairs, writtenPairs } from "./grammar/argument-pairs.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { pairsOrJson } from "./grammar/pairs-or-json.ts";
import { namesOf, since } from "./names.ts";

const glmTags = { call: "tool_call", key: "arg_key", value: "arg_value" };

/** The format of GLM 4.5 to 5, Spark, Ling and Laguna: a name, then pairs of tags, with or without line breaks. */
export const glm: MarkedDialect = {
  name: "glm",
  tier: "tagged",
  ...pairsOrJson(glmTags, argumentPairs(glmTags), "named"),
  ...writtenPairs(glmTags),
  held: {
    trigger: "<tool_call>",
    begin: (tool) => `<tool_call>${tool}\n`,
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
    template: ["<tool_call>", "<arg_key>", "<arg_value>"],
    models: namesOf("glm-?4", since("glm", "5"), since("spark", "2"), since("ling", "3"), "laguna"),
  },
};

const longcatTags = { call: "longcat_tool_call", key: "longcat_arg_key", value: "longcat_arg_value" };

/** What all models of LongCat have. */
export const longcatMarks = {
  opener: "<longcat_tool_call>",
  closer: "</longcat_tool_call>",
  turns: ["</longcat_s>", "<longcat_s>"],
  results: ["<longcat_tool_response", ...resultsInTags.results],
};

/** The format of later LongCat models: a name, then pairs of tags with raw values. */
export const longcatXml: MarkedDialect = {
  name: "longcat-xml",
  tier: "tagged",
  ...argumentPairs(longcatTags),
  ...writtenPairs(longcatTags),
  turns: longcatMarks.turns,
  results: longcatMarks.results,
  family: { template: [longcatMarks.opener, "<longcat_arg_key>"] },
};

const k2Tags = {
  call: "ifm|tool_call",
  key: "ifm|arg_key",
  value: "ifm|arg_value",
  type: "ifm|arg_type",
  outer: { open: "<ifm|tool_calls>", close: "</ifm|tool_calls>" },
};

/** The format of K2 Horizon: pairs of tags with a prefix, which may state a value's type, or JSON in the same tags. */
export const k2Horizon: MarkedDialect = {
  name: "k2-horizon",
  tier: "tagged",
  ...pairsOrJson(k2Tags, argumentPairs(k2Tags), "object"),
  ...writtenPairs(k2Tags),
  thoughts: ["think", "think_fast", "think_faster"].map((tag) => ({
    open: `<ifm|${tag}>`,
    close: `</ifm|${tag}>`,
  })),
  turns: ["<|ifm|im_end|>", "<|ifm|im_start|>", "<|ifm|endoftext|>"],
  markers: [`<${k2Tags.type}>`, `</${k2Tags.type}>`],
  family: { template: ["<ifm|tool_call"], models: namesOf("\\bk2-?(?:horizon|v3)") },
};

const suffix = ":opensource";

/** Other checkpoints of Hunyuan write the tags without a suffix. */
const hunyuanTags = (end: string) => ({
  call: `tool_call${end}`,
  key: `arg_key${end}`,
  value: `arg_value${end}`,
  separator: `tool_sep${end}`,
  outer: { open: `<tool_calls${end}>`, close: `</tool_calls${end}>` },
});
const own = argumentPairs(hunyuanTags(suffix));
const plain = argumentPairs(hunyuanTags(""));

/** The format of Hunyuan 3: pairs of tags, each of them with a suffix. */
export const hunyuan3: MarkedDialect = {
  name: "hunyuan-3",
  tier: "tagged",
  ...writtenPairs(hunyuanTags(suffix)),
  openers: [...own.openers, ...plain.openers],
  leftovers: [...own.leftovers, ...plain.leftovers],
  thoughts: [{ open: `<think${suffix}>`, close: `</think${suffix}>` }],
  turns: ["eos", "User", "begin_of_sentence"].map((token) => `<｜hy_${token}${suffix}｜>`),
  results: [`<tool_responses${suffix}>`, `<tool_response${suffix}>`, ...resultsInTags.results],
  family: {
    template: ["<tool_calls", "<tool_sep", "<arg_key"],
    models: namesOf(since("hunyuan", "3"), since("\\bhy", "3")),
  },
  read: (reader, opener) => (opener.includes(suffix) ? own : plain).read(reader, opener),
};
