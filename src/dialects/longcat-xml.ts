/** The format of later LongCat models: a name, then pairs of tags with raw values. */

import type { Dialect } from "./dialect.ts";
import { argumentPairs, writtenPairs } from "./grammar/argument-pairs.ts";
import { resultsInTags } from "./grammar/lesson.ts";

const call = "longcat_tool_call";
const tags = { call, key: "longcat_arg_key", value: "longcat_arg_value" };

/** What earlier models have, too. */
export const longcatMarks = {
  opener: `<${call}>`,
  closer: `</${call}>`,
  turns: ["</longcat_s>", "<longcat_s>"],
  results: ["<longcat_tool_response", ...resultsInTags.results],
};
const { opener, turns, results } = longcatMarks;

export const longcatXml: Dialect = {
  name: "longcat-xml",
  tier: "tagged",
  ...argumentPairs(tags),
  ...writtenPairs(tags),
  turns,
  results,
  family: { template: [opener, `<${tags.key}>`] },
};
