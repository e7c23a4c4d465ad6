/** The format of later LongCat models: a name, then pairs of tags with raw values. */

import type { Dialect } from "./dialect.ts";
import { argumentPairs, writePairs } from "./grammar/argument-pairs.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { closer, opener, results, turns } from "./longcat.ts";

const [key, value] = ["longcat_arg_key", "longcat_arg_value"];
const tags = { call: "longcat_tool_call", key, value, endings: [...turns, ...results] };

export const longcatXml: Dialect = {
  name: "longcat-xml",
  tier: "tagged",
  ...argumentPairs(tags),
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [opener, closer, ...[key, value].flatMap((tag) => [`<${tag}>`, `</${tag}>`]), ...results],
  family: { template: [opener, `<${key}>`] },
  lesson: {
    form: `${opener}tool_name\n<${key}>parameter_name</${key}>\n<${value}>value</${value}>\n${closer}`,
    rules: [...rawRules(`several ${opener} blocks, one after the other`), ...resultRules],
  },
  writeCalls: (calls) => writePairs(calls, tags).join("\n"),
  writeResults: taggedResults,
};
