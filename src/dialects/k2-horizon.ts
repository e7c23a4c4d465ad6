/** The format of K2 Horizon: pairs of tags with a prefix, which may state a value's type, or JSON in the same tags. */

import type { MarkedDialect } from "./dialect.ts";
import { argumentPairs, writePairs } from "./grammar/argument-pairs.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { pairsOrJson } from "./grammar/pairs-or-json.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { namesOf } from "./names.ts";

const turns = ["<|ifm|im_end|>", "<|ifm|im_start|>", "<|ifm|endoftext|>"];
const results = ["<tool_response"];
const tags = {
  call: "ifm|tool_call",
  key: "ifm|arg_key",
  value: "ifm|arg_value",
  type: "ifm|arg_type",
  outer: { open: "<ifm|tool_calls>", close: "</ifm|tool_calls>" },
  endings: [...turns, ...results],
};

export const k2Horizon: MarkedDialect = {
  name: "k2-horizon",
  tier: "tagged",
  ...pairsOrJson(tags, argumentPairs(tags), "object"),
  thoughts: ["think", "think_fast", "think_faster"].map((tag) => ({
    open: `<ifm|${tag}>`,
    close: `</ifm|${tag}>`,
  })),
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [
    ...[tags.call, tags.key, tags.value, tags.type, "ifm|tool_calls"].flatMap((tag) => [
      `<${tag}>`,
      `</${tag}>`,
    ]),
    ...results,
    ...turns,
  ],
  family: { template: ["<ifm|tool_call"], models: namesOf("\\bk2-?(?:horizon|v3)") },
  lesson: {
    form: `${tags.outer.open}\n<${tags.call}>tool_name\n<${tags.key}>parameter_name</${tags.key}>\n<${tags.value}>value</${tags.value}>\n</${tags.call}>\n${tags.outer.close}`,
    rules: [...rawRules(`several <${tags.call}> blocks in one ${tags.outer.open}`), ...resultRules],
  },
  writeCalls: (calls) => [tags.outer.open, ...writePairs(calls, tags), tags.outer.close].join("\n"),
  writeResults: taggedResults,
};
