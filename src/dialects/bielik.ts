/** The format of Bielik: that of Hermes, with results behind a mark of its own. */

import type { Dialect } from "./dialect.ts";
import { resultRules, resultRulesFor, resultsBetween } from "./grammar/lesson.ts";
import { hermes } from "./hermes.ts";
import { namesOf } from "./names.ts";

const result = "<|function_output|>";
const { form, rules } = hermes.lesson;

export const bielik: Dialect = {
  ...hermes,
  name: "bielik",
  results: [result, "<tool_response"],
  markers: [...hermes.markers, result],
  family: { template: ["<tool_call>", '"name"', result], models: namesOf("bielik") },
  lesson: {
    form,
    rules: [...rules.filter((rule) => !resultRules.includes(rule)), ...resultRulesFor(result)],
  },
  writeResults: resultsBetween(result, "", ""),
};
