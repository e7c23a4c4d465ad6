/** The format of Bielik: that of Hermes, with results behind a mark of its own. */

import type { Dialect } from "./dialect.ts";
import { resultRulesFor, resultsBetween, resultsInTags } from "./grammar/lesson.ts";
import { hermes } from "./hermes.ts";
import { namesOf } from "./names.ts";

const result = "<|function_output|>";

export const bielik: Dialect = {
  ...hermes,
  name: "bielik",
  results: [result, ...resultsInTags.results],
  family: { template: ["<tool_call>", '"name"', result], models: namesOf("bielik") },
  lesson: { ...hermes.lesson, resultRules: resultRulesFor(result) },
  writeResults: resultsBetween(result, "", ""),
};
