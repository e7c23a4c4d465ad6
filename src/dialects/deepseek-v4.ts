/** The format of DeepSeek V4: that of V3.2, with other tags around calls and results. */

import { dsmlDialect } from "./deepseek-dsml.ts";
import { resultsBetween } from "./grammar/lesson.ts";
import { namesOf } from "./names.ts";

export const deepseekV4 = dsmlDialect({
  name: "deepseek-v4",
  prefix: "｜DSML｜",
  block: "tool_calls",
  result: "tool_result",
  family: {
    template: ["DSML", "invoke name=", "tool_calls>", "<tool_result>"],
    models: namesOf("deepseek-?v?4(?![\\d.]*b(?![a-z]))"),
  },
  writeResults: resultsBetween("<tool_result>", "</tool_result>", "\n\n"),
});
