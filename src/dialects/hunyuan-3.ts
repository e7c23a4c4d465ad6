/** The format of Hunyuan 3: pairs of tags, each of them with a suffix. */

import type { MarkedDialect } from "./dialect.ts";
import { argumentPairs, writtenPairs } from "./grammar/argument-pairs.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { namesOf, since } from "./names.ts";

const suffix = ":opensource";

/** Other checkpoints write the tags without a suffix. */
const tagsWith = (end: string) => ({
  call: `tool_call${end}`,
  key: `arg_key${end}`,
  value: `arg_value${end}`,
  separator: `tool_sep${end}`,
  outer: { open: `<tool_calls${end}>`, close: `</tool_calls${end}>` },
});
const own = argumentPairs(tagsWith(suffix));
const plain = argumentPairs(tagsWith(""));

export const hunyuan3: MarkedDialect = {
  name: "hunyuan-3",
  tier: "tagged",
  ...writtenPairs(tagsWith(suffix)),
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
