/** The format of K2 Horizon: pairs of tags with a prefix, which may state a value's type, or JSON in the same tags. */

import type { MarkedDialect } from "./dialect.ts";
import { argumentPairs, writtenPairs } from "./grammar/argument-pairs.ts";
import { pairsOrJson } from "./grammar/pairs-or-json.ts";
import { namesOf } from "./names.ts";

const tags = {
  call: "ifm|tool_call",
  key: "ifm|arg_key",
  value: "ifm|arg_value",
  type: "ifm|arg_type",
  outer: { open: "<ifm|tool_calls>", close: "</ifm|tool_calls>" },
};

export const k2Horizon: MarkedDialect = {
  name: "k2-horizon",
  tier: "tagged",
  ...pairsOrJson(tags, argumentPairs(tags), "object"),
  ...writtenPairs(tags),
  thoughts: ["think", "think_fast", "think_faster"].map((tag) => ({
    open: `<ifm|${tag}>`,
    close: `</ifm|${tag}>`,
  })),
  turns: ["<|ifm|im_end|>", "<|ifm|im_start|>", "<|ifm|endoftext|>"],
  markers: [`<${tags.type}>`, `</${tags.type}>`],
  family: { template: ["<ifm|tool_call"], models: namesOf("\\bk2-?(?:horizon|v3)") },
};
