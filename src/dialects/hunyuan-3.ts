/** The format of Hunyuan 3: pairs of tags, each of them with a suffix. */

import type { MarkedDialect } from "./dialect.ts";
import { argumentPairs, writePairs } from "./grammar/argument-pairs.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { namesOf, since } from "./names.ts";

const suffix = ":opensource";
const turns = ["eos", "User", "begin_of_sentence"].map((token) => `<｜hy_${token}${suffix}｜>`);
const results = [`<tool_responses${suffix}>`, `<tool_response${suffix}>`, "<tool_response"];

/** Other checkpoints write the tags without a suffix. */
const tagsWith = (end: string) => ({
  call: `tool_call${end}`,
  key: `arg_key${end}`,
  value: `arg_value${end}`,
  separator: `tool_sep${end}`,
  outer: { open: `<tool_calls${end}>`, close: `</tool_calls${end}>` },
  endings: [...turns, ...results],
});
const tags = tagsWith(suffix);
const own = argumentPairs(tags);
const plain = argumentPairs(tagsWith(""));

export const hunyuan3: MarkedDialect = {
  name: "hunyuan-3",
  tier: "tagged",
  openers: [...own.openers, ...plain.openers],
  leftovers: [`</${tags.value}>`, "</arg_value>"],
  thoughts: [{ open: `<think${suffix}>`, close: `</think${suffix}>` }],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [
    ...[tags.call, tags.key, tags.value, "tool_calls:opensource"].flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
    ...results,
    ...turns,
  ],
  family: {
    template: ["<tool_calls", "<tool_sep", "<arg_key"],
    models: namesOf(since("hunyuan", "3"), since("\\bhy", "3")),
  },
  lesson: {
    form: `<tool_calls${suffix}>\n<tool_call${suffix}>tool_name<tool_sep${suffix}>\n<arg_key${suffix}>parameter_name</arg_key${suffix}>\n<arg_value${suffix}>value</arg_value${suffix}>\n</tool_call${suffix}>\n</tool_calls${suffix}>`,
    rules: [...rawRules(`several <tool_call${suffix}> blocks in one <tool_calls${suffix}>`), ...resultRules],
  },
  writeCalls: (calls) => [tags.outer.open, ...writePairs(calls, tags), tags.outer.close].join("\n"),
  writeResults: taggedResults,
  read: (reader, opener) => (opener.includes(suffix) ? own : plain).read(reader, opener),
};
